import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import {
	hmac,
	onAgent,
	type Published,
	publishTrigger,
	rawRegistration,
	secretOf,
	send,
	webhookUrlOf,
} from '../../triggers.mts';

let service: Service;
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
const accepting = { acceptConnections: true, extraHeaders: { values: [{ name: 'X-One', value: '1' }] } };

beforeAll(async () => {
	service = await startService();
	({ active, paused, draft } = service.seed.campaigns);
});
beforeEach(async () => {
	await service.reset();
	await publish({ options: accepting });
});
afterAll(() => {
	service.n8nUrl = undefined;
});

async function publish(parameters: object): Promise<void> {
	trigger = await publishTrigger(service, parameters as never);
	service.n8nUrl = trigger.instance.url;
}

const campaign = (ownerId: string) => ({ source: 'campaign', ownerId });
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
const disconnect = async (...campaigns: string[]) => await run('disconnectFromTrigger', campaigns);

/** The webhooks of a campaign, which are this trigger's own. */
const hooks = async (id: string) => await service.webhooks(id);

/** The service's deliveries to the only webhook of a campaign start the workflow, and name the campaign. */
async function expectReceived(id: string): Promise<void> {
	const [hook, ...others] = await hooks(id);
	expect(others).toEqual([]);
	expect(hook).toMatchObject({ webhook_url: webhookUrlOf(trigger.deployment, campaign(id)), enabled: true });
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
			webhookUrl: webhookUrlOf(trigger.deployment, campaign(ownerId)),
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
	const secret = secretOf(rawRegistration(trigger.deployment).secret, campaign(made));
	const to = webhookUrlOf(trigger.deployment, campaign(paused));
	expect((await send(to, body, { 'x-signature': hmac(secret, body) })).status).toBe(401);
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
	await service.api('POST', `campaigns/${draft}/webhooks`, {
		name: 'Of another process',
		webhook_url: webhookUrlOf(trigger.deployment, campaign(draft)),
		events: ['campaign.paused'],
	});
	const hook = {
		name: 'Twin',
		webhook_url: webhookUrlOf(trigger.deployment, campaign(draft)),
		events: ['campaign.paused'],
	};
	await service.api('POST', `campaigns/${draft}/webhooks`, hook);
	await connect(draft);
	await expectReceived(draft);
});

test('Disconnect reverses it, and what is chosen in the trigger stays', async () => {
	await connect(paused);
	expect(await disconnect(paused, paused)).toMatchObject([
		{ disconnected: true, wasConnected: true },
		{ disconnected: true, wasConnected: false },
	]);
	expect(await hooks(paused)).toEqual([]);
	expect(await disconnect(active)).toMatchObject([
		{ code: 'NOT_CONNECTED', message: expect.stringMatching(/chosen in the trigger itself.*Take it off/) },
	]);
	await expectReceived(active);
});

