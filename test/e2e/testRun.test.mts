import { comes } from './eventually.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';

let n8n: Instance;

beforeEach(async () => {
	n8n = await Instance.share();
});

test('A test run that is canceled in the editor removes its own webhook, and leaves that of the published workflow', async () => {
	const campaign = n8n.sandbox.campaignId;
	const node = n8n.trigger(campaign);
	const id = await n8n.published('Tried out', [node]);
	const published = await n8n.soleWebhook();
	const push = await n8n.editor.connect();
	await n8n.editor.listen(id, 'Events');
	const both = await n8n.webhooksWhen(campaign, ({ length }) => length === 2);
	const { webhook_url: url } = both.find((webhook) => webhook.id !== published.id)!;
	expect(url).toContain(`${n8n.n8n.url}/webhook-test/${node.webhookId}/webhook?campaign=${campaign}&g=`);
	await n8n.editor.stopListening(id);
	await push.next('testWebhookDeleted');
	push.close();
	expect(await n8n.webhooksWhen(campaign, ({ length }) => length === 1)).toEqual([published]);
	// Its URL is no longer served, once n8n has heard from the service that the webhook is deleted.
	await comes(async () => (await fetch(url, { method: 'POST' })).status === 404, 'the end of the test URL');
	await n8n.delivered(published.id);
});

describe('An error workflow with Test Call at Automatic', () => {
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
		await n8n.editor.unpublish(id);
	});

	test('places none for a failed sub-workflow of a manual execution: n8n does not tell what began it', async () => {
		const begins = n8n.node('Begins', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
		const id = await failing(begins);
		await n8n.runOnce([
			n8n.node('Run it', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId: byId(id), options: {} }),
		]);
		expect((await n8n.finished(id, 2)).map(({ mode }) => mode).sort()).toEqual(['error', 'integrated']);
		expect(await isTestOf()).toEqual([]);
		await n8n.editor.unpublish(id);
	});
});
