import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { SHOWN_AGENT } from '../../objects.mts';
import { expectRefusals } from '../../refusals.mts';

/** The required fields of a creation. */
const required = {
	name: 'Zelda',
	label: 'Night shift',
	language: 'pt-BR',
	interrupt_sensitivity: 'low',
	endpointing_sensitivity: 'auto',
	ivr_navigation_mode: 'off',
	conversation_speed: 1.2,
	initial_message_delay: 2,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 30,
	llm_temperature: 0.5,
	enable_recording: true,
	direction: 'outbound',
	who_speaks_first: 'user',
};

describe('creating an agent', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const create = (changes: object = {}) => service.api('POST', '/agents', { ...required, ...changes });

	it('creates a draft without voice, actions and numbers, with the same fields as other agents', async () => {
		const { status, data } = await create();
		expect(status).toBe(201);
		const { endpointing_sensitivity, ivr_navigation_mode, idle_time_seconds, enable_recording, ...shown } = required;
		expect(data).toEqual({
			success: true,
			message: expect.any(String),
			data: {
				...shown,
				id: expect.any(String),
				description: null,
				voice: null,
				initial_message: null,
				current_status: 'draft',
				is_sandbox: true,
				is_ready_to_publish: false,
				trainings: [],
				actions: [],
				phone_numbers: [],
				created_at: expect.stringMatching(/Z$/),
				updated_at: expect.stringMatching(/Z$/),
			},
		});
		expect(Object.keys(data.data).sort()).toEqual(SHOWN_AGENT);
		expect((await service.api('GET', `/agents/${asText(data.data.id)}`)).data.data).toEqual(data.data);
		expect((await service.api('GET', '/agents?search=zelda')).data.meta.total).toBe(1);
	});

	it('takes every other field too', async () => {
		const { status, data } = await create({
			description: 'Answers at night',
			initial_message: 'Good evening!',
			max_idle_check_count: 3,
			max_call_duration_seconds: 600,
			say_goodbye_on_max_duration: true,
			user_inactivity_timeout_seconds: 20,
			initial_idle_time_seconds: 10,
			initial_max_idle_check_count: 0,
			phone_number_ids: [service.seed.phoneNumber],
		});
		expect(status).toBe(201);
		expect(data.data).toMatchObject({
			description: 'Answers at night',
			initial_message: 'Good evening!',
			phone_numbers: [{ id: service.seed.phoneNumber }],
		});
		expect(Object.keys(data.data).sort()).toEqual(SHOWN_AGENT);
	});

	/** Creates an agent and everything without which it cannot be published. @returns its path */
	async function createReady(changes: object = {}): Promise<string> {
		const { data } = await create({
			description: 'Answers at night',
			phone_number_ids: [service.seed.phoneNumber],
			...changes,
		});
		const path = `/agents/${asText(data.data.id)}`;
		const voice = { voice_id: service.seed.voiceTemplate, conversation_speed: 1, who_speaks_first: 'agent' };
		expect((await service.api('POST', `${path}/publish`)).data.errors).toEqual({ voice: [expect.any(String)] });
		await service.api('PUT', `${path}/voice`, voice);
		expect((await service.api('POST', `${path}/publish`)).status).toBe(200);
		return path;
	}

	it('makes an agent that can call once it has a voice and is published', async () => {
		const path = await createReady();
		expect((await service.api('POST', `${path}/call`, { to: '+12025550001' })).status).toBe(200);
	});

	it.each([true, false])('decides whether its calls have a recording: %s', async (enabled) => {
		const path = await createReady({ enable_recording: enabled });
		await service.api('POST', `${path}/call`, { to: '+12025550001' });
		await service.advance(60);
		const [call] = asList((await service.control('calls?limit=1')).items);
		const { recording_url, events } = await service.control(`calls/${asText(call!.id)}`);
		const kinds = asList(events).map(({ event }) => asText(event));
		expect(kinds).toContain('event_phone_call_ended');
		expect([kinds.includes('event_recording'), recording_url !== null]).toEqual([enabled, enabled]);
	});

	it('cannot be published as created: the 422 names everything that is missing', async () => {
		const { data } = await create();
		const { data: refused } = await service.api('POST', `/agents/${asText(data.data.id)}/publish`);
		expect(Object.keys(refused.errors).sort()).toEqual(['description', 'phone_number_ids', 'voice']);
	});

	it.each(Object.keys(required))('needs %s', async (field) => {
		const { status, data } = await create({ [field]: undefined });
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [field]: [expect.any(String)] } },
		]);
	});

	it.each<[string, unknown, string?]>([
		['name', ''],
		['name', 'x'.repeat(256)],
		['label', 'x'.repeat(256)],
		['description', 'four'],
		['language', 'xx-XX'],
		['language', 'en'],
		['initial_message', 'Hi'],
		['initial_message', 'x'.repeat(256)],
		['interrupt_sensitivity', 'none'],
		['endpointing_sensitivity', 'x'.repeat(256)],
		['ivr_navigation_mode', 'x'.repeat(256)],
		['conversation_speed', 0.09],
		['conversation_speed', 3.1],
		['initial_message_delay', -1],
		['initial_message_delay', 61],
		['ask_if_human_present_on_idle', 1],
		['idle_time_seconds', 0],
		['idle_time_seconds', 301],
		['idle_time_seconds', 1.5],
		['max_idle_check_count', 0],
		['max_idle_check_count', 11],
		['max_call_duration_seconds', 0],
		['max_call_duration_seconds', 3601],
		['say_goodbye_on_max_duration', 'yes'],
		['user_inactivity_timeout_seconds', 4],
		['user_inactivity_timeout_seconds', 121],
		['initial_idle_time_seconds', 0],
		['initial_idle_time_seconds', 61],
		['initial_max_idle_check_count', -1],
		['initial_max_idle_check_count', 11],
		['llm_temperature', -0.1],
		['llm_temperature', 2.1],
		['enable_recording', 'true'],
		['direction', 'both'],
		['who_speaks_first', 'nobody'],
		['phone_number_ids', ['+12025550123'], 'phone_number_ids.0'],
		['phone_number_ids', ['00000000-0000-4000-8000-000000000000']],
	])('refuses %s %j', async (field, value, key = field) => {
		const { status, data } = await create({ [field]: value });
		expect([status, Object.keys(data.errors)]).toEqual([422, [key]]);
	});

	it.each([
		['name', 'x'.repeat(255)],
		['description', 'fives'],
		['initial_message', 'x'.repeat(255)],
		['conversation_speed', 0.1],
		['conversation_speed', 3],
		['initial_message_delay', 0],
		['initial_message_delay', 60],
		['idle_time_seconds', 1],
		['idle_time_seconds', 300],
		['max_idle_check_count', 10],
		['max_call_duration_seconds', 3600],
		['user_inactivity_timeout_seconds', 5],
		['user_inactivity_timeout_seconds', 120],
		['initial_idle_time_seconds', 60],
		['initial_max_idle_check_count', 10],
		['llm_temperature', 0],
		['llm_temperature', 2],
	])('accepts %s at its limit %j', async (field, value) => {
		expect((await create({ [field]: value })).status).toBe(201);
	});

	it('needs a token with permission', () => expectRefusals(service, 'POST', '/agents', required));
});