describe('What is connected', () => {
	test('survives an edit of the trigger, with its new settings and a new key', async () => {
		await connect(paused, draft);
		const { teardownError, error } = await trigger.deployment.edit('Trigger', {
			parameters: { events: ['campaign.paused'] },
		});
		expect([teardownError, error]).toEqual([undefined, undefined]);
		for (const id of [active, paused, draft]) {
			await expectReceived(id);
			expect(await hooks(id)).toMatchObject([{ events: ['campaign.paused'] }]);
		}
		// All campaigns are listed once, by their five statuses: nothing can be connected between the two steps of n8n.
		const listings = (await service.requests('GET')).filter(({ path }) => path === '/api/v1/campaigns').length;
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign_call.failed'] } });
		const now = (await service.requests('GET')).filter(({ path }) => path === '/api/v1/campaigns').length;
		expect(now - listings).toBe(6);
	});

	test('survives an edit also if n8n is ended in between, and if the node is renamed', async () => {
		await connect(paused);
		await trigger.deployment.rename('Trigger', 'Events');
		expect(await hooks(paused)).toMatchObject([{ name: expect.stringContaining('Events') }]);
		await trigger.deployment.rename('Events', 'Trigger');
		await trigger.deployment.unpublish();
		expect(await hooks(paused)).toEqual([]);
		// The memory of another process: only what n8n has stored is left.
		const stored = trigger.deployment.storedStaticData();
		const other = await publishElsewhere(stored);
		expect((await hooks(paused)).map(({ webhook_url }) => webhook_url)).toEqual([
			`${other.webhookUrl()}?campaign=${paused}`,
		]);
	});

	/** Publishes the same workflow in another process, which has the stored static data alone. */
	async function publishElsewhere(stored: object) {
		const { harness } = await import('../../harness.mts');
		const { triggerNode } = await import('../../triggers.mts');
		const instance = await harness.startInstance({ credentials: service.credentials() });
		const node = { ...triggerNode(service, { options: accepting }), id: 'another' };
		const deployment = instance.deploy({ id: trigger.deployment.id, nodes: [node] });
		deployment.restoreStaticData(stored as never);
		expect((await deployment.publish()).error).toBeUndefined();
		return deployment;
	}

	test('is removed when the workflow is unpublished, and restored when it is published again', async () => {
		await connect(paused, draft);
		await trigger.deployment.unpublish();
		expect([await hooks(active), await hooks(paused), await hooks(draft)]).toEqual([[], [], []]);
		await trigger.deployment.publish();
		for (const id of [active, paused, draft]) {
			await expectReceived(id);
		}
	});

	test('is removed and restored also if its campaign is finished meanwhile', async () => {
		await connect(paused);
		await service.api('PATCH', `campaigns/${paused}/status`, { status: 'cancelled' });
		await trigger.deployment.unpublish();
		expect(await hooks(paused)).toEqual([]);
		await trigger.deployment.publish();
		await expectReceived(paused);
	});

	test('is repaired when the workflow is published, although n8n has lost all it knew', async () => {
		await connect(paused);
		const [hook] = await hooks(paused);
		await service.fault({ match: { method: 'DELETE' }, kind: 'status', status: 500, times: 12 });
		await trigger.deployment.unpublish();
		trigger.deployment.restoreStaticData({});
		await service.api('PUT', `campaigns/${paused}/webhooks/${hook?.id}`, { enabled: false, webhook_secret: 'lost' });
		await service.api('POST', `campaigns/${paused}/webhooks`, { ...hook, webhook_secret: 'twin' });
		await trigger.deployment.publish();
		await expectReceived(paused);
		// Nor does this process remember it, as after a kill: it could not find what is connected.
		const [left] = await hooks(paused);
		const match = { method: 'GET', path: '/api/v1/campaigns' };
		await service.fault({ match, kind: 'status', status: 500, times: 3 });
		expect((await trigger.deployment.unpublish()).teardownError).toBeDefined();
		trigger.deployment.restoreStaticData({});
		await service.api('PUT', `campaigns/${paused}/webhooks/${left?.id}`, { enabled: false, webhook_secret: 'lost' });
		await trigger.deployment.publish();
		await expectReceived(paused);
	});

	test('is not restored after it was disconnected, or its campaign was deleted', async () => {
		await connect(paused, draft);
		await disconnect(paused);
		await service.api('DELETE', `campaigns/${draft}`);
		const { error } = await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		expect(error).toBeUndefined();
		expect(await hooks(paused)).toEqual([]);
		await expectReceived(active);
	});

	test.each(['<html>Not Found</html>', { message: 'no Route matched with those values' }])(
		'is not taken for gone because of a 404 that is not from the service, such as %j: that is said',
		async (body) => {
			await connect(paused);
			await trigger.deployment.unpublish();
			const { length } = harness.logLines;
			const match = { path: `/api/v1/campaigns/${paused}/webhooks` };
			await service.fault({ match, kind: 'status', status: 404, body, times: 20 });
			const { error } = await trigger.deployment.publish();
			const said = [error?.message, ...harness.logLines.slice(length).map(({ message }) => message)];
			expect(said).toContainEqual(expect.stringMatching(/Something other than the service answered|no Route matched/));
		},
	);

	test('becomes a chosen one without a second webhook, and the other way round ends', async () => {
		await connect(paused);
		const choose = async (ids: string[]) =>
			await trigger.deployment.edit('Trigger', {
				parameters: { options: { ...accepting, additionalCampaigns: ids } },
			});
		await choose([paused]);
		await expectReceived(paused);
		await choose([]);
		expect(await hooks(paused)).toEqual([]);
	});

	test('is removed when the trigger accepts connections no more', async () => {
		await connect(paused);
		await trigger.deployment.edit('Trigger', { parameters: { options: { acceptConnections: false } } });
		expect(await hooks(paused)).toEqual([]);
		await expectReceived(active);
	});

	test('is rotated with the others, from any of them, and the old secret is accepted meanwhile', async () => {
		const [{ webhookId = '' } = {}] = await connect(paused, draft);
		const old = rawRegistration(trigger.deployment).secret;
		const settings = async () =>
			(await service.storedWebhooks()).map(({ webhook_secret: _, updated: __, failing: ___, ...rest }) => rest);
		const before = await settings();
		const parameters = {
			resource: 'webhook',
			operation: 'rotateSecret',
			campaign: byId(paused),
			webhook: byId(String(webhookId)),
		};
		expect((await service.run(parameters)).outputs[0]).toMatchObject([{ json: { rotated: true } }]);
		const { secret } = rawRegistration(trigger.deployment);
		expect(secret).not.toBe(old);
		for (const id of [active, paused, draft]) {
			await expectReceived(id);
			const [hook] = await hooks(id);
			expect((await service.deliver({ webhookId: hook?.id ?? '', tamper: 'secret' })).attempts).toMatchObject([
				{ status: 401 },
			]);
			const body = JSON.stringify({ id: `old ${id}` });
			const signature = hmac(secretOf(old, campaign(id)), body);
			const url = webhookUrlOf(trigger.deployment, campaign(id));
			expect((await send(url, body, { 'x-signature': signature })).status).toBe(200);
		}
		// A rotation sends nothing but the secret, so that all other settings stay.
		expect(await settings()).toEqual(before);
		const puts = (await service.requests('PUT')).map(({ body }) => Object.keys(body as object));
		expect(puts.slice(-3)).toEqual([['webhook_secret'], ['webhook_secret'], ['webhook_secret']]);
	});

	test('is still received after another node has written an older secret back', async () => {
		await connect(paused);
		const before = trigger.deployment.storedStaticData();
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		trigger.deployment.restoreStaticData(before);
		await expectReceived(paused);
	});

	test('does not keep the trigger from being published if it cannot be registered; n8n logs its campaign', async () => {
		const { harness } = await import('../../harness.mts');
		await connect(paused);
		const path = `/api/v1/campaigns/${paused}/webhooks`;
		await service.fault({ match: { method: 'POST', path }, kind: 'status', status: 403, times: 2 });
		const { error } = await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		expect(error).toBeUndefined();
		await expectReceived(active);
		const warning = harness.logLines.find(({ message }) => message.includes(paused) && message.includes('again'));
		expect(warning?.message).toContain("Use 'Connect to Trigger'");
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign_call.failed'] } });
		await expectReceived(paused);
	});
});

