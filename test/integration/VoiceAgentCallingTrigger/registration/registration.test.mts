import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { onAgent, type Published, publishTrigger, registered, triggerNode } from '../../triggers.mts';

let service: Service;
let trigger: Published;
let active: string;
let paused: string;
let agent: string;
beforeAll(async () => {
	service = await startService();
	({ active, paused } = service.seed.campaigns);
	agent = service.seed.agents.published;
});
beforeEach(async () => {
	await service.reset();
	trigger = await publishTrigger(service);
});

const webhooksPath = (campaign: string) => `/api/v1/campaigns/${campaign}/webhooks`;
const failDelete = async (times: number, kind: 'status' | 'drop-after' = 'status') =>
	await service.fault({ match: { method: 'DELETE' }, kind, status: 500, times });

/** The URL of the webhook of a campaign or agent that delivers to the trigger: it has the times of its secrets. */
const urlOf = (owner: string) =>
	new RegExp(
		`^${trigger.deployment.webhookUrl()}\\?${owner === agent ? 'agent' : 'campaign'}=${owner}&g=\\d{13}(&f=[\\d,]+)?$`,
	);

/** The service has exactly this webhook, and its deliveries start the workflow. */
async function expectOneWebhook(owner: string, wanted: object = {}): Promise<void> {
	const hooks = [
		...(await service.webhooks(active)),
		...(await service.webhooks(paused)),
		...(await service.webhooks(agent, 'agents')),
	];
	const key = owner === agent ? 'agent_id' : 'campaign_id';
	expect(hooks).toMatchObject([
		{
			[key]: owner,
			webhook_url: expect.stringMatching(urlOf(owner)),
			enabled: true,
			...wanted,
		},
	]);
	const before = trigger.instance.executions.length;
	expect((await service.deliver({ webhookId: hooks[0]?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
	expect(trigger.instance.executions).toHaveLength(before + 1);
}

test('publishing registers one webhook with all settings, and a secret of 32 bytes', async () => {
	await trigger.deployment.unpublish();
	const options = {
		additionalEvents: 'campaign.started',
		includeCallEvents: true,
		extraHeaders: { values: [{ name: 'X-One', value: '1' }] },
	};
	const parameters = { events: ['campaign.paused'], options };
	await trigger.deployment.edit('Trigger', { parameters });
	const posts = await service.requests('POST', webhooksPath(active));
	expect(posts.at(-1)?.body).toEqual({
		name: expect.stringMatching(/^n8n: .+, Trigger$/),
		webhook_url: expect.stringMatching(urlOf(active)),
		events: ['campaign.paused', 'campaign.started'],
		include_call_events: true,
		enabled: true,
		http_method: 'POST',
		max_retries: 10,
		authorization_scheme: 'none',
		custom_headers: [{ key: 'X-One', value: '1' }],
		payload_templates: {},
		webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
	});
	expect(new Set(posts.map(({ body }) => (body as { webhook_secret: string }).webhook_secret)).size).toBe(2);
	await expectOneWebhook(active);
});

test('publishing again without a change, as after a restart, sends no request', async () => {
	const before = (await service.requests()).length;
	await expect(trigger.deployment.publish()).resolves.toEqual({ calls: [] });
	expect(await service.requests()).toHaveLength(before);
	await expectOneWebhook(active);
});

test('editing the events leaves one webhook with the new events', async () => {
	await expect(
		trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } }),
	).resolves.not.toHaveProperty('error.message');
	await expectOneWebhook(active, { events: ['campaign.paused'] });
});

test('changing the campaign moves the webhook', async () => {
	await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(paused) } });
	await expectOneWebhook(paused);
});

test('a finished campaign is registered with a warning in the log, and its late events start the workflow', async () => {
	const { completed } = service.seed.campaigns;
	const before = harness.logLines.length;
	const finished = await publishTrigger(service, { campaign: byId(completed) });
	expect(harness.logLines.slice(before)).toContainEqual({
		level: 'warn',
		message: expect.stringMatching(/^"Trigger" in workflow ".+": Campaign ".+" is completed\. It starts no more calls/),
		metadata: { workflowId: expect.any(String), campaignId: completed },
	});
	expect(await service.webhooks(completed)).toMatchObject([{ id: finished.webhookId, webhook_url: finished.url }]);
	expect((await service.deliver({ webhookId: finished.webhookId })).attempts).toMatchObject([{ status: 200 }]);
	expect(finished.instance.executions).toHaveLength(1);
});

