import { comes } from './eventually.mts';
import { byId, Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';

const count = (wanted: number) => (webhooks: RemoteWebhook[]) => webhooks.length === wanted;

test('A test run in the editor registers a separate webhook and removes only that one, also when it is canceled', async () => {
	const n8n = await Instance.share();
	const campaign = n8n.sandbox.campaignId;
	const node = n8n.trigger(campaign);
	const id = await n8n.published('Tried out', [node]);
	const published = await n8n.soleWebhook();
	await n8n.delivered(published.id);
	/** The webhook of a test run, once there is one. */
	const tried = async () =>
		(await n8n.webhooksWhen(campaign, count(2))).find(({ webhook_url }) =>
			webhook_url.startsWith(`${n8n.n8n.url}/webhook-test/${node.webhookId}/webhook?campaign=${campaign}&g=`),
		)!;

	// The test run uses the draft, which differs from the published version.
	const draft = { ...node, parameters: { ...node.parameters, events: ['campaign.updated'] } };
	await n8n.editor.request('PATCH', `/rest/workflows/${id}`, { nodes: [draft] });
	const push = await n8n.editor.connect();
	await n8n.editor.listen(id, 'Events');
	const beside = await tried();
	expect(beside).toMatchObject({ enabled: true, events: ['campaign.updated'] });
	expect(await n8n.webhooks(campaign)).toContainEqual(published);
	const secrets = (await n8n.requests()).flatMap(({ body }) => body?.webhook_secret ?? []);
	expect(new Set(secrets).size).toBe(2);

	// Neither a delivery to the published webhook nor a forged one ends the test run.
	expect(await n8n.deliver(published.id)).toEqual([200]);
	expect(await n8n.deliver(beside.id, { tamper: 'signature' })).toEqual([401]);
	await n8n.finished(id, 2);
	expect(await n8n.webhooks(campaign)).toHaveLength(2);
	expect(await n8n.deliver(beside.id, { event: 'campaign.updated', data: { note: 'tried out' } })).toEqual([200]);
	const { executionId } = await push.next('testWebhookReceived');
	const [newest] = await n8n.finished(id, 3);
	expect(newest).toMatchObject({ id: executionId, mode: 'manual', status: 'success' });
	expect((await n8n.editor.execution(newest.id)).data).toContain('tried out');
	expect(await n8n.webhooksWhen(campaign, count(1))).toEqual([published]);

	await n8n.editor.listen(id, 'Events');
	const { webhook_url } = await tried();
	await n8n.editor.stopListening(id);
	await push.next('testWebhookDeleted');
	push.close();
	expect(await n8n.webhooksWhen(campaign, count(1))).toEqual([published]);
	// Its URL is no longer served, once n8n has heard from the service that the webhook is deleted.
	await comes(async () => (await fetch(webhook_url, { method: 'POST' })).status === 404, 'the end of the test URL');
	expect(await n8n.deliver(published.id)).toEqual([200]);
	const modes = (await n8n.finished(id, 4)).map(({ mode }) => mode);
	expect(modes).toEqual(['webhook', 'manual', 'webhook', 'webhook']);
});

describe('An error workflow with Test Call at Automatic', () => {
	let n8n: Instance;
	beforeEach(async () => {
		n8n = await Instance.share();
	});

	/** Two chains of nodes: one that fails, and what n8n starts then. */
	async function failing(first: WorkflowNode): Promise<string> {
		const fail = n8n.node('Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'No' });
		const failed = n8n.node('Failed', 'n8n-nodes-base.errorTrigger', 1, {});
		const call = n8n.placing(n8n.sandbox.agentId);
		const nodes = [first, fail, failed, call];
		const id = await n8n.createWorkflow('Fails', nodes);
		const to = (node: WorkflowNode) => ({ main: [[{ node: node.name, type: 'main', index: 0 }]] });
		const connections = { [first.name]: to(fail), [failed.name]: to(call) };
		await n8n.editor.request('PATCH', `/rest/workflows/${id}`, { nodes, connections });
		await n8n.editor.publish(id);
		return id;
	}

	const isTestOf = async () => (await n8n.dialed()).map(({ is_testing }) => is_testing);

	test('places a real call for a production execution that has failed', async () => {
		const hook = n8n.webhook();
		const id = await failing(hook);
		const url = `${n8n.n8n.url}/webhook/${hook.parameters.path}`;
		await comes(async () => (await fetch(url, { method: 'POST' })).status !== 404, 'the webhook');
		await n8n.finished(id, 2);
		expect(await isTestOf()).toEqual([false]);
		await n8n.unpublish(id);
	});

	test('places none for a failed sub-workflow of a manual execution: n8n does not tell what began it', async () => {
		const begins = n8n.node('Begins', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
		const id = await failing(begins);
		await n8n.runOnce([
			n8n.node('Run it', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId: byId(id), options: {} }),
		]);
		expect((await n8n.finished(id, 2)).map(({ mode }) => mode).sort()).toEqual(['error', 'integrated']);
		expect(await isTestOf()).toEqual([]);
		await n8n.unpublish(id);
	});
});
