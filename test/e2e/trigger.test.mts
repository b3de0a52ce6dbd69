import { randomUUID } from 'node:crypto';
import { waitFor } from '../../scripts/lib/waiting.mts';
import { Instance, type RemoteWebhook } from './instance.mts';

let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	n8n = await Instance.start();
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const one = (webhooks: RemoteWebhook[]) => webhooks.length === 1;
const none = (webhooks: RemoteWebhook[]) => webhooks.length === 0;

/** Delivers one event to a webhook; gives the status of each attempt. */
async function deliver(webhookId: string, more: object = {}): Promise<Array<number | null>> {
	const body = { webhookId, event: 'campaign_call.completed', ...more };
	const { data } = await n8n.service.post('/_sandbox/deliver', body);
	return data.attempts.map(({ status }: { status: number | null }) => status);
}

async function executionsOf(workflowId: string, atLeast: number) {
	const enough = async () => {
		const found = await n8n.editor.executions(workflowId);
		return found.length >= atLeast && found.every(({ status }) => status === 'success') ? found : undefined;
	};
	await waitFor(enough, { seconds: 15 });
	return await n8n.editor.executions(workflowId);
}

describe('The trigger in a real n8n', () => {
	test('keeps exactly one webhook at the service through its whole life', async () => {
		const node = n8n.trigger(campaigns.active);
		const id = await n8n.createWorkflow('Life', [node]);
		expect(await n8n.webhooks(campaigns.active)).toEqual([]);

		await n8n.editor.publish(id);
		const [published] = await n8n.webhooksWhen(campaigns.active, one);
		expect(published).toMatchObject({ enabled: true, events: ['campaign_call.completed', 'campaign_call.failed'] });
		expect(published.webhook_url).toBe(`${n8n.n8n.url}/webhook/${node.webhookId}/webhook`);
		expect(await deliver(published.id)).toEqual([200]);

		// Other events: the webhook follows.
		const edited = { ...node, parameters: { ...node.parameters, events: ['campaign.paused'] } };
		await n8n.saveAndPublish(id, [edited]);
		const [after] = await n8n.webhooksWhen(campaigns.active, ([webhook]) => webhook?.events[0] === 'campaign.paused');
		expect(await n8n.webhooks(campaigns.active)).toHaveLength(1);
		expect(await deliver(after.id)).toEqual([200]);

		// Another name: n8n keeps the secret under the name, so it has to be a new one.
		const renamed = { ...edited, name: 'Renamed' };
		await n8n.saveAndPublish(id, [renamed]);
		const name = `n8n: Life, Renamed`;
		const [again] = await n8n.webhooksWhen(campaigns.active, ([webhook]) => webhook?.name === name);
		expect(await n8n.webhooks(campaigns.active)).toHaveLength(1);
		expect(await deliver(again.id)).toEqual([200]);

		// Another campaign: nothing stays behind in the first one.
		const moved = { ...renamed, parameters: { ...renamed.parameters, campaign: { __rl: true, mode: 'id', value: campaigns.paused } } };
		await n8n.saveAndPublish(id, [moved]);
		const [there] = await n8n.webhooksWhen(campaigns.paused, one);
		await n8n.webhooksWhen(campaigns.active, none);
		expect(await deliver(there.id)).toEqual([200]);

		// A restart changes nothing, and the secret is still known.
		await n8n.restartN8n();
		expect(await n8n.webhooks(campaigns.paused)).toEqual([there]);
		expect(await deliver(there.id)).toEqual([200]);

		// Deleted by hand at the service: publishing again brings it back.
		await n8n.service.delete(`/api/v1/campaigns/${campaigns.paused}/webhooks/${there.id}`);
		await n8n.unpublish(id);
		await n8n.editor.publish(id);
		const [back] = await n8n.webhooksWhen(campaigns.paused, one);
		expect(await deliver(back.id)).toEqual([200]);

		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaigns.paused, none);
		expect((await executionsOf(id, 6)).length).toBe(6);
	}, 180_000);

	test('leaves no double when the service cannot delete the old webhook', async () => {
		const node = n8n.trigger(campaigns.active);
		const id = await n8n.createWorkflow('Stuck', [node]);
		await n8n.editor.publish(id);
		await n8n.webhooksWhen(campaigns.active, one);

		// n8n tries to delete three times, then gives up.
		await n8n.service.post('/_sandbox/faults', { match: { method: 'DELETE' }, kind: 'status', status: 500, times: 3 });
		const edited = { ...node, parameters: { ...node.parameters, events: ['campaign.updated'] } };
		await n8n.saveAndPublish(id, [edited]);
		const [kept] = await n8n.webhooksWhen(campaigns.active, ([webhook]) => webhook?.events[0] === 'campaign.updated');
		expect(await n8n.webhooks(campaigns.active)).toHaveLength(1);
		expect(await deliver(kept.id)).toEqual([200]);

		await n8n.service.post('/_sandbox/faults', { match: { method: 'DELETE' }, kind: 'status', status: 500, times: 3 });
		const moved = { ...edited, parameters: { ...edited.parameters, campaign: { __rl: true, mode: 'id', value: campaigns.paused } } };
		await n8n.saveAndPublish(id, [moved]);
		const [there] = await n8n.webhooksWhen(campaigns.paused, one);
		await n8n.webhooksWhen(campaigns.active, none);
		expect(await deliver(there.id)).toEqual([200]);
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaigns.paused, none);
	}, 180_000);

	test.each(['POST', 'PUT', 'PATCH'])('starts one execution for each true delivery by %s, and none for a forged one', async (method) => {
		const node = n8n.trigger(campaigns.active, { options: { deliveryMethod: method } });
		const id = await n8n.createWorkflow(method, [node]);
		await n8n.editor.publish(id);
		const [webhook] = await n8n.webhooksWhen(campaigns.active, one);
		expect(await deliver(webhook.id, { data: { note: 'Grüße' } })).toEqual([200]);
		for (const tamper of ['body', 'signature', 'secret']) {
			expect(await deliver(webhook.id, { tamper })).toEqual([401]);
		}
		const unsigned = await n8n.service.request({
			method,
			url: webhook.webhook_url,
			data: { event: 'campaign_call.completed', id: randomUUID() },
			validateStatus: () => true,
		});
		expect({ status: unsigned.status, body: unsigned.data }).toEqual({ status: 401, body: 'Unauthorized' });

		const executions = await executionsOf(id, 1);
		expect(executions).toHaveLength(1);
		const { data } = await n8n.editor.execution(executions[0].id);
		expect(data).toContain('Grüße');
		expect(data).not.toContain(n8n.sandbox.token);
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaigns.active, none);
	}, 120_000);
});