test('a trigger of a finished campaign does not stop another trigger of its workflow', async () => {
	const { completed } = service.seed.campaigns;
	const both = trigger.instance.deploy({
		nodes: [
			{ ...triggerNode(service, { campaign: byId(paused) }), name: 'One' },
			{ ...triggerNode(service, { campaign: byId(completed) }), name: 'Two' },
		],
	});
	expect((await both.publish()).error).toBeUndefined();
	expect([...(await service.webhooks(paused)), ...(await service.webhooks(completed))]).toMatchObject([
		{ campaign_id: paused, enabled: true },
		{ campaign_id: completed, enabled: true },
	]);
});

test('changing the source moves the webhook, and back again', async () => {
	await trigger.deployment.edit('Trigger', { parameters: onAgent(service) });
	await expectOneWebhook(agent, { events: ['event_phone_call_ended'], status: 'active' });
	await trigger.deployment.edit('Trigger', { parameters: { source: 'campaign', events: ['campaign.paused'] } });
	await expectOneWebhook(active, { events: ['campaign.paused'] });
});

test("a webhook of an agent is registered with an agent webhook's settings only", async () => {
	const events = ['event_phone_call_ended', 'event_recording'];
	await trigger.deployment.edit('Trigger', {
		parameters: {
			...onAgent(service, events),
			options: { includeCallEvents: true, additionalEvents: 'event_action' },
		},
	});
	const [post] = await service.requests('POST', `/api/v1/agents/${agent}/webhooks`);
	expect(post?.body).toEqual({
		name: expect.stringMatching(/^n8n: .*Trigger$/),
		webhook_url: expect.stringMatching(urlOf(agent)),
		events: [...events, 'event_action'],
		enabled: true,
		http_method: 'POST',
		max_retries: 10,
		authorization_scheme: 'none',
		custom_headers: [],
		payload_templates: {},
		webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
	});
});

test('renaming the node keeps one webhook', async () => {
	await trigger.deployment.rename('Trigger', 'Campaign events');
	await expectOneWebhook(active);
});

test('a copy of the workflow, imported with its static data, registers its own webhook', async () => {
	const copy = trigger.instance.deploy({ nodes: [triggerNode(service), { name: 'Next', type: 'harness.noOp' }] });
	copy.restoreStaticData(trigger.deployment.storedStaticData());
	const { error } = await copy.publish();
	expect(error).toBeUndefined();
	const hooks = await service.webhooks(active);
	expect(hooks).toHaveLength(2);
	expect(await registered(service, copy)).toHaveLength(1);
	for (const { id } of hooks) {
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	}
	await copy.unpublish();
	await expectOneWebhook(active);
});

test('unpublishing deletes the webhook', async () => {
	await expect(trigger.deployment.unpublish()).resolves.toEqual({ calls: ['delete'] });
	expect(await service.webhooks(active)).toEqual([]);
});

test('no secret is in what n8n stores with the workflow', async () => {
	expect(JSON.stringify(trigger.deployment.storedStaticData())).not.toContain(trigger.secret);
});

describe('after the webhook was deleted at the service', () => {
	beforeEach(async () => {
		await service.api('DELETE', `campaigns/${active}/webhooks/${trigger.webhookId}`);
	});

	test('unpublishing succeeds', async () => {
		await expect(trigger.deployment.unpublish()).resolves.toEqual({ calls: ['delete'] });
	});

	test('publishing an edit registers it again', async () => {
		await trigger.deployment.edit('Trigger', { parameters: { options: { includeCallEvents: true } } });
		await expectOneWebhook(active, { include_call_events: true });
	});
});

