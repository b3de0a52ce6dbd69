import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const key = ['key', 'of', 'the', 'calendar'].join('-');

const operation = (name: string, more = {}) => ({
	resource: 'agentAction',
	operation: name,
	agent: byId('={{ $json.agent }}'),
	publishAfterwards: 'never',
	...more,
});
const actions = async (agent: string) =>
	(await service.api('GET', `agents/${agent}/actions`)).body.data as Array<{ id: string; name: string }>;
const status = async (agent: string) =>
	((await service.api('GET', `agents/${agent}`)).body.data as { current_status: string }).current_status;

describe('Agent Action', () => {
	describe('Create or Update', () => {
		const upsert = (more = {}) =>
			operation('upsert', {
				nodeId: '={{ $json.node || "book" }}',
				name: '={{ $json.name || "book" }}',
				description: 'Books',
				...more,
			});
		const common = { name: 'book', description: 'Books', node_id: 'book' };

		test('sends a webhook with all settings, and does not output the headers', async () => {
			const agent = service.seed.agents.published;
			const inputs = {
				values: [
					{ name: 'day', type: 'string', required: true, description: 'YYYY-MM-DD', value: '' },
					{ name: 'room', type: 'number', required: false, description: '', value: 7 },
				],
			};
			const options = {
				authorizationScheme: 'bearer',
				authorizationUrl: 'https://example.com/token',
				extraHeaders: { values: [{ name: 'X-Key', value: key }] },
				integration: byId('calendar'),
				speakOnSend: 'One moment.',
				speakOnReceive: 'Booked for {{ day }}.',
				status: 'inactive',
			};
			const items = [
				{ agent, url: 'https://example.com/book' },
				{ agent: nobody, url: 'https://example.com/book' },
				{ agent, url: 'example.com' },
				{ agent, url: '' },
				{ agent, url: 'https://example.com/book', name: 'x'.repeat(256) },
				{ agent, url: 'https://example.com/other', node: 'other' },
			];
			const sent = await expectItems(
				service,
				upsert({ type: 'webhook', inputs, url: '={{ $json.url }}', options }),
				items,
				[
					{
						id: expect.any(String),
						name: 'book',
						type: 'webhook',
						url: 'https://example.com/book',
						current_status: 'inactive',
					},
					failed('AGENT_NOT_FOUND'),
					failed('INVALID_INPUT', { message: expect.stringContaining('\'URL\' cannot be "example.com"') }),
					failed('INVALID_INPUT', { message: expect.stringContaining("'URL' is empty") }),
					failed('INVALID_INPUT', { message: expect.stringContaining('255 characters at most') }),
					{ url: 'https://example.com/other' },
				],
			);
			const body = {
				...common,
				type: 'webhook',
				inputs: [
					{ name: 'day', type: 'string', required: true, description: 'YYYY-MM-DD' },
					{ name: 'room', type: 'number', required: false, description: '', value: 7 },
				],
				authorization_scheme: 'bearer',
				authorization_url: 'https://example.com/token',
				custom_headers: [{ key: 'X-Key', value: key }],
				integration: { id: 'calendar' },
				speak_on_send: 'One moment.',
				speak_on_receive: 'Booked for {{ day }}.',
				current_status: 'inactive',
			};
			const url = 'https://example.com/book';
			expect(sent).toEqualInAnyOrder([
				['POST', `agents/${agent}/actions`, { ...body, url }],
				['POST', `agents/${nobody}/actions`, { ...body, url }],
				['POST', `agents/${agent}/actions`, { ...body, node_id: 'other', url: 'https://example.com/other' }],
			]);
			expect(await status(agent)).toBe('draft');
			await service.fault({ kind: 'status', status: 422, body: { success: false, message: `No ${key}.` } });
			const { outputs } = await service.run(upsert({ type: 'webhook', url, options }), [{ agent }], {
				node: { onError: 'continueRegularOutput' },
			});
			expect(outputs[0]?.[0]?.json.message).toContain('No [hidden].');
		});

		test('sends only the fields of the chosen type, even if others have a value', async () => {
			const agent = service.seed.agents.published;
			const leftovers = { url: 'https://example.com/book', transferTo: '={{ $json.to }}' };
			const options = {
				executionMode: 'post_call',
				holdDuration: 20,
				authorizationUrl: 'https://example.com/token',
				authorizationScheme: 'none',
				speakOnSend: 'Bye.',
				speakOnReceive: 'Done.',
				integration: byId('crm'),
			};
			const any = {
				inputs: [],
				authorization_scheme: 'none',
				speak_on_send: 'Bye.',
				speak_on_receive: 'Done.',
				integration: { id: 'crm' },
			};
			const items = [
				{ agent, type: 'transfer', to: '+49 (0)30 1234567' },
				{ agent, type: 'transfer', to: '030 1234567' },
				{ agent, type: 'transfer', to: '' },
				{ agent, type: 'hold' },
				{ agent, type: 'external' },
				{ agent, type: 'dance' },
			];
			const sent = await expectItems(service, upsert({ type: '={{ $json.type }}', options, ...leftovers }), items, [
				{ type: 'transfer', url: null, input_schema: [{ name: 'transfer_to', value: '+49301234567' }] },
				failed('INVALID_INPUT', {
					message: expect.stringContaining('\'Transfer To\': "030 1234567" has no country code'),
				}),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Transfer To' is empty") }),
				{ type: 'hold', input_schema: [{ name: 'hold_duration', value: 20 }] },
				{ type: 'external' },
				failed('INVALID_INPUT', { message: expect.stringContaining("'Type' cannot be") }),
			]);
			expect(sent.map(([, , body]) => body)).toEqual([
				{ ...common, ...any, type: 'transfer', transfer_to: '+49301234567' },
				{ ...common, ...any, type: 'hold', hold_duration: 20 },
				{ ...common, ...any, type: 'external', execution_mode: 'post_call' },
			]);
		});

		test('updates the action with the Action Key, and can publish the agent afterwards', async () => {
			const agent = service.seed.agents.published;
			const write = (name: string) =>
				upsert({ type: 'hold', nodeId: 'wait', name, publishAfterwards: 'always', options: { integration: byId('') } });
			const first = await service.run(write('wait'), [{ agent }]);
			const { length } = await actions(agent);
			const sent = await expectItems(
				service,
				write('wait_longer'),
				[{ agent }],
				[{ id: first.outputs[0]?.[0]?.json.id, name: 'wait_longer', published: true, current_status: 'active' }],
			);
			expect(sent.map(([method, path]) => [method, path])).toEqual([
				['POST', `agents/${agent}/actions`],
				['POST', `agents/${agent}/publish`],
			]);
			expect(await actions(agent)).toHaveLength(length);
			expect(await status(agent)).toBe('published');
		});

		test('is not retried when the response is lost, since it might create a second action', async () => {
			const agent = service.seed.agents.published;
			await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
			const { run } = await service.run(upsert({ type: 'hold' }), [{ agent }], {
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			});
			expect(run.error?.message).toContain('Outcome unknown');
			expect(await service.requests('POST', '/actions')).toHaveLength(1);
		});

		test.each([
			['a name', { name: '', type: 'string' }],
			['a type', { name: 'day', type: ' ' }],
		])('requires %s for each input, and otherwise sends no request', async (_what, row) => {
			const inputs = {
				values: [
					{ name: 'one', type: 'string', required: false, description: '', value: '' },
					{ required: false, description: '', value: '', ...row },
				],
			};
			const { run } = await service.run(upsert({ type: 'hold', inputs }), [{ agent: service.seed.agents.published }]);
			expect(run.error?.message).toMatch(/^'Inputs', Input 2, (Name|Type) cannot be /);
			expect(await service.requests()).toEqual([]);
		});
	});

	test('Get Many lists the actions of an agent, with ten fields or all', async () => {
		const { published, draft } = service.seed.agents;
		const all = await actions(published);
		const { outputs } = await service.run(operation('getAll', { returnAll: true }), [
			{ agent: published },
			{ agent: draft },
			{ agent: published },
		]);
		expect(outputs[0]).toMatchObject(
			[0, 2].flatMap((item) => all.map(({ id }) => ({ json: { id }, pairedItem: { item } }))),
		);
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const whole = await service.run(operation('getAll', { limit: 1, output: 'raw' }), [{ agent: published }]);
		expect(whole.outputs[0]?.map(({ json }) => json)).toEqual(all.slice(0, 1));
		await expectItems(
			service,
			operation('getAll'),
			[{ agent: nobody }, { agent: '' }],
			[failed('AGENT_NOT_FOUND'), failed('INVALID_INPUT')],
		);
	});

	test('Delete removes an action and makes the agent a draft, or publishes it afterwards', async () => {
		const agent = service.seed.agents.published;
		const [known] = await actions(agent);
		const remove = (more = {}) => operation('delete', { agentAction: byId('={{ $json.action }}'), ...more });
		const items = [known?.id, nobody, ''].map((action) => ({ agent, action }));
		const sent = await expectItems(service, remove(), items, [
			{ deleted: true },
			failed('ACTION_NOT_FOUND', { httpStatus: 404 }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Action' is empty") }),
		]);
		expect(sent).toEqualInAnyOrder([known?.id, nobody].map((id) => ['DELETE', `agents/${agent}/actions/${id}`]));
		expect(await actions(agent)).toEqual([]);
		expect(await status(agent)).toBe('draft');

		const added = await service.api('POST', `agents/${agent}/actions`, {
			node_id: 'a',
			name: 'a',
			description: 'a',
			type: 'hold',
		});
		const { id } = added.body.data as { id: string };
		await expectItems(
			service,
			remove({ publishAfterwards: 'always' }),
			[{ agent, action: id }],
			[{ deleted: true, published: true }],
		);
		expect(await status(agent)).toBe('published');
	});
});
