import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { agentWebhookOn, webhookOn } from '../../objects.mts';
import { expectAllRefused } from '../../refusals.mts';

const flat = { success: false, message: expect.any(String) };
const bare = { message: expect.any(String) };

/** The tests that webhooks of agents and campaigns share; `wrongToken` and `refused` are their 401 and 422. */
const OWNERS = [
	{
		of: 'an agent',
		events: AGENT_EVENTS,
		foreignEvent: 'campaign.started',
		create: agentWebhookOn,
		owner: ({ seed }: SandboxClient) => seed.agents.published,
		stranger: ({ seed }: SandboxClient) => seed.agents.draft,
		path: (id: string) => `/agents/${id}/webhooks`,
		missing: 'Agent not found.',
		wrongToken: bare,
		refused: bare,
	},
	{
		of: 'a campaign',
		events: CAMPAIGN_EVENTS,
		foreignEvent: 'event_phone_call_ended',
		create: webhookOn,
		owner: ({ seed }: SandboxClient) => seed.campaigns.active,
		stranger: ({ seed }: SandboxClient) => seed.campaigns.draft,
		path: (id: string) => `/campaigns/${id}/webhooks`,
		missing: 'Campaign not found.',
		wrongToken: flat,
		refused: flat,
	},
];

describe.each(OWNERS)('the webhook of $of', (kind) => {
	let service: SandboxClient;
	let path: string;
	let minimal: Record<string, unknown>;
	beforeAll(async () => {
		service = await startClient();
		path = kind.path(kind.owner(service));
		minimal = { name: 'Hook', webhook_url: 'https://example.com/hook', events: [kind.events[0]] };
	});
	afterAll(() => service.close());

	const create = (changes: object = {}) => kind.create(service, kind.owner(service), 'https://example.com', changes);
	const get = async (id: string): Promise<Json> => (await service.api('GET', `${path}/${id}`)).data.data;

	it.each<[string, unknown, string?]>([
		['name', undefined],
		['name', ''],
		['name', null],
		['name', 'x'.repeat(256)],
		['webhook_url', undefined],
		['webhook_url', 'not a url'],
		['webhook_url', 'ftp://example.com'],
		['webhook_url', `https://example.com/${'x'.repeat(481)}`],
		['events', undefined],
		['events', []],
		['events', 'campaign.started'],
		['events', ['campaign.exploded'], 'events.0'],
		['webhook_secret', ''],
		['webhook_secret', 'x'.repeat(256)],
		['timeout', 4],
		['timeout', 121],
		['timeout', 7.5],
		['timeout', '30'],
		['max_retries', -1],
		['max_retries', 11],
		['max_retries', 1.5],
		['http_method', 'GET'],
		['http_method', 'post'],
		['authorization_scheme', 'digest'],
		['custom_headers', { key: 'a', value: 'b' }],
		['custom_headers', [{ key: 'a' }], 'custom_headers.0.value'],
		['custom_headers', [{ key: 'a b', value: 'c' }], 'custom_headers.0.key'],
		['custom_headers', [{ key: 'a', value: 'b\nc' }], 'custom_headers.0.value'],
		['payload_templates', []],
		['payload_templates', { 'campaign.started': 'text' }, 'payload_templates.campaign.started'],
		['enabled', 'true'],
	])('is refused with %s %j, on creation and on update', async (field, value, key = field) => {
		const expected = { ...kind.refused, errors: { [key]: [expect.any(String)] } };
		const creation = await service.api('POST', path, { ...minimal, [field]: value });
		expect([creation.status, creation.data]).toEqual([422, expected]);
		if (value === undefined) {
			return;
		}
		const id = await create();
		const before = await get(id);
		const update = await service.api('PUT', `${path}/${id}`, { [field]: value });
		expect([update.status, update.data]).toEqual([422, expected]);
		expect(await get(id)).toEqual(before);
	});

	it('does not accept the kinds of the other type of webhook', async () => {
		const { data } = await service.api('POST', path, { ...minimal, events: [kind.events[0], kind.foreignEvent] });
		expect(Object.keys(data.errors)).toEqual(['events.1']);
	});

	it.each([
		{ name: 'x'.repeat(255), webhook_url: `https://example.com/${'x'.repeat(480)}`, webhook_secret: 's'.repeat(255) },
		{ name: 'x', webhook_url: 'http://a', webhook_secret: 's', timeout: 5, max_retries: 0, http_method: 'PUT' },
		{ timeout: 120, max_retries: 10, http_method: 'PATCH', authorization_scheme: 'api_key', enabled: false },
		{ custom_headers: [], payload_templates: {}, webhook_secret: null, http_method: 'POST' },
		{ custom_headers: [{ key: 'X-Key', value: '' }], payload_templates: { any_kind: { id: '{{call.id}}' } } },
		...['none', 'bearer', 'basic', 'custom'].map((authorization_scheme) => ({ authorization_scheme })),
	])('accepts %j, on creation and on update', async (settings) => {
		expect((await service.api('POST', path, { ...minimal, events: kind.events, ...settings })).status).toBe(201);
		expect((await service.api('PUT', `${path}/${await create()}`, settings)).status).toBe(200);
	});

	it('has the documented defaults', async () => {
		const { data } = await service.api('POST', path, minimal);
		expect(await get(asText(data.data.id))).toMatchObject({ enabled: true, timeout: 30, max_retries: 3 });
	});

	it('changes only in the fields that an update sends, and not at all without any', async () => {
		const id = await create({ timeout: 60, enabled: false });
		const before = await get(id);
		expect((await service.api('PUT', `${path}/${id}`, {})).status).toBe(200);
		await service.api('PUT', `${path}/${id}`, { name: 'New', max_retries: 9 });
		const { updated_at: _updatedAt, ...rest } = before;
		expect(await get(id)).toMatchObject({ ...rest, name: 'New', max_retries: 9 });
	});

	it('never shows its method, scheme, headers, templates and secret', async () => {
		const hidden = {
			http_method: 'PATCH',
			authorization_scheme: 'custom',
			custom_headers: [{ key: 'X-Hidden-Key', value: 'hidden value' }],
			payload_templates: { [kind.events[0] as string]: { hidden: 'template' } },
			webhook_secret: 'hidden secret',
		};
		const created = await service.api('POST', path, { ...minimal, ...hidden });
		const one = `${path}/${asText(created.data.data.id)}`;
		const answers = [
			created,
			await service.api('PUT', one, hidden),
			await service.api('PATCH', `${one}/toggle`),
			await service.api('GET', one),
			await service.api('GET', path),
		];
		const seen = JSON.stringify(answers.map(({ data }) => data));
		expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
		for (const text of [...Object.keys(hidden), 'PATCH', 'hidden', 'Hidden']) {
			expect(seen).not.toContain(text);
		}
	});

	it('is disabled and enabled in turn', async () => {
		const id = await create();
		const toggle = async () => (await service.api('PATCH', `${path}/${id}/toggle`)).data;
		expect(await toggle()).toMatchObject({ message: 'Webhook disabled successfully.', data: { id, enabled: false } });
		expect((await get(id)).enabled).toBe(false);
		expect(await toggle()).toMatchObject({ message: 'Webhook enabled successfully.', data: { id, enabled: true } });
	});

	it('does not exist after deletion, nor does its log', async () => {
		const id = await create();
		const { status, data } = await service.api('DELETE', `${path}/${id}`);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		const webhooks = asList((await service.api('GET', path)).data.data.webhooks);
		expect(webhooks.map((webhook) => webhook.id)).not.toContain(id);
		for (const [method, rest] of [
			['GET', ''],
			['DELETE', ''],
			['GET', '/logs'],
		] as const) {
			expect((await service.api(method, `${path}/${id}${rest}`)).status).toBe(404);
		}
	});

	it('is refused on every route without permission, without its owner, and for another owner', async () => {
		const ROUTES = [
			['GET', ''],
			['PUT', ''],
			['DELETE', ''],
			['PATCH', '/toggle'],
			['POST', '/test'],
			['GET', '/logs'],
			['POST', '/logs/any/retry'],
		] as const;
		const id = await create();
		const elsewhere = kind.path(kind.stranger(service));
		await expectAllRefused(
			service,
			[
				['GET', kind.path('nobody'), kind.missing],
				['POST', kind.path('nobody'), kind.missing],
				...ROUTES.flatMap(
					([method, rest]): Array<[string, string, string]> => [
						[method, `${kind.path('nobody')}/${id}${rest}`, kind.missing],
						[method, `${path}/unknown${rest}`, 'Webhook not found.'],
						[method, `${elsewhere}/${id}${rest}`, 'Webhook not found.'],
					],
				),
				['POST', `${path}/${id}/logs/unknown/retry`, 'Webhook log not found.'],
			],
			kind.wrongToken,
		);
		expect((await get(id)).id).toBe(id);
	});

	it('is refused with a body that is not a JSON object', async () => {
		for (const [method, at] of [
			['POST', path],
			['PUT', `${path}/${await create()}`],
		] as const) {
			const broken = await service.api(method, at, '{"name":');
			expect([broken.status, broken.data]).toEqual([400, flat]);
			const array = await service.api(method, at, '[]');
			expect([array.status, array.data]).toEqual([422, { ...kind.refused, errors: { body: [expect.any(String)] } }]);
		}
	});

	it('is refused with 429 beyond the limit', async () => {
		const limited = await startClient({ rateLimit: 0 });
		const { status, data } = await limited.api('GET', path);
		expect([status, data]).toEqual([429, flat]);
		await limited.close();
	});
});
