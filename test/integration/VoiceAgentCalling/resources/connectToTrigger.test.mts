import { byId, goesOn, jsonOf, to, useService } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';
import { kinds, Webhooks } from './webhookKinds.mts';

const service = useService();
let trigger: Published;
let active: string;
let paused: string;
const ends = ['campaign_call.completed', 'campaign_call.failed'];

beforeAll(() => void ({ active, paused } = service.seed.campaigns));

async function publish(campaign: string, options: object = {}): Promise<void> {
	trigger = await publishTrigger(service, { campaign: byId(campaign), events: ends, options: options as never });
	service.n8nUrl = trigger.instance.url;
}

/** The URL of the webhook of a campaign that delivers to the trigger, without the times of its secrets. */
const urlOf = (campaign: string) => `${trigger.deployment.webhookUrl()}?campaign=${campaign}`;
const atUrl = () => ({ __rl: true, mode: 'url', value: trigger.deployment.webhookUrl() });
const json = async (parameters: object, items: object[] = [{}]) =>
	jsonOf(await service.run(parameters as never, items as never, { node: goesOn }));
const onWebhook = async (operation: string, campaign: string, more: object = {}) =>
	await json({ resource: 'webhook', operation, campaign: byId(campaign), ...more });
const check = async (campaign: string) => await onWebhook('checkRegistration', campaign);
const items = to('+12025550001', '+12025550002', '+12025550003');
/** Queues three calls that are awaited by event. */
const waitFor = async (campaign: string) =>
	await json(service.queue({}, { operation: 'queueCallAndWait', campaign: byId(campaign), waitBy: 'event' }), items);
const calls = async () => await service.requests('POST', '/call');

describe('Campaign → Create → Options → Connect to Trigger', () => {
	const create = () => ({
		resource: 'campaign',
		operation: 'create',
		name: '={{ $json.name }}',
		timezone: 'Europe/Berlin',
		agent: byId(service.seed.agents.published),
		options: { trigger: atUrl() },
	});
	const three = ['One', 'Two', 'Three'].map((name) => ({ name }));
	const created = async () => (await service.requests('POST')).filter(({ path }) => path === '/api/v1/campaigns');

	test('connects each new campaign to the trigger', async () => {
		await publish(active);
		const made = await json(create(), three);
		expect(made).toMatchObject(three.map((item) => ({ ...item, status: 'draft', connected: true })));
		for (const { id } of made) {
			const [hook, ...others] = await service.webhooks(String(id));
			expect([hook?.webhook_url, others]).toEqual([expect.stringContaining(urlOf(String(id))), []]);
			await service.deliver({ webhookId: hook?.id ?? '' });
		}
		expect(trigger.instance.executions.map((execution) => execution.items[0]?.webhookOwner)).toEqual(
			made.map(({ id }) => ({ source: 'campaign', id })),
		);
		expect(JSON.stringify(await created())).not.toContain('trigger');
	});

	test('creates each campaign once, and says why it is not connected', async () => {
		await publish(active);
		const parameters = create();
		await trigger.deployment.unpublish();
		const unconnected = { id: expect.any(String), connected: false, connectCode: 'NOT_PUBLISHED' };
		expect(await json(parameters, three)).toMatchObject(three.map((item) => ({ ...item, ...unconnected })));
		expect(await created()).toHaveLength(3);
	});
});

test('A connected campaign can be awaited by event, Check Registration has nothing to say, and changes no webhook', async () => {
	await publish(paused);
	await onWebhook('connectToTrigger', active, { trigger: atUrl() });
	for (const campaign of [active, paused]) {
		expect(await check(campaign)).toMatchObject([{ ok: true, answers: true, rightUrl: true, problems: [] }]);
	}
	expect(await service.requests('PUT')).toEqual([]);
	await waitFor(active);
	expect(await calls()).toHaveLength(3);
});

describe('A webhook made by hand, with the URL of a trigger of another campaign,', () => {
	const byHand = async (webhook_url: string) =>
		await new Webhooks(service, kinds[0]).make(webhook_url, { events: ends });

	test.each([
		['without an owner', () => trigger.deployment.webhookUrl(), 'NOT_REGISTERED_BY_TRIGGER'],
		['of the other campaign', () => trigger.url, 'TRIGGER_OF_ANOTHER'],
		['of this campaign', () => urlOf(active), 'NOT_REGISTERED_BY_TRIGGER'],
	])('%s is explained by Check Registration, and nobody is called', async (_what, url, code) => {
		await publish(paused);
		await byHand(url());
		expect(await check(active)).toMatchObject([{ ok: false, answers: false, problems: [{ code }] }]);
		expect(await waitFor(active)).toMatchObject(items.map(() => ({ code: 'NO_TRIGGER' })));
		expect([await calls(), await service.requests('PUT')]).toEqual([[], []]);
	});
});
