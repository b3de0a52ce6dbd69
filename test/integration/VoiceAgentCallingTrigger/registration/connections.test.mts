import { byId, goesOn, jsonOf, useService } from '../../service.mts';
import { onAgent, type Published, publishTrigger, type Registered } from '../../triggers.mts';

const service = useService();
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
const options = { extraHeaders: { values: [{ name: 'X-One', value: '1' }] } };

beforeAll(() => void ({ active, paused, draft } = service.seed.campaigns));
beforeEach(async () => await publish({ options }));

async function publish(parameters: object): Promise<void> {
	trigger = await publishTrigger(service, parameters as never);
	service.n8nUrl = trigger.instance.url;
}

const plainUrl = () => trigger.deployment.webhookUrl();

/** Runs Connect to Trigger or Disconnect From Trigger for each campaign. @returns the items */
async function run(operation: string, campaigns: string[], url = plainUrl(), source = 'campaign') {
	const target = { source, [source]: byId('={{ $json.id }}'), trigger: { __rl: true, mode: 'url', value: url } };
	const items = campaigns.map((id) => ({ id }));
	return jsonOf(await service.run({ resource: 'webhook', operation, ...target }, items, { node: goesOn }));
}
const connect = async (...campaigns: string[]) => await run('connectToTrigger', campaigns);
const disconnect = async (campaigns: string[], url = plainUrl()) => await run('disconnectFromTrigger', campaigns, url);
const hooks = async (id: string) => await service.webhooks(id);
const edit = async (parameters: object) =>
	await trigger.deployment.edit('Trigger', { parameters: parameters as never });

/** The URL of the webhook of a campaign that delivers to the trigger, up to the times of its secrets. */
const urlOf = (id: string) => `${plainUrl()}?campaign=${id}&g=`;

/** The service's deliveries to the only webhook of each campaign start the workflow, and name the campaign. */
async function expectReceived(...ids: string[]): Promise<void> {
	for (const id of ids) {
		const all = await hooks(id);
		expect(all).toMatchObject([{ webhook_url: expect.stringContaining(urlOf(id)), enabled: true }]);
		const before = trigger.instance.executions.length;
		expect((await service.deliver({ webhookId: all[0]!.id })).attempts).toMatchObject([{ status: 200 }]);
		expect(trigger.instance.executions.slice(before)).toMatchObject([{ items: [{ webhookOwner: { id } }] }]);
	}
}

test('a campaign made at run time sends its events to the trigger, verified like those of the chosen one', async () => {
	const { body: created } = await service.api('POST', 'campaigns', {
		name: 'Made at run time',
		campaign_type: 'custom',
		agent_id: service.seed.agents.published,
		timezone: 'UTC',
		start_date: '2020-01-01',
		days_of_week: [1],
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
	});
	const { id: made } = created.data as { id: string };
	const before = trigger.deployment.storedStaticData();
	expect(await connect(made, paused)).toMatchObject(
		[made, paused].map((ownerId) => ({
			connected: true,
			isNew: true,
			source: 'campaign',
			ownerId,
			webhookId: expect.any(String),
			webhookUrl: expect.stringContaining(urlOf(ownerId)),
		})),
	);
	await expectReceived(made, paused, active);
	// The settings are those of the trigger, and nothing is stored in n8n.
	const posts = (await service.requests('POST', `/campaigns/${made}/webhooks`)).map(({ body }) => body);
	const settings = { events: ['campaign_call.completed'], custom_headers: [{ key: 'X-One', value: '1' }] };
	expect(posts).toMatchObject([settings]);
	expect(trigger.deployment.storedStaticData()).toEqual(before);
});

test('to connect twice updates the webhook, and never makes a second one', async () => {
	const [{ webhookId = '' } = {}] = await connect(paused);
	for (const [id, own] of [
		[paused, webhookId],
		[active, trigger.webhookId],
	] as const) {
		const change = { enabled: false, webhook_secret: 'x' };
		await service.api('PUT', `campaigns/${id}/webhooks/${String(own)}`, change);
		const updated = { connected: true, webhookId: own, isNew: false };
		expect(await connect(id, id)).toMatchObject([updated, updated]);
		await expectReceived(id);
	}
});

