import { byId, type Service, startService } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';

let service: Service;
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
const ends = ['campaign_call.completed', 'campaign_call.failed'];
const goOn = { node: { onError: 'continueRegularOutput' as const } };

beforeAll(async () => {
	service = await startService();
	({ active, paused, draft } = service.seed.campaigns);
});
beforeEach(async () => await service.reset());
afterEach(() => {
	service.n8nUrl = undefined;
});

async function publish(campaign: string, options: object = {}): Promise<void> {
	trigger = await publishTrigger(service, { campaign: byId(campaign), events: ends, options: options as never });
	service.n8nUrl = trigger.instance.url;
}

/** The URL of the webhook of a campaign that delivers to the trigger, without the times of its secrets. */
const urlOf = (campaign: string) => `${trigger.deployment.webhookUrl()}?campaign=${campaign}`;
const atUrl = () => ({ __rl: true, mode: 'url', value: trigger.deployment.webhookUrl() });
const json = async (parameters: object, items: object[] = [{}]) =>
	(await service.run(parameters as never, items as never, goOn)).outputs[0]?.map((item) => item.json) ?? [];
const connect = async (campaign: string) =>
	await json({
		resource: 'webhook',
		operation: 'connectToTrigger',
		campaign: byId(campaign),
		trigger: atUrl(),
	});
const check = async (campaign: string) =>
	(await json({ resource: 'webhook', operation: 'checkRegistration', campaign: byId(campaign) })) as Array<{
		problems: Array<{ code: string; whatToDo: string }>;
	}>;
const waiting = (campaign: string) => ({
	resource: 'campaign',
	operation: 'queueCallAndWait',
	campaign: byId(campaign),
	phoneNumber: '={{ $json.to }}',
	waitBy: 'event',
	testCall: 'always',
});

describe('Campaign → Create → Options → Connect to Trigger', () => {
	const create = () => ({
		resource: 'campaign',
		operation: 'create',
		name: '={{ $json.name }}',
		agent: byId(service.seed.agents.published),
		timezone: 'Europe/Berlin',
		options: { trigger: atUrl() },
	});
	const three = ['One', 'Two', 'Three'].map((name) => ({ name }));

	test('connects each new campaign to the trigger', async () => {
		await publish(active);
		const made = await json(create(), three);
		expect(made).toMatchObject(three.map((item) => ({ ...item, status: 'draft', connected: true })));
		for (const { id } of made) {
			const [hook, ...others] = await service.webhooks(String(id));
			expect([hook?.webhook_url, others]).toEqual([expect.stringContaining(urlOf(String(id))), []]);
			await service.deliver({ webhookId: hook?.id ?? '' });
		}
		expect(trigger.instance.executions.map(({ items }) => items[0]?.webhookOwner)).toEqual(
			made.map(({ id }) => ({ source: 'campaign', id })),
		);
		const bodies = (await service.requests('POST', '/api/v1/campaigns')).filter(({ path }) =>
			path.endsWith('campaigns'),
		);
		expect(JSON.stringify(bodies)).not.toContain('trigger');
	});

	test('creates each campaign once, and says why it is not connected', async () => {
		await publish(active);
		const parameters = create();
		await trigger.deployment.unpublish();
		expect(await json(parameters, three)).toMatchObject(
			three.map((item) => ({
				...item,
				id: expect.any(String),
				connected: false,
				connectCode: 'NOT_PUBLISHED',
				connectMessage: expect.stringMatching(/No published workflow listens.*Publish/),
			})),
		);
		const posts = (await service.requests('POST')).filter(({ path }) => path === '/api/v1/campaigns');
		expect(posts).toHaveLength(3);
	});

	test('needs a URL, or nothing is created', async () => {
		await publish(active);
		const wrong = { ...create(), options: { trigger: { __rl: true, mode: 'url', value: 'here' } } };
		const message = expect.stringContaining("'Connect to Trigger'");
		expect(await json(wrong, three)).toMatchObject(three.map(() => ({ code: 'INVALID_INPUT', message })));
		const posts = (await service.requests('POST')).filter(({ path }) => path === '/api/v1/campaigns');
		expect(posts).toEqual([]);
	});
});

