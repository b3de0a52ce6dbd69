import { until } from '../../scripts/lib/waiting.mts';
import { messageKey, sendMessageTo } from '../message.mts';
import { outputsOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';
import { rotateSecret } from './webhookOperation.mts';

let n8n: Instance;
let seed: { agents: { published: string }; campaigns: { active: string } };
let key: Buffer;

beforeAll(async () => {
	n8n = await Instance.start();
	seed = (await n8n.service.get('/_sandbox/seed')).data;
	key = await messageKey(n8n.sandbox.token);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** The secret that n8n has sent the service last. */
async function lastSecret(): Promise<string> {
	const secrets = (await n8n.requests())
		.map(({ body }) => body?.webhook_secret)
		.filter((secret) => secret !== undefined);
	return String(secrets.at(-1));
}

/** Publishes a workflow of a trigger, and of what is connected to it. */
async function publish(
	name: string,
	trigger: WorkflowNode,
	more: WorkflowNode[] = [],
	connections = {},
): Promise<{ id: string; webhook: RemoteWebhook }> {
	const id = await n8n.createWorkflow(name, [trigger]);
	await n8n.saveAndPublish(id, [trigger, ...more], connections);
	const [webhook] = await n8n.webhooksWhen(seed.campaigns.active, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	return { id, webhook };
}

async function unpublish(id: string): Promise<void> {
	await n8n.unpublish(id);
	expect(await n8n.webhooks(seed.campaigns.active)).toEqual([]);
}

test('No delivery is lost when the secret is rotated, n8n is killed, and another node writes older data of the workflow back', async () => {
	const connections = Object.fromEntries(
		['Events', 'Note', 'Wait'].map((name, at, all) => [
			name,
			{ main: at + 1 < all.length ? [[{ node: all[at + 1], type: 'main', index: 0 }]] : [] },
		]),
	);
	const jsCode =
		"if (!$json.write) { return []; } $getWorkflowStaticData('global').noted = $json.id; return $input.all();";
	const more = [
		n8n.node('Note', 'n8n-nodes-base.code', 2, { jsCode }),
		n8n.node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 12 }),
	];
	const { id, webhook } = await publish('Writes', n8n.trigger(seed.campaigns.active), more, connections);
	const { webhook_url: url } = webhook;
	const before = await lastSecret();
	const statusBy = async (secret: string) => {
		const body = newEvent();
		return (await sendRaw('POST', url, body, { 'X-Signature': hmac(secret, body) })).status;
	};
	const started = (await n8n.finished(id, 1)).length;
	expect(await n8n.deliver(webhook.id, { data: { write: true } })).toEqual([200]);
	await rotateSecret(n8n, seed.campaigns.active, webhook.id);
	const after = await lastSecret();
	expect(after).not.toBe(before);
	// The former one, at the former URL, may be on its way.
	expect([await n8n.deliver(webhook.id), await statusBy(before), await statusBy(after)]).toEqual([[200], 200, 401]);
	// At its end, the execution writes all static data as it was at its beginning.
	await n8n.finished(id, started + 1);

	await n8n.restartN8n('SIGKILL');
	expect([await n8n.deliver(webhook.id), await statusBy(before)]).toEqual([[200], 200]);
	expect(await n8n.deliver(webhook.id, { tamper: 'secret' })).toEqual([401]);
	// What n8n has stored of the trigger has nothing that signs.
	const { staticData } = await n8n.editor.request<{ staticData: object }>('GET', `/rest/workflows/${id}`);
	expect(JSON.stringify(staticData)).toContain(webhook.id);
	expect(JSON.stringify(staticData)).not.toMatch(/[0-9a-f]{64}/);
	await unpublish(id);
}, 150_000);

test('A message from a node with another credential, or for another trigger, is refused', async () => {
	const { id, webhook } = await publish('Asked', n8n.trigger(seed.campaigns.active));
	const { webhook_url: url } = webhook;
	const check = { command: 'check' };
	expect(await sendMessageTo(url, key, check)).toMatchObject({
		status: 200,
		proven: true,
		body: { source: 'campaign', chosen: [{ source: 'campaign', ownerId: seed.campaigns.active }] },
	});
	const another = await messageKey('another');
	expect(await sendMessageTo(url, key, check, { signedWith: another })).toMatchObject({ status: 401, proven: false });
	expect(await sendMessageTo(url, key, { ...check, to: '/another/webhook' })).toMatchObject({ status: 401 });
	await unpublish(id);
}, 60_000);

test('A trigger on an agent receives the events of its calls, and the test delivery starts nothing', async () => {
	const agent = { __rl: true, mode: 'id', value: seed.agents.published };
	const id = await n8n.createWorkflow('Agent', [n8n.trigger('', { source: 'agent', agent })]);
	await n8n.editor.publish(id);
	const path = `/api/v1/agents/${agent.value}`;
	const [webhook] = await until(
		async () => {
			const { data } = await n8n.service.get<{ data: { webhooks: RemoteWebhook[] } }>(`${path}/webhooks`);
			return data.data.webhooks.length > 0 ? data.data.webhooks : undefined;
		},
		{ seconds: 40, otherwise: () => new Error('The agent got no webhook') },
	);
	expect(webhook?.events.toSorted()).toEqual([
		'event_phone_call_did_not_connect',
		'event_phone_call_ended',
		'event_phone_call_error',
	]);
	await n8n.delivered(String(webhook?.id), { event: 'event_phone_call_ended' });
	expect((await n8n.service.post(`${path}/webhooks/${webhook?.id}/test`)).data).toMatchObject({ success: true });
	await n8n.service.post(`${path}/call`, { to: '+12025550002', is_testing: true, context: { contact: 7 } });
	const executions = await n8n.finished(id, 2);
	const { outputs } = await outputsOf(n8n.editor, executions[0].id, 'Events');
	expect(outputs[0]).toMatchObject([
		{ event: 'event_phone_call_did_not_connect', agent_id: agent.value, context: { contact: 7 } },
	]);
	expect(executions).toHaveLength(2);
	await n8n.unpublish(id);
}, 90_000);