describe('if the service does not delete the webhook', () => {
	test('an edit results in one webhook with the new settings', async () => {
		await failDelete(3);
		const { teardownError, error } = await trigger.deployment.edit('Trigger', {
			parameters: { events: ['campaign.paused'] },
		});
		expect(teardownError).toBeDefined();
		expect(error).toBeUndefined();
		await expectOneWebhook(active, { events: ['campaign.paused'] });
	});

	test('an edit also updates settings that the service does not return', async () => {
		const extraHeaders = { values: [{ name: 'X-One', value: '1' }] };
		await failDelete(3);
		await trigger.deployment.edit('Trigger', { parameters: { options: { extraHeaders } } });
		await expectOneWebhook(active);
		expect((await service.requests('PUT')).at(-1)?.body).toMatchObject({
			custom_headers: [{ key: 'X-One', value: '1' }],
		});
	});

	test('renaming the node results in one webhook', async () => {
		await failDelete(3);
		await trigger.deployment.rename('Trigger', 'Campaign events');
		await expectOneWebhook(active);
	});

	test('changing the campaign results in one webhook, in the new campaign', async () => {
		await failDelete(3);
		await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(paused) } });
		await expectOneWebhook(paused);
	});

	test('changing the source results in one webhook, of the agent', async () => {
		await failDelete(3);
		await trigger.deployment.edit('Trigger', { parameters: onAgent(service) });
		await expectOneWebhook(agent);
	});

	test('changing the campaign and back results in one webhook', async () => {
		await failDelete(3);
		await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(paused) } });
		await failDelete(3);
		await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(active) } });
		await expectOneWebhook(active);
	});

	test('unpublishing tries three times and fails, and publishing again results in one webhook', async () => {
		await failDelete(3);
		const { teardownError, calls } = await trigger.deployment.unpublish();
		expect(calls).toEqual(['delete', 'delete', 'delete']);
		expect(teardownError?.message).toEqual(expect.any(String));
		await trigger.deployment.publish();
		await expectOneWebhook(active);
	});

	test('and the response to the next update is lost, the trigger still has the right secret', async () => {
		// Every deletion fails: three for each edit, and one after each of n8n's five tries to register.
		await failDelete(11);
		await service.fault({ match: { method: 'PUT' }, kind: 'drop-after', times: 5 });
		const { error } = await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		expect(error).toBeDefined();
		await trigger.deployment.edit('Trigger', { parameters: { options: {} } });
		await expectOneWebhook(active);
	});

	test('because its credential is gone, n8n is told that the webhook stays, and a restored credential deletes it', async () => {
		trigger.instance.setCredentials({});
		const { teardownError } = await trigger.deployment.unpublish();
		expect(teardownError?.message).toMatch(/webhook stays at the service/);
		expect(await service.webhooks(active)).toHaveLength(1);
		trigger.instance.setCredentials(service.credentials());
		await trigger.deployment.publish();
		await trigger.deployment.unpublish();
		expect(await service.webhooks(active)).toEqual([]);
	});

	test('but only its response is lost, the webhook counts as deleted', async () => {
		await failDelete(1, 'drop-after');
		await expect(trigger.deployment.unpublish()).resolves.not.toHaveProperty('teardownError.message');
		expect(await service.webhooks(active)).toEqual([]);
	});
});

