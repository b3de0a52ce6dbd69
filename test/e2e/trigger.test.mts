import { until } from '../../scripts/lib/waiting.mts';
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

/** What n8n has asked about webhooks; the test's own listings carry no body and do not count. */
async function webhookRequests() {
	const requests = await n8n.requests();
	return requests.filter(({ method, path }) => method !== 'GET' && path.includes('/webhooks'));
}

describe('The trigger in a real n8n', () => {
	test('keeps exactly one webhook at the service from publishing to unpublishing', async () => {
		const node = n8n.trigger(campaigns.active);
		const id = await n8n.createWorkflow('Life', [node]);
		expect(await n8n.webhooks(campaigns.active)).toEqual([]);

		await n8n.editor.publish(id);
		const [published] = await n8n.webhooksWhen(campaigns.active, one);
		expect(published).toMatchObject({ enabled: true, events: ['campaign_call.completed', 'campaign_call.failed'] });
		expect(published.webhook_url).toContain(
			`${n8n.n8n.url}/webhook/${node.webhookId}/webhook?campaign=${campaigns.active}&g=`,
		);
		await n8n.delivered(published.id);

		// Published again as it is, and with a change to another node: nothing is asked of the service.
		const before = await webhookRequests();
		await n8n.editor.publish(id);
		const note = n8n.node('Note', 'n8n-nodes-base.noOp', 1, {});
		const connections = { Events: { main: [[{ node: 'Note', type: 'main', index: 0 }]] } };
		await n8n.saveAndPublish(id, [node, note], connections);
		// Once the new version is the one that runs, all that publishing it does is done.
		await until(
			async () => {
				await n8n.delivered(published.id);
				const [latest] = await n8n.finished(id, 1);
				return (await n8n.editor.execution(latest.id)).data.includes('"Note"') || undefined;
			},
			{ seconds: 20, otherwise: () => new Error('The new version did not come to run') },
		);
		expect(await webhookRequests()).toEqual(before);

		// Other events: the webhook follows.
		const edited = { ...node, parameters: { ...node.parameters, events: ['campaign.paused'] } };
		await n8n.saveAndPublish(id, [edited]);
		const [after] = await n8n.webhooksWhen(campaigns.active, ([webhook]) => webhook?.events[0] === 'campaign.paused');
		expect(await n8n.webhooks(campaigns.active)).toHaveLength(1);
		await n8n.delivered(after.id);

		// Another name: n8n keeps the secret under the name, so it has to be a new one.
		const renamed = { ...edited, name: 'Renamed' };
		await n8n.saveAndPublish(id, [renamed]);
		const name = `n8n: Life, Renamed`;
		const [again] = await n8n.webhooksWhen(campaigns.active, ([webhook]) => webhook?.name === name);
		expect(await n8n.webhooks(campaigns.active)).toHaveLength(1);
		await n8n.delivered(again.id);

		// Another campaign: nothing stays behind in the first one.
		const moved = {
			...renamed,
			parameters: { ...renamed.parameters, campaign: { __rl: true, mode: 'id', value: campaigns.paused } },
		};
		await n8n.saveAndPublish(id, [moved]);
		const [there] = await n8n.webhooksWhen(campaigns.paused, one);
		await n8n.webhooksWhen(campaigns.active, none);
		await n8n.delivered(there.id);

		// A restart changes nothing, and the secret is still known.
		await n8n.restartN8n();
		expect(await n8n.webhooks(campaigns.paused)).toEqual([there]);
		await n8n.delivered(there.id);

		// Deleted by hand at the service: publishing again brings it back.
		await n8n.service.delete(`/api/v1/campaigns/${campaigns.paused}/webhooks/${there.id}`);
		await n8n.unpublish(id);
		await n8n.editor.publish(id);
		const [back] = await n8n.webhooksWhen(campaigns.paused, one);
		await n8n.delivered(back.id);

		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaigns.paused, none);
		const taken = (await n8n.sandbox.deliveries()).filter(({ status }) => status === 200);
		const executions = await n8n.finished(id, taken.length);
		expect(executions.map(({ status }) => status)).toEqual(taken.map(() => 'success'));
	}, 180_000);

	test('leaves no duplicate when the service cannot delete the old webhook', async () => {
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
		await n8n.delivered(kept.id);

		await n8n.service.post('/_sandbox/faults', { match: { method: 'DELETE' }, kind: 'status', status: 500, times: 3 });
		const moved = {
			...edited,
			parameters: { ...edited.parameters, campaign: { __rl: true, mode: 'id', value: campaigns.paused } },
		};
		await n8n.saveAndPublish(id, [moved]);
		const [there] = await n8n.webhooksWhen(campaigns.paused, one);
		await n8n.webhooksWhen(campaigns.active, none);
		await n8n.delivered(there.id);
		await n8n.unpublish(id);
		await n8n.webhooksWhen(campaigns.paused, none);
	}, 180_000);
});
