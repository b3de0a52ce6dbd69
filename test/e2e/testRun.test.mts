import { until } from '../../scripts/lib/waiting.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';

let n8n: Instance;
let campaign: string;

beforeAll(async () => {
	n8n = await Instance.start();
	campaign = n8n.sandbox.campaignId;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const count = (wanted: number) => (webhooks: RemoteWebhook[]) => webhooks.length === wanted;

/** The webhooks that n8n serves under the one address and under the other. */
async function byAddress(workflowNode: WorkflowNode): Promise<{ production?: RemoteWebhook; test?: RemoteWebhook }> {
	const webhooks = await n8n.webhooks(campaign);
	const at = (kind: string) => {
		const address = `${n8n.n8n.url}/${kind}/${workflowNode.webhookId}/webhook?campaign=${campaign}&g=`;
		return webhooks.find(({ webhook_url }) => webhook_url.startsWith(address));
	};
	return { production: at('webhook'), test: at('webhook-test') };
}

/** What n8n sent when it registered a webhook, the last first. */
async function registrations(): Promise<Array<Record<string, unknown>>> {
	const requests = await n8n.requests();
	return requests
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'))
		.map(({ body }) => body ?? {})
		.reverse();
}

async function modes(workflowId: string): Promise<string[]> {
	return (await n8n.editor.executions(workflowId)).map(({ mode }) => mode);
}

describe('A test run in the editor', () => {
	test('registers a separate webhook and removes only that one', async () => {
		const node = n8n.trigger(campaign);
		const id = await n8n.createWorkflow('Tried out', [node]);
		await n8n.editor.publish(id);
		await n8n.webhooksWhen(campaign, count(1));
		const { production } = await byAddress(node);
		await n8n.delivered(String(production?.id));

		// The test run uses the draft, which differs from the published version.
		const options = { extraHeaders: { values: [{ name: 'X-Route', value: 'north' }] } };
		const draft = { ...node, parameters: { ...node.parameters, events: ['campaign.updated'], options } };
		await n8n.editor.request('PATCH', `/rest/workflows/${id}`, { nodes: [draft] });
		const push = await n8n.editor.connect();
		await n8n.editor.listen(id, 'Events');

		const beside = await byAddress(node);
		expect(await n8n.webhooks(campaign)).toHaveLength(2);
		expect(beside.production).toEqual(production);
		const [tried, published] = await registrations();
		const secret = expect.stringMatching(/^[0-9a-f]{64}$/);
		const common = {
			name: 'n8n: Tried out, Events',
			enabled: true,
			include_call_events: false,
			authorization_scheme: 'none',
			http_method: 'POST',
			max_retries: 10,
			payload_templates: {},
		};
		expect(published).toEqual({
			...common,
			webhook_url: production?.webhook_url,
			events: ['campaign_call.completed', 'campaign_call.failed'],
			custom_headers: [],
			webhook_secret: secret,
		});
		expect(tried).toEqual({
			...common,
			webhook_url: beside.test?.webhook_url,
			events: ['campaign.updated'],
			custom_headers: [{ key: 'X-Route', value: 'north' }],
			webhook_secret: secret,
		});
		expect(tried.webhook_secret).not.toBe(published.webhook_secret);

		// Neither a delivery to the published webhook nor a forged one ends the test run.
		expect(await n8n.deliver(String(production?.id))).toEqual([200]);
		expect(await n8n.deliver(String(beside.test?.id), { tamper: 'signature' })).toEqual([401]);
		await n8n.finished(id, 2);
		expect(await n8n.webhooks(campaign)).toHaveLength(2);
		expect(await modes(id)).toEqual(['webhook', 'webhook']);

		const event = { event: 'campaign.updated', data: { note: 'tried out' } };
		expect(await n8n.deliver(String(beside.test?.id), event)).toEqual([200]);
		const { executionId } = await push.next('testWebhookReceived');
		const [newest] = await n8n.finished(id, 3);
		expect(newest).toMatchObject({ id: executionId, mode: 'manual', status: 'success' });
		expect((await n8n.editor.execution(newest.id)).data).toContain('tried out');
		expect(await n8n.webhooksWhen(campaign, count(1))).toEqual([production]);

		// The published webhook still works.
		expect(await n8n.deliver(String(production?.id))).toEqual([200]);
		await n8n.finished(id, 4);
		expect(await modes(id)).toEqual(['webhook', 'manual', 'webhook', 'webhook']);
		push.close();
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaign, count(0));
	}, 60_000);

	test('leaves nothing behind when it is canceled', async () => {
		const node = n8n.trigger(campaign);
		const id = await n8n.createWorkflow('Cancelled', [node]);
		const push = await n8n.editor.connect();
		await n8n.editor.listen(id, 'Events');
		expect((await byAddress(node)).test).toMatchObject({ enabled: true });
		expect(await n8n.webhooks(campaign)).toHaveLength(1);
		await n8n.editor.stopListening(id);
		await push.next('testWebhookDeleted');
		await n8n.webhooksWhen(campaign, count(0));

		await n8n.editor.publish(id);
		const [production] = await n8n.webhooksWhen(campaign, count(1));
		await n8n.delivered(production.id);
		await n8n.editor.listen(id, 'Events');
		const { test } = await byAddress(node);
		await n8n.editor.stopListening(id);
		expect(await n8n.webhooksWhen(campaign, count(1))).toEqual([production]);
		// Its URL is no longer served, once n8n has heard from the service that the webhook is deleted.
		const isGone = async () => (await fetch(String(test?.webhook_url), { method: 'POST' })).status === 404 || undefined;
		await until(isGone, { seconds: 20, otherwise: () => new Error('The test URL is still served') });
		expect(await n8n.deliver(production.id)).toEqual([200]);
		await n8n.finished(id, 2);
		expect(await modes(id)).toEqual(['webhook', 'webhook']);
		push.close();
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaign, count(0));
	}, 60_000);

	test('reuses the webhook of a test run that was interrupted by a kill of n8n', async () => {
		const node = n8n.trigger(campaign);
		const id = await n8n.createWorkflow('Cut off', [node]);
		await n8n.editor.publish(id);
		const [production] = await n8n.webhooksWhen(campaign, count(1));
		await n8n.delivered(production.id);
		(await n8n.editor.connect()).close();
		await n8n.editor.listen(id, 'Events');
		const { test: left } = await byAddress(node);

		await n8n.restartN8n('SIGKILL');
		expect(await n8n.webhooks(campaign)).toHaveLength(2);
		const push = await n8n.editor.connect();
		await n8n.editor.listen(id, 'Events');
		expect(await n8n.webhooks(campaign)).toHaveLength(2);
		expect((await byAddress(node)).test).toMatchObject({ id: left?.id });
		expect(await n8n.deliver(String(left?.id))).toEqual([200]);
		await push.next('testWebhookReceived');
		expect(await n8n.webhooksWhen(campaign, count(1))).toEqual([production]);
		expect(await n8n.deliver(production.id)).toEqual([200]);
		await n8n.finished(id, 3);
		expect(await modes(id)).toEqual(['webhook', 'manual', 'webhook']);
		push.close();
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaign, count(0));
	}, 90_000);
});