describe('registering', () => {
	beforeEach(async () => {
		await trigger.deployment.unpublish();
	});
	const failCreate = async (kind: 'status' | 'drop-before' | 'drop-after' | 'malformed', times = 1) =>
		await service.fault({ match: { method: 'POST', path: webhooksPath(active) }, kind, status: 503, times });

	test.each(['status', 'drop-before', 'drop-after', 'malformed'] as const)(
		'results in one webhook if the first response is an error: %s',
		async (kind) => {
			await failCreate(kind);
			await expect(trigger.deployment.publish()).resolves.not.toHaveProperty('error.message');
			await expectOneWebhook(active);
		},
	);

	test.each(['GET', 'POST'])('waits as long as the rate limit of the service asks, for a %s', async (method) => {
		await service.fault({
			match: { method, path: webhooksPath(active) },
			...{ kind: 'status', status: 429, times: 2 },
			body: { success: false, message: 'Too many requests', retry_after: 1 },
		});
		const { error, calls } = await trigger.deployment.publish();
		expect([error, calls]).toEqual([undefined, ['checkExists', 'create']]);
		await expectOneWebhook(active);
	});

	test('that always fails reports the error, and leaves no webhook', async () => {
		await failCreate('status', 5);
		const { error } = await trigger.deployment.publish();
		expect(error?.message).toMatch(/internal error.*\. If it happens again/);
		expect(await service.webhooks(active)).toEqual([]);
	});

	test('without a listing of the webhooks creates none, to avoid a duplicate', async () => {
		await service.fault({
			match: { method: 'GET', path: webhooksPath(active) },
			kind: 'status',
			status: 500,
			times: 20,
		});
		const { error } = await trigger.deployment.publish();
		expect(error).toBeDefined();
		expect(await service.requests('POST', webhooksPath(active))).toHaveLength(1);
	});

	test('takes over a webhook with its own URL and an unknown secret, and deletes duplicates', async () => {
		const own = { name: 'Old', webhook_url: trigger.url, events: ['campaign.paused'], webhook_secret: 'x' };
		const other = { ...own, name: 'Of somebody else', webhook_url: 'https://example.com/other' };
		for (const hook of [own, own, other]) {
			await service.api('POST', `campaigns/${active}/webhooks`, hook);
		}
		await trigger.deployment.publish();
		const hooks = await service.webhooks(active);
		expect(hooks.filter(({ webhook_url }) => webhook_url === other.webhook_url)).toHaveLength(1);
		expect(hooks).toHaveLength(2);
		const [mine] = await registered(service, trigger.deployment);
		expect((await service.deliver({ webhookId: mine?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
	});

	test.each([
		[[null]],
		[['a', {}, 7]],
		['none'],
		[[{ source: 'campaign', ownerId: 'nowhere', webhookId: 'w', current: 1 }]],
		[[{ source: 'campaign', ownerId: 'nowhere', webhookId: 'w', current: 'x', formers: [] }]],
	])('does not depend on what n8n has stored: %j', async (webhooks) => {
		trigger.deployment.restoreStaticData({ 'node:Trigger': { webhooks } as never });
		await expect(trigger.deployment.publish()).resolves.not.toHaveProperty('error.message');
		await expectOneWebhook(active);
		trigger.deployment.restoreStaticData({ 'node:Trigger': { webhooks } as never });
		await expect(trigger.deployment.unpublish()).resolves.not.toHaveProperty('teardownError.message');
		expect(await service.webhooks(active)).toEqual([]);
	});

	test('leaves one webhook if a lost request registers another one meanwhile', async () => {
		await service.fault({ match: { method: 'POST', path: webhooksPath(active) }, kind: 'latency', ms: 200 });
		const published = trigger.deployment.publish();
		await until(async () => (await service.requests('POST', webhooksPath(active))).length === 2);
		const late = `${trigger.url.replace(/g=.*/, '')}g=${Date.now() - 1000}`;
		const hook = { name: 'Late', webhook_url: late, events: ['campaign.paused'], webhook_secret: 'x' };
		await service.api('POST', `campaigns/${active}/webhooks`, hook);
		await expect(published).resolves.not.toHaveProperty('error.message');
		await expectOneWebhook(active, { events: ['campaign_call.completed'] });
	});

	test('restores settings that were changed at the service', async () => {
		await trigger.deployment.publish();
		await failDelete(3);
		const [hook] = await service.webhooks(active);
		await service.api('PUT', `campaigns/${active}/webhooks/${hook?.id}`, {
			enabled: false,
			events: ['campaign.paused'],
		});
		await trigger.deployment.unpublish();
		await trigger.deployment.publish();
		await expectOneWebhook(active, { events: ['campaign_call.completed'] });
	});

	test('replaces the templates and headers that were set at the service, and the secret', async () => {
		await trigger.deployment.publish();
		const [hook] = await service.webhooks(active);
		await service.api('PUT', `campaigns/${active}/webhooks/${hook?.id}`, {
			payload_templates: { 'campaign_call.completed': { text: 'over' } },
			webhook_secret: 'by hand',
		});
		expect((await service.deliver({ webhookId: hook?.id ?? '' })).attempts).toMatchObject([{ status: 401 }]);
		await failDelete(3);
		await trigger.deployment.unpublish();
		await trigger.deployment.publish();
		const before = trigger.instance.executions.length;
		expect((await service.deliver({ webhookId: hook?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
		expect(trigger.instance.executions[before]?.items).toMatchObject([{ event: 'campaign_call.completed' }]);
	});

	test('needs nothing that n8n had stored', async () => {
		await trigger.deployment.publish();
		trigger.deployment.restoreStaticData({});
		await trigger.deployment.edit('Trigger', { parameters: { options: { includeCallEvents: true } } });
		await expectOneWebhook(active);
	});

	test.each([
		['no event', { events: [] }, "Choose at least one event in 'Events'. "],
		['no campaign', { campaign: byId('') }, 'Campaign'],
		['a campaign that does not exist', { campaign: byId('nowhere') }, 'Campaign not found. Choose'],
		['no agent', { source: 'agent', agent: byId('') }, "'Agent'"],
		[
			'an agent that does not exist',
			{ source: 'agent', agent: byId('nowhere'), events: ['event_action'] },
			'Agent not found. Choose',
		],
	])('with %s fails and explains what to do', async (_what, parameters, text) => {
		const { error } = await trigger.deployment.edit('Trigger', { parameters });
		// n8n shows only the message.
		expect(error?.message).toContain(text);
		expect(await service.webhooks(active)).toEqual([]);
	});
});

test('an n8n with a local URL is refused before anything is sent, with what to do', async () => {
	const credentials = service.credentials({ baseUrl: 'https://service.invalid' });
	for (const webhookOrigin of [
		'http://localhost:5678',
		'http://127.0.0.1:5678',
		'http://[::1]:5678',
		'http://n8n.localhost',
	]) {
		const instance = await harness.startInstance({ credentials, webhookOrigin });
		const { error } = await instance.deploy({ nodes: [triggerNode(service)] }).publish();
		expect(error?.message).toMatch(/this machine\. Set .*WEBHOOK_URL/);
	}
});
