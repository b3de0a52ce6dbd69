import { comes } from './eventually.mts';
import { importExample, nodeOf } from './example.mts';
import { eventOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';
import { rotateSecret, runOnWebhooks } from './webhookOperation.mts';

/** Each call has one event of each kind. */
const KINDS = ['campaign_call.queued', 'campaign_call.completed'];
const CALLS = 5;

let n8n: Instance;
let campaigns: Record<'active' | 'paused' | 'draft', string>;

beforeAll(async () => {
	n8n = await Instance.start({ options: ['--rate-limit', '100000'] });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
});

const urlOf = (node: WorkflowNode) => `${n8n.n8n.url}/webhook/${node.webhookId}/webhook`;
const goneFrom = async (campaign: string) => await n8n.webhooksWhen(campaign, ({ length }) => length === 0);

test('A trigger keeps exactly one webhook at the service from publishing to unpublishing', async () => {
	const node = n8n.trigger(campaigns.active);
	const id = await n8n.published('Life', [node]);
	const published = await n8n.soleWebhook(campaigns.active);
	expect(published).toMatchObject({ enabled: true, events: ['campaign_call.completed', 'campaign_call.failed'] });
	expect(published.webhook_url).toContain(`${urlOf(node)}?campaign=${campaigns.active}&g=`);
	await n8n.delivered(published.id);

	// Published again as it is: nothing is asked of the service.
	const asked = async () =>
		(await n8n.requests()).filter(({ method, path }) => method !== 'GET' && path.includes('/webhooks')).length;
	const before = await asked();
	await n8n.editor.publish(id);
	expect(await asked()).toBe(before);

	await n8n.editor.unpublish(id);
	await goneFrom(campaigns.active);
	const taken = (await n8n.sandbox.deliveries()).filter(({ status }) => status === 200);
	const executions = await n8n.finished(id, taken.length);
	expect(executions.map(({ status }) => status)).toEqual(taken.map(() => 'success'));
});

describe('n8n is killed while a trigger has two chosen campaigns and a connected one:', () => {
	let node: WorkflowNode;
	let id: string;
	let catchUp: string;
	let own: RemoteWebhook;
	let former: { url: string; secret: string };
	let missed: string[];

	/** The secret that the service got last for a campaign. */
	async function secretFor(campaign: string): Promise<string> {
		const secrets = (await n8n.requests()).filter(({ path }) => path.includes(campaign));
		return String(secrets.findLast(({ body }) => body?.webhook_secret !== undefined)?.body?.webhook_secret);
	}

	/** The status of n8n's answer to an event that is signed with a secret. */
	async function statusBy(secret: string, url: string): Promise<number> {
		const body = newEvent();
		return (await sendRaw('POST', url, body, { 'X-Signature': hmac(secret, body) })).status;
	}

	beforeAll(async () => {
		node = n8n.trigger(campaigns.active, { events: KINDS, options: { additionalCampaigns: [campaigns.draft] } });
		const jsCode =
			"if (!$json.write) { return []; } $getWorkflowStaticData('global').noted = $json.id; return $input.all();";
		const note = n8n.node('Note', 'n8n-nodes-base.code', 2, { jsCode });
		id = await n8n.published('Connected', [node, note, n8n.node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 8 })]);
		own = await n8n.soleWebhook(campaigns.active);
		// With ten retries, the service would go on for hours.
		await n8n.service.put(`/api/v1/campaigns/${campaigns.active}/webhooks/${own.id}`, { max_retries: 1 });
		for (const campaign of [campaigns.active, campaigns.draft]) {
			await n8n.delivered((await n8n.soleWebhook(campaign)).id);
		}
		const to = { trigger: { __rl: true, mode: 'url', value: urlOf(node) } };
		const connected = await runOnWebhooks(n8n, 'connectToTrigger', campaigns.paused, to);
		expect(connected).toMatchObject([{ connected: true, isNew: true }]);
		catchUp = await importExample(n8n, 'catch-up-on-a-schedule.json', (workflow) => {
			const rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
			Object.assign(nodeOf(workflow, 'Every 15 Minutes').parameters, { rule });
		});
		await n8n.editor.publish(catchUp);

		// An execution that writes older data of the workflow back when it ends, after the secret was rotated.
		const before = (await n8n.editor.executions(id)).length;
		expect(await n8n.deliver(own.id, { data: { write: true } })).toEqual([200]);
		former = { url: own.webhook_url, secret: await secretFor(campaigns.active) };
		await rotateSecret(n8n, campaigns.active, own.id);
		own = await n8n.soleWebhook(campaigns.active);
		expect([await n8n.deliver(own.id), await statusBy(former.secret, former.url)]).toEqual([[200], 200]);
		await n8n.finished(id, before + 1);

		await n8n.restartN8n('SIGKILL', async () => {
			for (let index = 0; index < CALLS; index++) {
				await n8n.service.post(`/api/v1/campaigns/${campaigns.active}/call`, { to: `+120255${index}0001` });
			}
			await n8n.advance(3000);
			const attempts = (await n8n.sandbox.deliveries()).filter(({ status }) => status === null);
			missed = [...new Set(attempts.map(({ delivery_id }) => delivery_id))].sort();
			expect(missed).toHaveLength(CALLS * KINDS.length);
		});
	});

	test('no delivery is lost, a replaced secret is accepted for an hour, and n8n has stored nothing that signs', async () => {
		for (const campaign of [campaigns.active, campaigns.draft, campaigns.paused]) {
			const { id: webhookId } = await n8n.soleWebhook(campaign);
			expect(await n8n.deliver(webhookId)).toEqual([200]);
			expect(await n8n.deliver(webhookId, { tamper: 'secret' })).toEqual([401]);
		}
		expect(await statusBy(former.secret, former.url)).toBe(200);
		const { staticData } = await n8n.editor.request<{ staticData: object }>('GET', `/rest/workflows/${id}`);
		expect(JSON.stringify(staticData)).toContain(own.id);
		expect(JSON.stringify(staticData)).not.toMatch(/[0-9a-f]{64}/);
	});

	test('the missed events are redelivered on schedule, and each starts exactly one execution', async () => {
		const started = async () => {
			const executions = (await n8n.editor.executions(id)).filter(({ status }) => status === 'success');
			const events = executions.map(async (one) => String((await eventOf(n8n.editor, one.id, 'Events')).id));
			return (await Promise.all(events)).filter((event) => missed.includes(event)).sort();
		};
		await comes(async () => new Set(await started()).size === missed.length, 'all events again', 60);
		const runs = (await n8n.editor.executions(catchUp)).length;
		const [latest] = await n8n.finished(catchUp, runs + 1, ['new', 'running']);
		expect(await n8n.outputOf(latest!.id, 'Catch Up')).toMatchObject([{ redelivered: 0 }]);
		await n8n.editor.unpublish(catchUp);
		expect(await started()).toEqual(missed);
		const [found] = await n8n.outputOf(latest!.id, 'Where Do the Events Go?');
		expect(found).toMatchObject({ ok: true, webhookId: own.id, rightUrl: true, answers: true, problems: [] });
	});
});
