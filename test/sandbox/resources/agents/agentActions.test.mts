import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { expectRefusals } from '../../refusals.mts';

const webhook = { node_id: 'look-up', name: 'look_up', description: 'Looks a person up', type: 'webhook' };

describe('actions of an agent', () => {
	let service: SandboxClient;
	let agent: string;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		agent = `/agents/${service.seed.agents.published}`;
		path = `${agent}/actions`;
	});
	afterEach(() => service.close());

	const put = (changes: object = {}) => service.api('POST', path, { ...webhook, ...changes });
	const all = async (): Promise<Json[]> => asList((await service.api('GET', path)).data.data);
	const status = async () => (await service.api('GET', agent)).data.data.current_status;

	it('are listed without pages, and are the same in the agent', async () => {
		const { data } = await service.api('GET', path);
		expect(data).toEqual({ success: true, data: [expect.objectContaining({ name: 'book_appointment' })] });
		expect(data.data).toEqual((await service.api('GET', agent)).data.data.actions);
		expect(await status()).toBe('published');
		const none = await service.api('GET', `/agents/${service.seed.agents.draft}/actions`);
		expect(none.data).toEqual({ success: true, data: [] });
	});

	it('are added with all fields that a read shows, and make the agent a draft', async () => {
		const inputs = [
			{ name: 'email', type: 'string', required: true, description: 'Whom to look up' },
			{ name: 'limit', type: 'integer', required: false, description: 'How many', value: 3 },
		];
		const { status: code, data } = await put({
			inputs,
			url: 'https://example.com/look-up',
			authorization_url: 'https://example.com/token',
			current_status: 'inactive',
		});
		expect(code).toBe(200);
		expect(data).toEqual({
			success: true,
			message: expect.any(String),
			data: {
				id: expect.any(String),
				name: 'look_up',
				label: 'look_up',
				description: 'Looks a person up',
				type: 'webhook',
				input_schema: inputs,
				config: null,
				action_trigger: null,
				url: 'https://example.com/look-up',
				authorization_url: 'https://example.com/token',
				current_status: 'inactive',
				created_at: expect.stringMatching(/Z$/),
				updated_at: expect.stringMatching(/Z$/),
			},
		});
		expect((await all())[1]).toEqual(data.data);
		expect(await status()).toBe('draft');
	});

	it('do not show write-only fields', async () => {
		const { data } = await put({
			type: 'external',
			integration: { id: 'crm' },
			authorization_scheme: 'bearer',
			custom_headers: [{ key: 'X-Key', value: 'hidden value' }],
			speak_on_send: 'hidden phrase',
			speak_on_receive: 'hidden phrase, {{name}}',
			execution_mode: 'post_call',
			hold_duration: 5,
			transfer_to: '+12025550177',
		});
		expect(Object.keys(data.data).sort()).toEqual([
			'action_trigger',
			'authorization_url',
			'config',
			'created_at',
			'current_status',
			'description',
			'id',
			'input_schema',
			'label',
			'name',
			'type',
			'updated_at',
			'url',
		]);
		expect(JSON.stringify([data, await all()])).not.toMatch(/hidden|look-up|crm|0177/);
	});

	it('are updated as a whole when their node_id is known, in their place and with their id', async () => {
		const first = await put({ url: 'https://example.com/1', current_status: 'inactive' });
		await put({ node_id: 'another', name: 'another' });
		await service.advance(60);
		const second = await put({ name: 'look_up_2' });
		expect(second.data.data).toMatchObject({
			id: first.data.data.id,
			created_at: first.data.data.created_at,
			name: 'look_up_2',
			url: null,
			current_status: 'active',
		});
		expect(second.data.data.updated_at).not.toEqual(first.data.data.updated_at);
		expect((await all()).map(({ name }) => name)).toEqual(['book_appointment', 'look_up_2', 'another']);
	});

	it('of two agents may have the same node_id', async () => {
		const one = await put();
		const other = await service.api('POST', `/agents/${service.seed.agents.draft}/actions`, webhook);
		expect(other.data.data.id).not.toEqual(one.data.data.id);
		expect(await all()).toHaveLength(2);
	});

	it.each([
		['transfer', { transfer_to: '+12025550177' }, 'transfer_to', '+12025550177'],
		['hold', { hold_duration: 30 }, 'hold_duration', 30],
	])('of type %s carry their value in an input, and have no url', async (type, field, name, value) => {
		const given = { name, type: 'string', required: true, description: 'Mine', value: 'old' };
		const url = 'https://example.com';
		const added = (await put({ type, url, authorization_url: url, ...field })).data.data;
		expect(added).toMatchObject({
			url: null,
			authorization_url: null,
			input_schema: [{ name, type: expect.any(String), required: true, description: expect.any(String), value }],
		});
		const laid = (await put({ type, inputs: [given], ...field })).data.data;
		expect(laid.input_schema).toEqual([{ ...given, value }]);
		const alone = (await put({ type, inputs: [given] })).data.data;
		expect(alone.input_schema).toEqual([given]);
	});

	it('show all fields of an input', async () => {
		const { data } = await put({ inputs: [{ name: 'day', type: 'string' }] });
		expect(data.data.input_schema).toEqual([{ name: 'day', type: 'string', required: false, description: '' }]);
	});

	it.each<[string, unknown, string?]>([
		['node_id', undefined],
		['node_id', ''],
		['name', undefined],
		['name', 'x'.repeat(256)],
		['description', undefined],
		['type', undefined],
		['type', 'email'],
		['inputs', {}],
		['inputs', [{ type: 'string' }], 'inputs.0.name'],
		['inputs', [{ name: 'a' }], 'inputs.0.type'],
		['inputs', [{ name: 'a', type: 'string', required: 'yes' }], 'inputs.0.required'],
		['integration', 'crm'],
		['integration', {}, 'integration.id'],
		['integration', { id: 'spreadsheet' }, 'integration.id'],
		['url', 'example.com'],
		['url', 'ftp://example.com'],
		['url', 'https://'],
		['authorization_url', 'no url'],
		['authorization_scheme', 'digest'],
		['custom_headers', [{ key: 'a' }], 'custom_headers.0.value'],
		['custom_headers', [{ key: 'a b', value: 'c' }], 'custom_headers.0.key'],
		['speak_on_send', 7],
		['speak_on_receive', 7],
		['execution_mode', 'later'],
		['execution_mode', 'post_call'],
		['hold_duration', -1],
		['hold_duration', 1.5],
		['transfer_to', '2025550177'],
		['current_status', 'paused'],
	])('are refused with %s %j', async (field, value, key = field) => {
		const { status: code, data } = await put({ [field]: value });
		expect([code, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [key]: [expect.any(String)] } },
		]);
		expect(await status()).toBe('published');
	});

	it.each(['webhook', 'transfer', 'hold'])('of type %s do not run after the call', async (type) => {
		expect((await put({ type, execution_mode: 'post_call' })).data.errors).toHaveProperty('execution_mode');
		expect((await put({ type, execution_mode: 'during_call' })).status).toBe(200);
	});

	it.each(['calendar', 'email-calendar', 'crm', '0b7f4d6e-5f0c-4d7e-9a55-3f1d2c7b8a90'])(
		'take the integration %s',
		async (id) => expect((await put({ type: 'external', integration: { id } })).status).toBe(200),
	);

	it('have a name of 255 characters at most', async () => {
		expect((await put({ name: 'x'.repeat(255) })).status).toBe(200);
	});

	it('are deleted at once, which makes the agent a draft', async () => {
		const [action] = await all();
		const one = `${path}/${asText(action?.id)}`;
		const deleted = await service.api('DELETE', one);
		expect([deleted.status, deleted.data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect(await all()).toEqual([]);
		expect(await status()).toBe('draft');
		const again = await service.api('DELETE', one);
		expect([again.status, again.data]).toEqual([404, { success: false, message: 'Action not found.' }]);
	});

	it('of another agent cannot be deleted', async () => {
		const [action] = await all();
		const { status: code } = await service.api(
			'DELETE',
			`/agents/${service.seed.agents.draft}/actions/${asText(action?.id)}`,
		);
		expect([code, (await all()).length]).toEqual([404, 1]);
	});

	it('need a known agent and a token with permission', async () => {
		for (const [method, missing] of [
			['GET', '/agents/nobody/actions'],
			['POST', '/agents/nobody/actions'],
			['DELETE', '/agents/nobody/actions/any'],
		] as const) {
			expect((await service.api(method, missing)).data).toEqual({ success: false, message: 'Agent not found.' });
		}
		await expectRefusals(service, 'GET', path);
		await expectRefusals(service, 'POST', path, webhook);
		await expectRefusals(service, 'DELETE', `${path}/${asText((await all())[0]?.id)}`);
		expect(await all()).toHaveLength(1);
	});
});

describe('the catalog of integrations', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	it('lists them with their categories', async () => {
		const { status, data } = await service.api('GET', '/action-integrations');
		expect([status, data.success]).toEqual([200, true]);
		expect(asList(data.data).map(({ identifier, category }) => [identifier, category])).toEqual([
			['calendar', 'scheduling'],
			['email-calendar', 'communication'],
			['crm', 'data'],
		]);
		for (const item of asList(data.data)) {
			expect(item).toEqual({
				identifier: expect.any(String),
				display_name: expect.any(String),
				description: expect.any(String),
				category: expect.any(String),
				icon_url: expect.stringMatching(/^https:/),
			});
		}
	});

	it('needs a token', () => expectRefusals(service, 'GET', '/action-integrations'));
});