describe('A connected campaign', () => {
	test('can be awaited by event: each item gets its outcome', async () => {
		await publish(paused);
		await connect(active);
		const items = ['+12025550001', '+12025550002', '+12025550003'].map((to) => ({ to }));
		const { outputs } = await service.run(waiting(active), items, goOn);
		expect(outputs[0] ?? []).not.toMatchObject([{ json: { code: 'NO_TRIGGER' } }]);
		expect(await service.requests('POST', `/campaigns/${active}/call`)).toHaveLength(3);
	});

	test('has nothing to complain about for Check Registration, and its webhook is not changed by it', async () => {
		await publish(active);
		await connect(paused);
		expect(await check(paused)).toMatchObject([{ ok: true, answers: true, rightUrl: true, problems: [] }]);
		expect(await check(active)).toMatchObject([{ ok: true, problems: [] }]);
		expect(await service.requests('PUT')).toEqual([]);
	});
});

describe('A webhook made by hand, with the URL of a trigger of another campaign,', () => {
	const ownerless = () => trigger.deployment.webhookUrl();
	const ofTheOther = () => trigger.url;
	const right = () => urlOf(active);

	test.each([
		['without an owner', ownerless, 'NOT_REGISTERED_BY_TRIGGER', "'Rotate Secret'"],
		['of the other campaign', ofTheOther, 'TRIGGER_OF_ANOTHER', "'Connect to Trigger'"],
		['of this campaign', right, 'NOT_REGISTERED_BY_TRIGGER', "'Rotate Secret'"],
	])('%s is explained by Check Registration, and nobody is called', async (_what, url, code, advice) => {
		await publish(paused);
		await service.api('POST', `campaigns/${active}/webhooks`, { name: 'By hand', webhook_url: url(), events: ends });
		const [found] = await check(active);
		expect(found).toMatchObject({ ok: false, answers: false });
		expect(found?.problems).toMatchObject([{ code, whatToDo: expect.stringContaining(advice) }]);
		const items = ['+12025550001', '+12025550002', '+12025550003'].map((to) => ({ to }));
		expect(await json(waiting(active), items)).toMatchObject(items.map(() => ({ code: 'NO_TRIGGER' })));
		expect(await service.requests('POST', '/call')).toEqual([]);
		expect(await service.requests('PUT')).toEqual([]);
	});

	test('does what it says once its secret is rotated', async () => {
		await publish(paused);
		const made = { name: 'By hand', webhook_url: right(), events: ends };
		const { body } = await service.api('POST', `campaigns/${active}/webhooks`, made);
		const { id } = body.data as { id: string };
		await json({ resource: 'webhook', operation: 'rotateSecret', campaign: byId(active), webhook: byId(id) });
		expect(await check(active)).toMatchObject([{ ok: true, problems: [] }]);
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	});

	test('does what it says once it is deleted and the campaign is connected', async () => {
		await publish(paused);
		const { body } = await service.api('POST', `campaigns/${active}/webhooks`, {
			name: 'By hand',
			webhook_url: ownerless(),
			events: ends,
		});
		await service.api('DELETE', `campaigns/${active}/webhooks/${(body.data as { id: string }).id}`);
		expect(await connect(active)).toMatchObject([{ connected: true }]);
		expect(await check(active)).toMatchObject([{ ok: true, problems: [] }]);
	});
});

test('a campaign among several that a trigger has chosen can be awaited by event', async () => {
	await publish(paused, { additionalCampaigns: [draft, active] });
	expect(await check(active)).toMatchObject([{ ok: true, answers: true, problems: [] }]);
	const items = ['+12025550001', '+12025550002', '+12025550003'].map((to) => ({ to }));
	await service.run(waiting(active), items, goOn);
	expect(await service.requests('POST', `/campaigns/${active}/call`)).toHaveLength(3);
});
