import { type Deployment, harness, type Instance } from '../../harness.mts';
import { useService } from '../../service.mts';
import { hmac, registered, send, triggerNode } from '../../triggers.mts';

const service = useService();
let active: string;
let paused: string;
beforeAll(() => void ({ active, paused } = service.seed.campaigns));
afterEach(() => harness.restoreTime());

/** What makes the webhooks of both campaigns start a workflow. */
const settings = async () =>
	(await service.storedWebhooks())
		.filter(({ campaign_id }) => campaign_id === active || campaign_id === paused)
		.map(({ id, webhook_url, webhook_secret, events, enabled }) => ({
			id,
			webhook_url,
			webhook_secret,
			events,
			enabled,
		}));

interface N8n {
	instance: Instance;
	workflow: Deployment;
}

async function n8nWithTrigger(id?: string, parameters = {}): Promise<N8n> {
	const instance = await harness.startInstance({ credentials: service.credentials() });
	const nodes = [triggerNode(service, parameters), { name: 'Next', type: 'harness.noOp' }];
	return { instance, workflow: instance.deploy({ nodes, ...(id !== undefined && { id }) }) };
}

/** How many executions the event of the campaign starts in an n8n. */
async function startedBy({ instance }: N8n): Promise<number> {
	const before = instance.executions.length;
	for (const { id } of await service.webhooks(active)) {
		await service.deliver({ webhookId: id });
	}
	return instance.executions.length - before;
}

async function logged(work: () => Promise<unknown>): Promise<string[]> {
	const { length } = harness.logLines;
	await work();
	return harness.logLines.slice(length).map(({ message }) => message);
}

/** Starts an n8n again, as an older one does. */
const restart = async ({ workflow }: N8n) => expect((await workflow.start()).error).toBeUndefined();

describe('A copy of the database starts in another n8n, which registers published triggers when it starts', () => {
	test.each([false, true])(
		'the webhook of the original stays and starts its workflow, also when the copy is unpublished (with stored data: %s)',
		async (isCopied) => {
			const original = await n8nWithTrigger();
			await original.workflow.publish();
			const before = await settings();
			const copy = await n8nWithTrigger(original.workflow.id);
			if (isCopied) {
				copy.workflow.restoreStaticData(original.workflow.storedStaticData());
			}
			const said = await logged(async () => await restart(copy));
			expect(said).toContainEqual(expect.stringContaining(`delivers to ${original.workflow.webhookUrl()}, not to`));
			expect(await settings()).toEqual(expect.arrayContaining(before));
			expect(await startedBy(original)).toBe(1);
			await copy.workflow.unpublish();
			expect(await settings()).toEqual(before);
		},
	);
});

test.each(['signature', 'header'])(
	'What proves a delivery for a copy of n8n proves none for the original, although the copy was published later: %s',
	async (verifyBy) => {
		const HOUR_MS = 3_600_000;
		const original = await n8nWithTrigger(undefined, { options: { verifyBy } });
		await original.workflow.publish();
		harness.skipTime(3 * HOUR_MS);
		const copy = await n8nWithTrigger(original.workflow.id, { options: { verifyBy } });
		await copy.workflow.publish();
		harness.skipTime(3 * HOUR_MS);
		const { instance } = original;
		const accepts = async ({ workflow }: N8n) => {
			const [webhook] = await registered(service, workflow);
			const { webhook_url, webhook_secret, custom_headers = [] } = webhook as NonNullable<typeof webhook>;
			const body = JSON.stringify({ id: webhook_url });
			const headers = Object.fromEntries(custom_headers.map(({ key, value }) => [key, value]));
			const url = instance.url + webhook_url.replace(/^.*?(?=\/webhook)/, '');
			return (await send(url, body, { ...headers, 'x-signature': hmac(webhook_secret, body) })).status;
		};
		expect([await accepts(copy), await accepts(original), await accepts(copy)]).toEqual([401, 200, 401]);
	},
);

test.each([
	['other events and a disabled webhook', { events: ['campaign_call.failed'], enabled: false }],
	['another address', { webhook_url: 'https://example.com/elsewhere' }],
])('Somebody has changed the webhook at the service: when n8n starts, %s is put right', async (_what, change) => {
	const n8n = await n8nWithTrigger();
	await n8n.workflow.publish();
	const [webhook] = await service.webhooks(active);
	expect((await service.api('PUT', `campaigns/${active}/webhooks/${webhook?.id}`, change)).status).toBe(200);
	await restart(n8n);
	const [now] = (await service.webhooks(active)).filter(({ webhook_url }) => webhook_url.startsWith(n8n.instance.url));
	expect(now).toMatchObject({ events: ['campaign_call.completed'], enabled: true });
	expect(await startedBy(n8n)).toBe(1);
});

test('A trigger that is unpublished after n8n has moved names the webhook at the former address in the log', async () => {
	const n8n = await n8nWithTrigger();
	await n8n.workflow.publish();
	const [webhook] = await service.webhooks(active);
	const webhook_url = String(webhook?.webhook_url).replace(n8n.instance.url, 'https://former.example');
	await service.api('PUT', `campaigns/${active}/webhooks/${webhook?.id}`, { webhook_url });
	const said = await logged(async () => await n8n.workflow.unpublish());
	expect(said).toContainEqual(expect.stringContaining('delivers to https://former.example/'));
	expect(await service.webhooks(active)).toHaveLength(1);
});

describe('An older n8n starts', () => {
	/** A published workflow of two campaigns, and the service's webhooks before n8n starts again. */
	async function published() {
		const n8n = await n8nWithTrigger(undefined, { options: { additionalCampaigns: [paused] } });
		await n8n.workflow.publish();
		const before = await settings();
		expect(before).toHaveLength(2);
		return { n8n, before };
	}

	test('and changes nothing if all webhooks are as they should be', async () => {
		const { n8n, before } = await published();
		const writes = async () => (await service.requests()).filter(({ method }) => method !== 'GET').length;
		const count = await writes();
		await restart(n8n);
		expect([await settings(), await writes()]).toEqual([before, count]);
	});

	test.each([429, 500, 404])(
		'and leaves all webhooks as they are if the service answers with %i for one',
		async (status) => {
			const { n8n, before } = await published();
			await service.fault({
				match: { path: `/api/v1/campaigns/${paused}/webhooks` },
				kind: 'status',
				status,
				times: 50,
			});
			const said = await logged(async () => await restart(n8n));
			expect(await settings()).toEqual(before);
			const warning = /could not be checked while n8n started.*'Check Registration'/;
			expect(said).toContainEqual(expect.stringMatching(warning));
		},
	);
});

test.each([
	['the folder of n8n', undefined],
	['another folder', 'resume/webhook-waiting'],
])(
	'The addresses that resume executions have another folder than those of triggers: in %s, a call is placed, because the trigger is found',
	async (_what, waitingPath) => {
		const events = ['campaign_call.completed', 'campaign_call.failed'];
		const instance = await harness.startInstance({ credentials: service.credentials(), waitingPath });
		await instance.deploy({ nodes: [triggerNode(service, { events })] }).publish();
		const parameters = service.queue({}, { operation: 'queueCallAndWait', waitBy: 'event' });
		const { run } = await service.run(parameters, [{ to: '+12025550111' }], { n8n: instance });
		expect(run.error?.message).toBeUndefined();
		expect(await service.dialed()).toHaveLength(1);
	},
);
