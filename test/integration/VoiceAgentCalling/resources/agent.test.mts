import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'agent',
	operation: name,
	agent: byId('={{ $json.id }}'),
	...more,
});

/** The fields of Create with the defaults that the editor shows. */
const asShown = {
	language: 'en-US',
	direction: 'outbound',
	who_speaks_first: 'agent',
	conversation_speed: 1,
	llm_temperature: 0.4,
	interrupt_sensitivity: 'medium',
	endpointing_sensitivity: 'auto',
	ivr_navigation_mode: 'off',
	initial_message_delay: 1,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 10,
	enable_recording: false,
};

describe('Agent', () => {
	test('Create needs a name only, and sends defaults for what the service requires', async () => {
		const create = operation('create', {
			name: '={{ $json.name }}',
			firstMessage: '={{ $json.message }}',
			prompt: '={{ $json.prompt }}',
			language: '={{ $json.language }}',
			languageCode: '={{ $json.code }}',
		});
		const item = { name: 'Ada', message: '', prompt: '', language: 'en-US', code: '' };
		const items = [
			item,
			{ ...item, name: 'Bea', language: 'other', code: 'tlh' },
			{ ...item, name: '' },
			{ ...item, name: 'x'.repeat(256) },
			{ ...item, language: 'other' },
			{ ...item, name: 'Dora', language: 'de-DE', code: 'fr-FR', message: 'Hello there', prompt: 'Book appointments.' },
			{ ...item, message: 'Hi' },
			{ ...item, prompt: 'Book' },
		];
		const sent = await expectItems(service, create, items, [
			{ id: expect.any(String), name: 'Ada', label: 'Ada', current_status: 'draft' },
			failed('VALIDATION_ERROR', { httpStatus: 422, message: expect.stringContaining('language') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Name' is empty") }),
			failed('INVALID_INPUT', { message: expect.stringContaining('255 characters at most') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Language Code' cannot be") }),
			{ name: 'Dora', language: 'de-DE', current_status: 'draft' },
			failed('INVALID_INPUT', { message: expect.stringContaining("'First Message' cannot be") }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Prompt' cannot be") }),
		]);
		const texts = { initial_message: 'Hello there', description: 'Book appointments.' };
		expect(sent).toEqualInAnyOrder([
			['POST', 'agents', { ...asShown, name: 'Ada', label: 'Ada' }],
			['POST', 'agents', { ...asShown, name: 'Bea', label: 'Bea', language: 'tlh' }],
			['POST', 'agents', { ...asShown, name: 'Dora', label: 'Dora', language: 'de-DE', ...texts }],
		]);
	});

	test('Create sends all settings of Behavior', async () => {
		const options = {
			label: 'Books',
			direction: 'inbound',
			whoSpeaksFirst: 'user',
			conversationSpeed: '1.5',
			temperature: 0,
			interruptSensitivity: 'high',
			endpointingSensitivity: 'medium',
			ivrNavigation: 'standard',
			firstMessageDelay: 0,
			askIfHumanPresent: false,
			idleTime: 300,
			recordCalls: true,
			initialIdleTime: 60,
			initialMaxIdleChecks: 0,
			maxCallDuration: 3600,
			maxIdleChecks: 10,
			sayGoodbye: false,
			userInactivityTimeout: 120,
		};
		const create = operation('create', {
			name: 'Ada',
			language: 'pt-BR',
			phoneNumbers: [service.seed.phoneNumber],
			output: 'raw',
			options,
		});
		const [sent] = await expectItems(
			service,
			create,
			[{}],
			[{ name: 'Ada', voice: null, phone_numbers: [{ id: service.seed.phoneNumber }] }],
		);
		expect(sent?.[2]).toEqual({
			name: 'Ada',
			label: 'Books',
			language: 'pt-BR',
			direction: 'inbound',
			who_speaks_first: 'user',
			conversation_speed: 1.5,
			llm_temperature: 0,
			interrupt_sensitivity: 'high',
			endpointing_sensitivity: 'medium',
			ivr_navigation_mode: 'standard',
			initial_message_delay: 0,
			ask_if_human_present_on_idle: false,
			idle_time_seconds: 300,
			enable_recording: true,
			initial_idle_time_seconds: 60,
			initial_max_idle_check_count: 0,
			max_call_duration_seconds: 3600,
			max_idle_check_count: 10,
			phone_number_ids: [service.seed.phoneNumber],
			say_goodbye_on_max_duration: false,
			user_inactivity_timeout_seconds: 120,
		});
	});

	test('Create makes agents that can be published at once, from the fields at the top', async () => {
		const create = operation('create', {
			name: '={{ $json.name }}',
			firstMessage: 'Hello there',
			prompt: 'Book appointments.',
			voice: byId(service.seed.voiceTemplate),
			phoneNumbers: [service.seed.phoneNumber],
			output: 'raw',
			options: { whoSpeaksFirst: 'user' },
		});
		const { outputs } = await service.run(create, [{ name: 'Ada' }, { name: 'Bea' }, { name: 'Cleo' }]);
		const agents = outputs[0]?.map(({ json }) => json) ?? [];
		expect(agents).toMatchObject(
			['Ada', 'Bea', 'Cleo'].map((name) => ({
				name,
				voiceSet: true,
				voice: { template: { id: service.seed.voiceTemplate } },
			})),
		);
		const body = {
			voice_id: service.seed.voiceTemplate,
			conversation_speed: 1,
			who_speaks_first: 'user',
			language: 'en-US',
		};
		expect((await service.requests('PUT')).map(({ path, body: sent }) => [path, sent])).toEqualInAnyOrder(
			agents.map(({ id }) => [`/api/v1/agents/${id}/voice`, body]),
		);
		await expectItems(
			service,
			operation('publish'),
			agents.map(({ id }) => ({ id })),
			agents.map(({ id }) => ({ id, current_status: 'published' })),
		);
	});

	test('Create returns an agent whose voice could not be set, and why', async () => {
		const create = operation('create', { name: '={{ $json.name }}', voice: byId('={{ $json.voice }}') });
		const items = [
			{ name: 'Ada', voice: nobody },
			{ name: 'Bea', voice: service.seed.voiceTemplate },
			{ name: 'Cleo', voice: '' },
		];
		const { outputs, run } = await service.run(create, items);
		expect(run.status).toBe('success');
		expect(outputs[0]).toMatchObject([
			{
				json: { id: expect.any(String), name: 'Ada', voiceSet: false, voiceCode: 'VOICE_NOT_FOUND' },
				pairedItem: { item: 0 },
			},
			{ json: { name: 'Bea', voiceSet: true }, pairedItem: { item: 1 } },
			{ json: { name: 'Cleo' }, pairedItem: { item: 2 } },
		]);
		expect(outputs[0]?.[0]?.json.voiceMessage).toEqual(expect.stringContaining('Voice'));
		expect(outputs[0]?.[2]?.json).not.toHaveProperty('voiceSet');
		expect(await service.requests('POST')).toHaveLength(3);
	});

	test('Create is not retried when the response is lost, since that would create a second agent', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const { run } = await service.run(operation('create', { name: 'Ada' }), [{}], {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(run.error?.message).toContain('Outcome unknown');
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test('Delete removes a draft, and gives advice on a published agent', async () => {
		const { published, draft } = service.seed.agents;
		const items = [published, draft, nobody, ''].map((id) => ({ id }));
		const sent = await expectItems(service, operation('delete'), items, [
			failed('CONFLICT', { httpStatus: 409, message: expect.stringContaining('Agent → Unpublish') }),
			{ deleted: true },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Agent' is empty") }),
		]);
		expect(sent).toEqualInAnyOrder([published, draft, nobody].map((id) => ['DELETE', `agents/${id}`]));
		expect((await service.api('GET', `agents/${draft}`)).status).toBe(404);
	});

	test('Unpublish turns a published agent into a draft, and leaves a draft as it is', async () => {
		const { published, draft } = service.seed.agents;
		const items = [published, draft, nobody, ''].map((id) => ({ id }));
		const sent = await expectItems(service, operation('unpublish'), items, [
			{ id: published, current_status: 'draft', is_ready_to_publish: true },
			{ id: draft, current_status: 'draft', is_ready_to_publish: true },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT'),
		]);
		expect(sent).toEqualInAnyOrder([published, draft, nobody].map((id) => ['POST', `agents/${id}/unpublish`]));
	});

	test('Unpublish is sent again after an unclear answer', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const { run } = await service.run(operation('unpublish'), [{ id: service.seed.agents.published }], {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(run.status).toBe('success');
	});

	test('Get Pricing returns all prices, or the summary', async () => {
		const { published, draft } = service.seed.agents;
		const items = [published, draft, nobody, ''].map((id) => ({ id }));
		const refused = [failed('AGENT_NOT_FOUND'), failed('INVALID_INPUT')];
		const sent = await expectItems(service, operation('getPricing'), items, [
			...[published, draft].map((agent_id) => ({
				agent_id,
				currency: 'USD',
				components: { voice_synthesis: {} },
				transport: { outbound: {} },
			})),
			...refused,
		]);
		expect(sent).toEqualInAnyOrder([published, draft, nobody].map((id) => ['GET', `agents/${id}/pricing`]));
	});

	test('Get Many sends the filters', async () => {
		const filters = { direction: 'outbound', status: '={{ $json.status }}', search: '' };
		const parameters = { resource: 'agent', operation: 'getAll', filters };
		const { outputs } = await service.run(parameters, [
			{ status: 'published' },
			{ status: 'draft' },
			{ status: 'published' },
		]);
		const ids = outputs[0]?.map(({ json, pairedItem }) => [json.id, pairedItem]);
		expect(ids).toContainEqual([service.seed.agents.published, { item: 0 }]);
		expect(ids).toContainEqual([service.seed.agents.draft, { item: 1 }]);
		expect((await service.requests('GET')).map(({ query }) => [query.status, query.direction])).toEqualInAnyOrder([
			['published', 'outbound'],
			['draft', 'outbound'],
			['published', 'outbound'],
		]);
	});

	test('Get returns ten fields, or all without Simplify', async () => {
		const parameters = { resource: 'agent', operation: 'get', agent: byId('={{ $json.id }}') };
		const ids = [service.seed.agents.published, service.seed.agents.draft, service.seed.agents.published];
		const { outputs } = await service.run(
			parameters,
			ids.map((id) => ({ id })),
		);
		expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id }, pairedItem: { item } })));
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const whole = await service.run({ ...parameters, output: 'raw' }, [{ id: ids[0] }]);
		const { body } = await service.api('GET', `agents/${ids[0]}`);
		expect(whole.outputs[0]?.[0]?.json).toEqual(body.data);
	});

	describe('Update', () => {
		const parameters = (more = {}) => ({
			resource: 'agent',
			operation: 'update',
			agent: byId('={{ $json.id }}'),
			updateFields: { phoneNumbers: '={{ $json.numbers }}' },
			...more,
		});
		/** The IDs of two numbers, one of which the agents of the seed do not have. */
		const twoNumbers = async () => {
			const { body } = await service.api('GET', 'phone-numbers');
			return (body.data as Array<{ id: string }>).slice(0, 2).map(({ id }) => id);
		};
		const status = async (id: string) =>
			((await service.api('GET', `agents/${id}`)).body.data as { current_status: string }).current_status;

		test('changes the phone numbers, keeps the direction and makes the agent a draft', async () => {
			const { published, draft } = service.seed.agents;
			const numbers = await twoNumbers();
			const items = [published, draft, published].map((id) => ({ id, numbers }));
			const { outputs } = await service.run(parameters({ publishAfterwards: 'never' }), items);
			expect(outputs[0]).toMatchObject(
				items.map(({ id }, item) => ({ json: { id, current_status: 'draft' }, pairedItem: { item } })),
			);
			const body = { direction: 'outbound', phone_number_ids: numbers };
			// The third item is about the agent of the first one, and changes nothing.
			expect((await service.requests('PUT')).map(({ body: sent }) => sent)).toEqual([body, body]);
			expect(await service.requests('POST')).toEqual([]);
		});

		test('publishes an agent that was published', async () => {
			const { published } = service.seed.agents;
			const items = [{ id: published, numbers: await twoNumbers() }];
			const { outputs } = await service.run(parameters({}), items);
			expect(outputs[0]?.[0]?.json).toMatchObject({ id: published, published: true, current_status: 'published' });
			expect(await status(published)).toBe('published');
			const { length } = await service.requests('P');
			expect((await service.run(parameters({}), items)).outputs[0]?.[0]?.json).toMatchObject({ published: true });
			expect(await service.requests('P')).toHaveLength(length);
		});

		test('keeps the change and reports it if the agent cannot be published', async () => {
			const { published } = service.seed.agents;
			const noNumbers = { publishAfterwards: 'always', updateFields: { phoneNumbers: [] } };
			const { outputs, run } = await service.run(parameters(noNumbers), [{ id: published }]);
			expect(run.status).toBe('success');
			expect(outputs[0]?.[0]?.json).toMatchObject({
				published: false,
				publishCode: 'VALIDATION_ERROR',
				publishMessage: expect.stringContaining('active phone number'),
			});
			expect(await status(published)).toBe('draft');
		});

		test('rejects an invalid direction without a request', async () => {
			const { run } = await service.run(parameters({ updateFields: { direction: 'sideways' } }), [
				{ id: service.seed.agents.published },
			]);
			expect(run.error?.message).toContain('\'Direction\' cannot be "sideways"');
			expect(await service.requests()).toEqual([]);
		});
	});
});
