import { byId, type Service, startService } from '../../service.mts';
import { hmac, onAgent, type Published, publishTrigger, registered, send } from '../../triggers.mts';

let service: Service;
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
const options = { extraHeaders: { values: [{ name: 'X-One', value: '1' }] } };

beforeAll(async () => {
	service = await startService();
	({ active, paused, draft } = service.seed.campaigns);
});
beforeEach(async () => {
	await service.reset();
	await publish({ options });
});
afterAll(() => {
	service.n8nUrl = undefined;
});

async function publish(parameters: object): Promise<void> {
	trigger = await publishTrigger(service, parameters as never);
	service.n8nUrl = trigger.instance.url;
}

const plainUrl = () => trigger.deployment.webhookUrl();
const goOn = { node: { onError: 'continueRegularOutput' as const } };

/** Runs Connect to Trigger or Disconnect From Trigger for each campaign. @returns the items */
async function run(operation: string, campaigns: string[], url = plainUrl(), source = 'campaign') {
	const parameters = {
		resource: 'webhook',
		operation,
		source,
		[source]: byId('={{ $json.id }}'),
		trigger: { __rl: true, mode: 'url', value: url },
	};
	const items = campaigns.map((id) => ({ id }));
	const { outputs } = await service.run(parameters, items, goOn);
	return outputs[0]?.map(({ json }) => json as Record<string, unknown>) ?? [];
}
const connect = async (...campaigns: string[]) => await run('connectToTrigger', campaigns);
const disconnect = async (campaigns: string[], url = plainUrl()) => await run('disconnectFromTrigger', campaigns, url);

/** The webhooks of a campaign. */
const hooks = async (id: string) => await service.webhooks(id);

/** The URL of the webhook of a campaign that delivers to the trigger, up to the times of its secrets. */
const urlOf = (id: string) => `${plainUrl()}?campaign=${id}&g=`;

