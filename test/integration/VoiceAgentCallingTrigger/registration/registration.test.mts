import { harness } from '../../harness.mts';
import { byId, until, useService } from '../../service.mts';
import { onAgent, type Published, publishTrigger, registered, triggerNode } from '../../triggers.mts';

const service = useService();
let trigger: Published;
let active: string;
let paused: string;
let completed: string;
let agent: string;
beforeAll(() => {
	({ active, paused, completed } = service.seed.campaigns);
	agent = service.seed.agents.published;
});
beforeEach(async () => {
	trigger = await publishTrigger(service);
});

const webhooksPath = (campaign: string) => `/api/v1/campaigns/${campaign}/webhooks`;
const failDelete = async (times: number) => await service.answer('DELETE', 500, undefined, times);
/** Changes the trigger and publishes. @returns why that failed */
const edit = async (parameters?: object) =>
	(await trigger.deployment.edit('Trigger', { parameters: parameters as never })).error;
const deliver = async (webhookId: string) =>
	(await service.deliver({ webhookId })).attempts.map(({ status }) => status);

/** The URL of the webhook of a campaign or agent that delivers to the trigger: it has the times of its secrets. */
const urlOf = (owner: string) =>
	new RegExp(
		`^${trigger.deployment.webhookUrl()}\\?${owner === agent ? 'agent' : 'campaign'}=${owner}&g=\\d{13}&k=[0-9a-f]{6}(&f=[\\d,]+)?$`,
	);

/** The service has exactly this webhook, and its deliveries start the workflow. */
async function expectOneWebhook(owner: string, wanted: object = {}): Promise<void> {
	const campaigns = await Promise.all([active, paused].map((id) => service.webhooks(id)));
	const hooks = [...campaigns.flat(), ...(await service.webhooks(agent, 'agents'))];
	const ownerId = { [owner === agent ? 'agent_id' : 'campaign_id']: owner };
	const webhook_url = expect.stringMatching(urlOf(owner));
	expect(hooks).toMatchObject([{ ...ownerId, webhook_url, enabled: true, ...wanted }]);
	const before = trigger.instance.executions.length;
	expect(await deliver(hooks[0]!.id)).toEqual([200]);
	expect(trigger.instance.executions).toHaveLength(before + 1);
}

const PAUSED = { events: ['campaign.paused'] };
const HEADERS = { extraHeaders: { values: [{ name: 'X-One', value: '1' }] } };

test('publishing registers one webhook with all settings and a new secret of 32 bytes; an agent’s has only its own settings', async () => {
	const common = {
		name: expect.stringMatching(/^n8n: .+, Trigger$/),
		enabled: true,
		http_method: 'POST',
		max_retries: 10,
		authorization_scheme: 'none',
		payload_templates: {},
		custom_headers: [{ key: 'X-One', value: '1' }],
		webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
	};
	const options = { includeCallEvents: true, ...HEADERS };
	await edit({ ...PAUSED, options: { ...options, additionalEvents: 'campaign.started' } });
	const posts = (await service.requests('POST', webhooksPath(active))).map(({ body }) => body);
	expect(posts.at(-1)).toEqual({
		...common,
		webhook_url: expect.stringMatching(urlOf(active)),
		include_call_events: true,
		events: ['campaign.paused', 'campaign.started'],
	});
	expect(new Set(posts.map((body) => (body as { webhook_secret: string }).webhook_secret)).size).toBe(2);
	await expectOneWebhook(active);
	await edit({ ...onAgent(service, ['event_recording']), options: { ...options, additionalEvents: 'event_action' } });
	const [post] = await service.requests('POST', `/api/v1/agents/${agent}/webhooks`);
	const webhook_url = expect.stringMatching(urlOf(agent));
	expect(post?.body).toEqual({ ...common, webhook_url, events: ['event_recording', 'event_action'] });
});

