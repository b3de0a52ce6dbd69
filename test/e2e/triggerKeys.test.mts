import { until } from '../../scripts/lib/waiting.mts';
import { messageKey, sendMessageTo } from '../message.mts';
import { outputsOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';

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

test('A rotated secret is stored before the trigger answers, and no delivery is lost, also after a restart', async () => {
	const { id, webhook } = await publish('Rotated', n8n.trigger(seed.campaigns.active));
	const { webhook_url: url } = webhook;
	const before = await lastSecret();
	const statusBy = async (secret: string) => {
		const body = newEvent();
		return (await sendRaw('POST', url, body, { 'X-Signature': hmac(secret, body) })).status;
	};

	expect(await sendMessageTo(url, key, { command: 'check' })).toMatchObject({
		status: 200,
		proven: true,
		body: { registered: { source: 'campaign', ownerId: seed.campaigns.active, webhookId: webhook.id } },
	});
	const rotateSecret = { command: 'rotateSecret', webhookId: webhook.id };
	const rotation = await sendMessageTo(url, key, rotateSecret);
	expect(rotation).toMatchObject({ status: 200, proven: true, body: { rotated: true } });
	const after = await lastSecret();
	expect(after).not.toBe(before);
	// At once: n8n has stored the new one before it answered.
	expect([await statusBy(after), await statusBy(before), (await n8n.deliver(webhook.id))[0]]).toEqual([200, 200, 200]);

	await n8n.restartN8n('SIGKILL');
	expect([await statusBy(after), await statusBy(before), (await n8n.deliver(webhook.id))[0]]).toEqual([200, 200, 200]);
	expect((await sendMessageTo(url, key, rotateSecret)).body).toMatchObject({ rotated: true });
	expect([await statusBy(after), (await n8n.deliver(webhook.id))[0]]).toEqual([200, 200]);

	expect(await sendMessageTo(url, key, rotateSecret, { signedWith: await messageKey('another') })).toMatchObject({
		status: 401,
		proven: false,
	});
	await unpublish(id);
}, 120_000);

test('No delivery is lost when another node of the workflow writes an old secret back, and the trigger finds it', async () => {
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
	const started = (await n8n.finished(id, 1)).length;
	expect(await n8n.deliver(webhook.id, { data: { write: true } })).toEqual([200]);
	const rotateSecret = { command: 'rotateSecret', webhookId: webhook.id };
	expect((await sendMessageTo(webhook.webhook_url, key, rotateSecret)).body).toMatchObject({ rotated: true });
	// At its end, the execution writes all static data as it was at its beginning.
	await n8n.finished(id, started + 1);

	await n8n.restartN8n('SIGKILL');
	expect([await n8n.deliver(webhook.id), await n8n.deliver(webhook.id)]).toEqual([[200], [200]]);
	const check = async () => (await sendMessageTo(webhook.webhook_url, key, { command: 'check' })).body.oldSecret;
	expect([await check(), await check()]).toEqual([true, false]);
	await n8n.restartN8n('SIGKILL');
	expect(await n8n.deliver(webhook.id)).toEqual([200]);
	expect([await check(), await n8n.deliver(webhook.id, { tamper: 'secret' })]).toEqual([false, [401]]);
	await unpublish(id);
}, 150_000);

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