describe('A campaign is not connected', () => {
	const refused = async (id: string, url?: string) => (await run('connectToTrigger', [id], url))[0];

	test('to a trigger that does not accept connections', async () => {
		await publish({});
		expect(await refused(paused)).toMatchObject({
			result: 'failed',
			code: 'NOT_CONNECTED',
			message: expect.stringMatching(
				/was not connected\. The trigger does not accept connections.*'Accept Connections'/,
			),
		});
		expect(await hooks(paused)).toEqual([]);
	});

	test('to a trigger of an agent, nor an agent to one of a campaign', async () => {
		const { published } = service.seed.agents;
		const [agent] = await run('connectToTrigger', [published], plainUrl(), 'agent');
		expect(agent).toMatchObject({ code: 'NOT_CONNECTED', message: expect.stringContaining("'Source' is Agent") });
		await publish({ ...onAgent(service), options: accepting });
		expect(await refused(paused)).toMatchObject({ message: expect.stringContaining("'Source' is Campaign") });
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

	test('of an environment with more than 200 campaigns that are not finished: the trigger could not find it again', async () => {
		for (let n = 0; n < 200; n++) {
			await newCampaign(`Campaign ${n}`);
		}
		expect(await refused(paused)).toMatchObject({
			code: 'NOT_CONNECTED',
			message: expect.stringMatching(/has 2\d\d campaigns that are not finished.*looks through 200/),
		});
		expect(await hooks(paused)).toEqual([]);
	});

	test('if the service refuses, and it is unknown if its answer was lost', async () => {
		const path = `/api/v1/campaigns/${paused}/webhooks`;
		await service.fault({ match: { method: 'POST', path }, kind: 'status', status: 403, times: 1 });
		expect(await refused(paused)).toMatchObject({ code: 'NOT_CONNECTED' });
		await service.fault({ match: { method: 'POST', path }, kind: 'drop-after', times: 1 });
		expect(await refused(paused)).toMatchObject({
			message: expect.stringContaining('It is unknown if the campaign was connected'),
		});
		expect(await connect(paused)).toMatchObject([{ connected: true }]);
		await expectReceived(paused);
	});
});

test('an agent is connected to a trigger of agents', async () => {
	await publish({ ...onAgent(service), options: accepting });
	const { draft: other } = service.seed.agents;
	expect(await run('connectToTrigger', [other], plainUrl(), 'agent')).toMatchObject([
		{ connected: true, source: 'agent' },
	]);
	const [hook] = await service.webhooks(other, 'agents');
	await service.deliver({ webhookId: hook?.id ?? '', event: 'event_phone_call_ended' });
	expect(trigger.instance.executions).toMatchObject([{ items: [{ webhookOwner: { source: 'agent', id: other } }] }]);
	await trigger.deployment.unpublish();
	expect(await service.webhooks(other, 'agents')).toEqual([]);
});