test.each([0, 3])(
	'there is one webhook after each change, if the service refuses %i times to delete',
	async (failures) => {
		const after = async (change: () => Promise<unknown>, owner = active, wanted = {}) => {
			await (failures > 0 ? failDelete(failures) : undefined);
			await change();
			await expectOneWebhook(owner, wanted);
		};
		await after(async () => expect(await edit(PAUSED)).toBeUndefined(), active, PAUSED);
		await after(async () => await edit({ options: HEADERS }));
		const writes = (await service.requests('P', '/webhooks')).map(({ body }) => body);
		expect(writes.at(-1)).toMatchObject({ custom_headers: [{ key: 'X-One', value: '1' }] });
		await after(async () => await trigger.deployment.rename('Trigger', 'Campaign events'));
		await after(async () => await trigger.deployment.rename('Campaign events', 'Trigger'));
		await after(async () => await edit({ campaign: byId(paused) }), paused);
		await after(async () => await edit({ campaign: byId(active) }));
		const ended = { events: ['event_phone_call_ended'], status: 'active' };
		await after(async () => await edit(onAgent(service)), agent, ended);
		await after(async () => await edit({ source: 'campaign', ...PAUSED }), active, PAUSED);
	},
);

test('unpublishing deletes the webhook, also if the response is lost, or somebody has deleted it', async () => {
	for (const meanwhile of [
		async () => undefined,
		async () => await service.fault({ match: { method: 'DELETE' }, kind: 'drop-after' }),
		async () => {
			const [hook] = await service.webhooks(active);
			await service.api('DELETE', `campaigns/${active}/webhooks/${hook?.id}`);
		},
	]) {
		await trigger.deployment.publish();
		await meanwhile();
		await expect(trigger.deployment.unpublish()).resolves.not.toHaveProperty('teardownError.message');
		expect(await service.webhooks(active)).toEqual([]);
	}
});

