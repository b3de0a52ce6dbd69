import { until } from '../../scripts/lib/waiting.mts';
import { outputsOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';

let n8n: Instance;
let campaigns: { active: string; paused: string; draft: string };

beforeAll(async () => {
	n8n = await Instance.start();
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const one = (webhooks: RemoteWebhook[]) => webhooks.length === 1;
const none = (webhooks: RemoteWebhook[]) => webhooks.length === 0;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Runs an operation on a campaign's webhooks by hand. @returns its items */
async function run(operation: string, campaign: string, parameters: object): Promise<Array<Record<string, unknown>>> {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const node = n8n.node('Run', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
		resource: 'webhook',
		operation,
		campaign: byId(campaign),
		...parameters,
	});
	const id = await n8n.createWorkflow(operation, [start, node], ['Start', 'Run']);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	return (await outputsOf(n8n.editor, execution.id, 'Run')).outputs[0] ?? [];
}

const urlOf = (node: WorkflowNode) => `${n8n.n8n.url}/webhook/${node.webhookId}/webhook`;
const to = (node: WorkflowNode) => ({ trigger: { __rl: true, mode: 'url', value: urlOf(node) } });

/** The secret that the service got last for a campaign. */
async function secretFor(campaign: string): Promise<string> {
	const sent = (await n8n.requests()).filter(
		({ path, body }) => path.includes(campaign) && body?.webhook_secret !== undefined,
	);
	return String(sent.at(-1)?.body?.webhook_secret);
}

test('What is connected is received, repaired, rotated and removed with the trigger, in a real n8n', async () => {
	const options = { acceptConnections: true, additionalCampaigns: [campaigns.draft] };
	const node = n8n.trigger(campaigns.active, { options });
	const id = await n8n.createWorkflow('Connected', [node]);
	await n8n.editor.publish(id);
	for (const campaign of [campaigns.active, campaigns.draft]) {
		const [webhook] = await n8n.webhooksWhen(campaign, one);
		expect(webhook.webhook_url).toBe(`${urlOf(node)}?campaign=${campaign}`);
		await n8n.delivered(webhook.id);
	}

	expect(await run('connectToTrigger', campaigns.paused, to(node))).toMatchObject([{ connected: true, isNew: true }]);
	expect(await run('connectToTrigger', campaigns.paused, to(node))).toMatchObject([{ connected: true, isNew: false }]);
	const [connected] = await n8n.webhooksWhen(campaigns.paused, one);
	expect(connected.webhook_url).toBe(`${urlOf(node)}?campaign=${campaigns.paused}`);
	expect(await n8n.deliver(connected.id)).toEqual([200]);
	const executions = await n8n.finished(id, 3);
	const { outputs } = await outputsOf(n8n.editor, String(executions[0]?.id), 'Events');
	expect(outputs[0]).toMatchObject([{ webhookOwner: { source: 'campaign', id: campaigns.paused } }]);
	expect(await run('checkRegistration', campaigns.paused, {})).toMatchObject([{ ok: true, problems: [] }]);

	// Signed for one campaign, in the name of another.
	const body = newEvent();
	const signature = { 'X-Signature': hmac(await secretFor(campaigns.paused), body) };
	expect((await sendRaw('POST', `${urlOf(node)}?campaign=${campaigns.active}`, body, signature)).status).toBe(401);
	expect((await sendRaw('POST', urlOf(node), body, signature)).status).toBe(401);
	expect((await sendRaw('POST', connected.webhook_url, body, signature)).status).toBe(200);

	// An edit deletes and creates all webhooks.
	const edited = { ...node, parameters: { ...node.parameters, events: ['campaign.paused'] } };
	await n8n.saveAndPublish(id, [edited]);
	for (const campaign of [campaigns.active, campaigns.paused, campaigns.draft]) {
		const [webhook] = await n8n.webhooksWhen(
			campaign,
			([first, ...others]) => others.length === 0 && first?.events[0] === 'campaign.paused',
		);
		await n8n.delivered(webhook.id);
	}

	// Rotated, and after a restart by force the new secrets are still known.
	const [now] = await n8n.webhooks(campaigns.paused);
	const before = await secretFor(campaigns.paused);
	const rotation = await run('rotateSecret', campaigns.paused, { webhook: byId(String(now?.id)) });
	expect(rotation).toMatchObject([{ rotated: true }]);
	expect(await secretFor(campaigns.paused)).not.toBe(before);
	await n8n.restartN8n('SIGKILL');
	for (const campaign of [campaigns.active, campaigns.paused, campaigns.draft]) {
		const [webhook] = await n8n.webhooks(campaign);
		expect(await n8n.deliver(String(webhook?.id))).toEqual([200]);
		expect(await n8n.deliver(String(webhook?.id), { tamper: 'secret' })).toEqual([401]);
	}

	// Unpublished by another process than the one that connected: all are removed. The next one restores them.
	await n8n.unpublish(id);
	for (const campaign of [campaigns.active, campaigns.paused, campaigns.draft]) {
		await n8n.webhooksWhen(campaign, none);
	}
	await n8n.restartN8n();
	await n8n.editor.publish(id);
	const [restored] = await n8n.webhooksWhen(campaigns.paused, one);
	await n8n.delivered(restored.id);

	expect(await run('disconnectFromTrigger', campaigns.paused, to(node))).toMatchObject([{ wasConnected: true }]);
	expect(await n8n.webhooks(campaigns.paused)).toEqual([]);
	await n8n.unpublish(id);
	await until(async () => none(await n8n.webhooks(campaigns.active)) || undefined, {
		seconds: 20,
		otherwise: () => new Error('The webhook stayed'),
	});
}, 240_000);