/** The service's deliveries to the only webhook of a campaign start the workflow, and name the campaign. */
async function expectReceived(id: string): Promise<void> {
	const [hook, ...others] = await hooks(id);
	expect(others).toEqual([]);
	expect(hook).toMatchObject({ webhook_url: expect.stringContaining(urlOf(id)), enabled: true });
	const before = trigger.instance.executions.length;
	expect((await service.deliver({ webhookId: hook?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
	expect(trigger.instance.executions.slice(before)).toMatchObject([{ items: [{ webhookOwner: { id } }] }]);
}

/** A new campaign, as a workflow would create it. */
async function newCampaign(name: string): Promise<string> {
	const { body } = await service.api('POST', 'campaigns', {
		name,
		campaign_type: 'custom',
		agent_id: service.seed.agents.published,
		start_date: '2020-01-01',
		days_of_week: [1],
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
		timezone: 'UTC',
	});
	return (body.data as { id: string }).id;
}

test('a campaign made at run time sends its events to the trigger, verified like those of the chosen one', async () => {
	const made = await newCampaign('Made at run time');
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
	for (const id of [made, paused, active]) {
		await expectReceived(id);
	}
	// The settings are those of the trigger, and nothing is stored in n8n.
	const posts = (await service.requests('POST', `/campaigns/${made}/webhooks`)).map(({ body }) => body);
	expect(posts).toMatchObject([
		{ events: ['campaign_call.completed'], custom_headers: [{ key: 'X-One', value: '1' }] },
	]);
	expect(trigger.deployment.storedStaticData()).toEqual(before);
	// Signed for one campaign, and sent in the name of another.
	const body = '{"id":"swapped"}';
	const all = await registered(service, trigger.deployment);
	const of = (id: string) => all.find(({ campaign_id }) => campaign_id === id) as (typeof all)[number];
	expect(
		(await send(of(paused).webhook_url, body, { 'x-signature': hmac(of(made).webhook_secret, body) })).status,
	).toBe(401);
});

test('to connect twice updates the webhook, and never makes a second one', async () => {
	const [{ webhookId = '' } = {}] = await connect(paused);
	await service.api('PUT', `campaigns/${paused}/webhooks/${String(webhookId)}`, {
		enabled: false,
		webhook_secret: 'x',
	});
	expect(await connect(paused, paused)).toMatchObject([
		{ webhookId, isNew: false },
		{ webhookId, isNew: false },
	]);
	await expectReceived(paused);
	const change = { enabled: false, webhook_secret: 'x' };
	await service.api('PUT', `campaigns/${active}/webhooks/${trigger.webhookId}`, change);
	expect(await connect(active)).toMatchObject([{ connected: true, webhookId: trigger.webhookId, isNew: false }]);
	await expectReceived(active);
});

test('at the same time for the same campaign, one webhook is left, also if another process has made one', async () => {
	await service.fault({
		match: { method: 'GET', path: `/api/v1/campaigns/${paused}/webhooks` },
		kind: 'latency',
		ms: 50,
	});
	const replies = await Promise.all([connect(paused), connect(paused), connect(paused)]);
	expect(replies.flat()).toMatchObject(replies.map(() => ({ connected: true })));
	await expectReceived(paused);
	for (const name of ['Of another process', 'Twin']) {
		const hook = { name, webhook_url: `${urlOf(draft)}1764100000000`, events: ['campaign.paused'] };
		await service.api('POST', `campaigns/${draft}/webhooks`, hook);
	}
	await connect(draft);
	await expectReceived(draft);
});

test('Disconnect reverses it, and what is chosen in the trigger stays', async () => {
	await connect(paused);
	expect(await disconnect([paused, paused])).toMatchObject([
		{ disconnected: true, wasConnected: true },
		{ disconnected: true, wasConnected: false },
	]);
	expect(await hooks(paused)).toEqual([]);
	expect(await disconnect([active])).toMatchObject([
		{ code: 'NOT_CONNECTED', message: expect.stringMatching(/chosen in the trigger itself.*Take it off/) },
	]);
	await expectReceived(active);
});

describe('What is connected', () => {
	test('stays as it is through an edit, a renamed node and lost static data, and is received', async () => {
		await connect(paused, draft);
		const before = await hooks(paused);
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		await trigger.deployment.rename('Trigger', 'Events');
		await trigger.deployment.rename('Events', 'Trigger');
		trigger.deployment.restoreStaticData({});
		for (const id of [active, paused, draft]) {
			await expectReceived(id);
		}
		const kept = ({ id, webhook_url, events }: { id: string; webhook_url: string; events: string[] }) => ({
			...{ id, webhook_url, events },
		});
		expect((await hooks(paused)).map(kept)).toEqual(before.map(kept));
	});

	test('gets the present settings of the trigger when it is connected again', async () => {
		await connect(paused);
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		await connect(paused);
		expect(await hooks(paused)).toMatchObject([{ events: ['campaign.paused'] }]);
		await expectReceived(paused);
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
		const choose = async (ids: string[]) =>
			await trigger.deployment.edit('Trigger', { parameters: { options: { ...options, additionalCampaigns: ids } } });
		await choose([paused]);
		const stored = trigger.deployment.storedStaticData();
		await choose([]);
		await connect(paused);
		trigger.deployment.restoreStaticData(stored);
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		await expectReceived(paused);
		trigger.deployment.restoreStaticData(stored);
		await trigger.deployment.unpublish();
		expect(await hooks(paused)).toHaveLength(1);
	});

	test('becomes a chosen one without a second webhook, and the other way round ends', async () => {
		await connect(paused);
		const choose = async (ids: string[]) =>
			await trigger.deployment.edit('Trigger', { parameters: { options: { ...options, additionalCampaigns: ids } } });
		await choose([paused]);
		await expectReceived(paused);
		await choose([]);
		expect(await hooks(paused)).toEqual([]);
	});
});

describe('A campaign is not connected', () => {
	const refused = async (id: string, url?: string) => (await run('connectToTrigger', [id], url))[0];

	test('to a trigger of an agent, nor an agent to one of a campaign', async () => {
		const { published } = service.seed.agents;
		const [agent] = await run('connectToTrigger', [published], plainUrl(), 'agent');
		expect(agent).toMatchObject({ code: 'NOT_CONNECTED', message: expect.stringContaining('has Agent Call Event') });
		await publish({ ...onAgent(service), options });
		expect(await refused(paused)).toMatchObject({ message: expect.stringContaining('has Campaign Event') });
		expect(await hooks(paused)).toEqual([]);
	});

	test('that does not exist', async () => {
		expect(await refused('nowhere')).toMatchObject({
			message: expect.stringMatching(/Campaign not found.*Choose the campaign/),
		});
	});

	test('at a URL where no trigger answers, and nothing is sent there that could start a workflow', async () => {
		const url = plainUrl();
		expect([
			(await refused(paused, 'https://n8n.example.com/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook'))?.code,
			(await refused(paused, url.replace('/webhook/', '/webhook-test/')))?.code,
			(await refused(paused, `${new URL(url).origin}/webhook/orders`))?.code,
			(await refused(paused, 'no url'))?.code,
		]).toEqual(['NOT_ON_THIS_N8N', 'TEST_URL', 'NOT_A_TRIGGER', 'INVALID_INPUT']);
		await trigger.deployment.unpublish();
		expect(await refused(paused, url)).toMatchObject({ code: 'NOT_PUBLISHED' });
		expect(trigger.instance.executions).toEqual([]);
	});

	test('if the service refuses, and it is unknown if its answer was lost', async () => {
		const path = `/api/v1/campaigns/${paused}/webhooks`;
		await service.fault({ match: { method: 'POST', path }, kind: 'status', status: 403, times: 1 });
		expect(await refused(paused)).toMatchObject({ result: 'failed', httpStatus: 403 });
		await service.fault({ match: { method: 'POST', path }, kind: 'drop-after', times: 1 });
		expect(await refused(paused)).toMatchObject({ result: 'unknown' });
		expect(await connect(paused)).toMatchObject([{ connected: true }]);
		await expectReceived(paused);
	});
});

test('an agent is connected to a trigger of agents', async () => {
	await publish({ ...onAgent(service), options });
	const { draft: other } = service.seed.agents;
	expect(await run('connectToTrigger', [other], plainUrl(), 'agent')).toMatchObject([
		{ connected: true, source: 'agent' },
	]);
	const [hook] = await service.webhooks(other, 'agents');
	await service.deliver({ webhookId: hook?.id ?? '', event: 'event_phone_call_ended' });
	expect(trigger.instance.executions).toMatchObject([{ items: [{ webhookOwner: { source: 'agent', id: other } }] }]);
	await run('disconnectFromTrigger', [other], plainUrl(), 'agent');
	expect(await service.webhooks(other, 'agents')).toEqual([]);
});