describe('if the service does not delete the webhook', () => {
	test('and the response to the next update is lost, the trigger still has the right secret', async () => {
		// Every deletion fails: three for each edit, and one after each of n8n's five tries to register.
		await failDelete(11);
		await service.fault({ match: { method: 'PUT' }, kind: 'drop-after', times: 5 });
		expect(await edit(PAUSED)).toBeDefined();
		await edit({ options: {} });
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
});

test('if the credential has got the token of another environment, unpublishing says in the log that the webhook stays', async () => {
	// Each environment has other campaigns.
	await service.fault({ match: { path: webhooksPath(active) }, kind: 'status', status: 404 });
	const { length } = harness.logLines;
	await trigger.deployment.unpublish();
	expect(await service.webhooks(active)).toHaveLength(1);
	const said = harness.logLines.slice(length).map(({ message }) => message);
	expect(said).toEqual([expect.stringMatching(`${active} cannot be found.*delete the webhook in that environment`)]);
});

test('a copy of the workflow, imported with its static data, registers its own webhook', async () => {
	const copy = trigger.instance.deploy({ nodes: [triggerNode(service), { name: 'Next', type: 'harness.noOp' }] });
	copy.restoreStaticData(trigger.deployment.storedStaticData());
	expect((await copy.publish()).error).toBeUndefined();
	const hooks = await service.webhooks(active);
	expect(await Promise.all(hooks.map(({ id }) => deliver(id)))).toEqual([[200], [200]]);
	expect(await registered(service, copy)).toHaveLength(1);
	await copy.unpublish();
	await expectOneWebhook(active);
});

test('a finished campaign is registered with a warning in the log, beside another trigger, and its late events start the workflow', async () => {
	const { length } = harness.logLines;
	const nodes = [paused, completed].map((id, index) => ({
		...triggerNode(service, { campaign: byId(id) }),
		name: `Trigger ${index}`,
	}));
	expect((await trigger.instance.deploy({ nodes, connections: {} }).publish()).error).toBeUndefined();
	expect(harness.logLines.slice(length)).toContainEqual({
		level: 'warn',
		message: expect.stringMatching(/: Campaign ".+" is completed\. It starts no more calls/),
		metadata: { workflowId: expect.any(String), campaignId: completed },
	});
	for (const id of [paused, completed]) {
		const [hook] = await service.webhooks(id);
		expect(await deliver(hook!.id)).toEqual([200]);
	}
	expect(trigger.instance.executions).toHaveLength(2);
});

describe('registering', () => {
	beforeEach(async () => void (await trigger.deployment.unpublish()));
	const publish = async () => (await trigger.deployment.publish()).error;
	const post = () => ({ method: 'POST', path: webhooksPath(active) });

	test.each(['status', 'drop-before', 'drop-after', 'malformed'] as const)(
		'results in one webhook if the first response is an error: %s',
		async (kind) => {
			await service.fault({ match: post(), kind, status: 503 });
			expect(await publish()).toBeUndefined();
			await expectOneWebhook(active);
		},
	);

	test.each(['GET', 'POST'])('waits as long as the rate limit of the service asks, for a %s', async (method) => {
		const body = { success: false, message: 'Too many requests', retry_after: 1 };
		await service.answer(`${method} campaigns/${active}/webhooks`, 429, body);
		const { error, calls } = await trigger.deployment.publish();
		expect([error, calls]).toEqual([undefined, ['checkExists', 'create']]);
		await expectOneWebhook(active);
	});

	test('without a listing of the webhooks creates none, to avoid a duplicate', async () => {
		await service.answer(`GET campaigns/${active}/webhooks`, 500, undefined, 20);
		expect(await publish()).toBeDefined();
		expect(await service.requests('POST', webhooksPath(active))).toHaveLength(1);
	});

	test('takes over a webhook with its own URL and an unknown secret, deletes duplicates, and no other', async () => {
		const own = { name: 'Old', webhook_url: trigger.url, ...PAUSED, webhook_secret: 'x' };
		const other = { ...own, name: 'Of somebody else', webhook_url: 'https://example.com/other' };
		for (const hook of [own, own, other]) {
			await service.api('POST', `campaigns/${active}/webhooks`, hook);
		}
		await publish();
		const urls = (await service.webhooks(active)).map(({ webhook_url }) => webhook_url);
		expect([urls.length, urls.includes(other.webhook_url)]).toEqual([2, true]);
		const [mine] = await registered(service, trigger.deployment);
		expect(await deliver(mine!.id)).toEqual([200]);
	});

	test.each<[webhooks: unknown]>([
		[[null]],
		[['a', {}, 7]],
		['none'],
		[[{ ownerType: 'campaign', ownerId: 'nowhere', webhookId: 'w', current: 1 }]],
		[[{ ownerType: 'campaign', ownerId: 'nowhere', webhookId: 'w', current: 'x', previous: [] }]],
		[undefined],
	])('does not depend on what n8n has stored: %j', async (webhooks) => {
		trigger.deployment.restoreStaticData({ 'node:Trigger': { webhooks } as never });
		expect(await publish()).toBeUndefined();
		await expectOneWebhook(active);
		trigger.deployment.restoreStaticData({ 'node:Trigger': { webhooks } as never });
		await expect(trigger.deployment.unpublish()).resolves.not.toHaveProperty('teardownError.message');
		expect(await service.webhooks(active)).toEqual([]);
	});

	test('leaves one webhook if a lost request registers another one meanwhile', async () => {
		await service.fault({ match: post(), kind: 'latency', ms: 200 });
		const published = publish();
		await until(async () => (await service.requests('POST', webhooksPath(active))).length === 2);
		const late = `${trigger.url.replace(/g=.*/, '')}g=${Date.now() - 1000}`;
		const hook = { name: 'Late', webhook_url: late, ...PAUSED, webhook_secret: 'x' };
		await service.api('POST', `campaigns/${active}/webhooks`, hook);
		expect(await published).toBeUndefined();
		await expectOneWebhook(active, { events: ['campaign_call.completed'] });
	});

	test('restores settings, templates and the secret that were changed at the service', async () => {
		await publish();
		const [hook] = await service.webhooks(active);
		const payload_templates = { 'campaign_call.completed': { text: 'over' } };
		const changes = { enabled: false, ...PAUSED, payload_templates, webhook_secret: 'by hand' };
		await service.api('PUT', `campaigns/${active}/webhooks/${hook?.id}`, changes);
		expect(await deliver(hook!.id)).toEqual([401]);
		await failDelete(3);
		await trigger.deployment.unpublish();
		await publish();
		await expectOneWebhook(active, { events: ['campaign_call.completed'] });
		expect(trigger.instance.executions.at(-1)?.items).toMatchObject([{ event: 'campaign_call.completed' }]);
	});

	test.each([
		['no event', { events: [] }, "Choose at least one event in 'Events'. "],
		['no campaign', { campaign: byId('') }, 'Campaign'],
		['a campaign that does not exist', { campaign: byId('nowhere') }, 'Campaign not found. Choose'],
		['no agent', { source: 'agent', agent: byId('') }, "'Agent'"],
		['no such agent', { source: 'agent', agent: byId('nowhere'), events: ['event_action'] }, 'Agent not found. Choose'],
	])('with %s fails and explains what to do', async (_what, parameters, text) => {
		// n8n shows only the message.
		expect((await edit(parameters))?.message).toContain(text);
		expect(await service.webhooks(active)).toEqual([]);
	});
});