test('at the same time for the same campaign, one webhook is left, also if another process has made one', async () => {
	const match = { method: 'GET', path: `/api/v1/campaigns/${paused}/webhooks` };
	await service.fault({ match, kind: 'latency', ms: 50 });
	const replies = await Promise.all([connect(paused), connect(paused), connect(paused)]);
	expect(replies.flat()).toMatchObject(replies.map(() => ({ connected: true })));
	for (const name of ['Of another process', 'Twin']) {
		const hook = { name, webhook_url: `${urlOf(draft)}1764100000000`, events: ['campaign.paused'] };
		await service.api('POST', `campaigns/${draft}/webhooks`, hook);
	}
	await connect(draft);
	await expectReceived(paused, draft);
});

test('Disconnect reverses it, and what is chosen in the trigger stays', async () => {
	await connect(paused);
	expect(await disconnect([paused, paused, active])).toMatchObject([
		{ disconnected: true, wasConnected: true },
		{ disconnected: false, wasConnected: false },
		{
			code: 'NOT_CONNECTED',
			message: expect.stringContaining('chosen in the trigger itself'),
			advice: expect.stringContaining('Take it off'),
		},
	]);
	expect(await hooks(paused)).toEqual([]);
	await expectReceived(active);
});

describe('What is connected', () => {
	test('stays as it is through an edit, a renamed node and lost static data, until it is connected again', async () => {
		await connect(paused, draft);
		const [{ id, webhook_url, events }] = (await hooks(paused)) as [Registered];
		await edit({ events: ['campaign.paused'] });
		await trigger.deployment.rename('Trigger', 'Events');
		await trigger.deployment.rename('Events', 'Trigger');
		trigger.deployment.restoreStaticData({});
		await expectReceived(active, paused, draft);
		expect(await hooks(paused)).toMatchObject([{ id, webhook_url, events }]);
		await connect(paused);
		expect(await hooks(paused)).toMatchObject([{ id, events: ['campaign.paused'] }]);
	});

	test('stays while the workflow is not published, and is received again when it is; it can be disconnected meanwhile', async () => {
		await connect(paused, draft);
		const url = plainUrl();
		await trigger.deployment.unpublish();
		expect([await hooks(active), await hooks(paused), await hooks(draft)]).toMatchObject([[], [{}], [{}]]);
		expect(await disconnect([draft], url)).toMatchObject([{ disconnected: true, wasConnected: true }]);
		expect(await hooks(draft)).toEqual([]);
		await trigger.deployment.publish();
		await expectReceived(paused);
	});

	test('is not deleted although n8n has stored that the trigger had it, from before it was taken off the trigger', async () => {
		const choose = async (ids: string[]) => await edit({ options: { ...options, additionalCampaigns: ids } });
		await choose([paused]);
		const stored = trigger.deployment.storedStaticData();
		await choose([]);
		await connect(paused);
		trigger.deployment.restoreStaticData(stored);
		await edit({ events: ['campaign.paused'] });
		await expectReceived(paused);
		trigger.deployment.restoreStaticData(stored);
		await trigger.deployment.unpublish();
		expect(await hooks(paused)).toHaveLength(1);
	});
});

test('a campaign is not connected to a trigger of an agent, nor an agent to one of a campaign', async () => {
	const { published, draft: other } = service.seed.agents;
	const [agent] = await run('connectToTrigger', [published], plainUrl(), 'agent');
	expect(agent).toMatchObject({ code: 'NOT_CONNECTED', advice: expect.stringContaining('has Agent Call Event') });
	await publish({ ...onAgent(service), options });
	const [campaign] = await connect(paused);
	expect(campaign).toMatchObject({ advice: expect.stringContaining('has Campaign Event') });
	expect(await hooks(paused)).toEqual([]);
	// An agent is.
	await run('connectToTrigger', [other], plainUrl(), 'agent');
	const [hook] = await service.webhooks(other, 'agents');
	await service.deliver({ webhookId: hook!.id, event: 'event_phone_call_ended' });
	expect(trigger.instance.executions).toMatchObject([{ items: [{ webhookOwner: { source: 'agent', id: other } }] }]);
	await run('disconnectFromTrigger', [other], plainUrl(), 'agent');
	expect(await service.webhooks(other, 'agents')).toEqual([]);
});
