import { seconds, stillClock } from './callAndWait.mts';
import { CampaignAndWait } from './campaignAndWait.mts';
import { hmac, postJson } from './handmade.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
let campaigns: CampaignAndWait;

beforeAll(async () => {
	n8n = await Instance.share(stillClock);
	campaigns = new CampaignAndWait(n8n);
});

const webhook = (id: string, webhookId: string) => `/api/v1/campaigns/${id}/webhooks/${webhookId}`;

test('When the time is up the service is asked: what was cancelled without an event is cancelled, what goes on has timed out', async () => {
	const [quiet, goesOn] = [await campaigns.campaign('Quiet'), await campaigns.campaign('Goes on')];
	const gone = await campaigns.campaign('Gone', 'draft');
	const executionId = await campaigns.start([quiet, goesOn, gone], seconds(12));
	await n8n.service.delete(webhook(quiet, (await campaigns.waits(quiet))[0]!.id));
	await campaigns.setStatus(quiet, 'cancelled');
	await n8n.service.delete(`/api/v1/campaigns/${gone}`);
	await campaigns.call(goesOn);
	const { items, outcomes } = await campaigns.itemsOf(executionId);
	expect(outcomes.map(([, outcome]) => outcome)).toEqual(['cancelled', 'timedOut', 'deleted']);
	const stats = { total_calls: 1, completed_calls: 1, failed_calls: 0, success_rate: 100, average_duration: 30 };
	expect(items[1]).toEqual({ id: goesOn, name: 'Goes on', status: 'active', outcome: 'timedOut', stats });
	await campaigns.nobodyWaits(goesOn);
});

describe('No execution is resumed by', () => {
	let [id, other] = ['', ''];
	let executionId: string;
	let url: string;
	const webhookId = async (campaign = id) => (await campaigns.waits(campaign))[0]!.id;

	beforeAll(async () => {
		[id, other] = [await campaigns.campaign('Forged'), await campaigns.campaign('Other')];
		executionId = await campaigns.start([id, other, id]);
		url = (await campaigns.waits(id))[0]!.webhook_url;
	});

	afterEach(async () => expect((await n8n.editor.execution(executionId)).status).toBe('waiting'));

	const event = 'campaign.completed';
	const body = { event, campaign_id: '' };

	test('a delivery without a signature, or with another secret, body or signature', async () => {
		body.campaign_id = id;
		const signature = hmac('guessed', JSON.stringify(body));
		// The last one as a message of this node.
		for (const more of [{}, { 'x-webhook-signature': signature }, { 'x-voice-agent-calling-message': signature }]) {
			expect((await postJson(url, body, more)).status).toBe(401);
		}
		for (const tamper of ['body', 'signature', 'secret']) {
			expect(await n8n.deliver(await webhookId(), { event, tamper })).toEqual([401]);
		}
	});

	test("another campaign's delivery", async () => {
		// Its webhook delivers to the address of the first one, with its own secret.
		const elsewhere = new URL(url);
		const withoutName = new URL(url);
		withoutName.searchParams.delete('campaign');
		for (const { href } of [elsewhere, withoutName]) {
			await n8n.service.put(webhook(other, await webhookId(other)), { webhook_url: href });
			expect(await n8n.deliver(await webhookId(other), { event })).toEqual([401]);
		}
	});

	test('a genuine delivery that says the campaign is completed, although the service shows it active', async () => {
		expect(await n8n.deliver(await webhookId(), { event })).toEqual([503]);
		expect(await n8n.deliver(await webhookId(), { event: 'campaign.updated' })).toEqual([200]);
	});
});
