import { asList, type SandboxClient, startClient } from '../../client.mts';
import { expectRefusals } from '../../refusals.mts';

const knowledge = {
	description: 'Answers questions about opening hours',
	interrupt_sensitivity: 'high',
	ask_if_human_present_on_idle: false,
	llm_temperature: 0.2,
	initial_message_delay: 3,
};

describe('the knowledge and calling settings of agents', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient();
	});
	afterEach(() => service.close());

	it('become drafts when their knowledge changes, and place calls again once published', async () => {
		const path = `/agents/${service.seed.agents.published}`;
		const call = () => service.api('POST', `${path}/call`, { to: '+12025550001' });
		const updated = await service.api('PUT', `${path}/knowledge`, knowledge);
		expect(updated.data).toMatchObject({
			success: true,
			message: expect.any(String),
			data: { ...knowledge, current_status: 'draft', is_ready_to_publish: true },
		});
		expect((await call()).data).toMatchObject({ error: { code: 'AGENT_INACTIVE' } });
		const published = await service.api('POST', `${path}/publish`);
		expect(published.data).toMatchObject({
			success: true,
			data: { id: service.seed.agents.published, current_status: 'published', is_ready_to_publish: true },
		});
		expect((await call()).status).toBe(200);
	});

	it.each([
		['description', 'four'],
		['description', undefined],
		['initial_message', 'Hi'],
		['initial_message', 'x'.repeat(256)],
		['interrupt_sensitivity', 'extreme'],
		['ask_if_human_present_on_idle', 'yes'],
		['llm_temperature', 2.1],
		['llm_temperature', -0.1],
		['initial_message_delay', 61],
		['initial_message_delay', 1.5],
	])('refuse knowledge with %s %p', async (field, value) => {
		const body = { ...knowledge, [field]: value };
		const { status, data } = await service.api('PUT', `/agents/${service.seed.agents.draft}/knowledge`, body);
		expect(status).toBe(422);
		expect(Object.keys(data.errors)).toEqual([field]);
	});

	it('accept knowledge at its limits', async () => {
		const body = {
			...knowledge,
			description: 'fives',
			initial_message: 'x'.repeat(255),
			llm_temperature: 2,
			initial_message_delay: 60,
		};
		expect((await service.api('PUT', `/agents/${service.seed.agents.draft}/knowledge`, body)).status).toBe(200);
	});

	it('take new calling settings in draft and refuse numbers that do not exist', async () => {
		const path = `/agents/${service.seed.agents.published}/calling`;
		const settings = { direction: 'inbound', phone_number_ids: [service.seed.phoneNumber] };
		const { data } = await service.api('PUT', path, settings);
		expect(data.data).toMatchObject({
			direction: 'inbound',
			current_status: 'draft',
			phone_numbers: [{ id: service.seed.phoneNumber }],
			updated_at: expect.any(String),
		});
		const kept = await service.api('PUT', path, { direction: 'outbound' });
		expect(kept.data.data).toMatchObject({ direction: 'outbound', phone_numbers: [{ id: service.seed.phoneNumber }] });
		const unknown = { direction: 'inbound', phone_number_ids: [service.seed.user] };
		const refused = await service.api('PUT', path, unknown);
		expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, ['phone_number_ids']]);
		expect((await service.api('PUT', path, {})).data.errors).toHaveProperty('direction');
	});

	it('need a known agent and a token with permission', async () => {
		for (const [path, body] of [
			['knowledge', knowledge],
			['calling', { direction: 'inbound' }],
		] as const) {
			expect((await service.api('PUT', `/agents/nobody/${path}`, body)).status).toBe(404);
			await expectRefusals(service, 'PUT', `/agents/${service.seed.agents.published}/${path}`, body);
		}
		const agent = await service.api('GET', `/agents/${service.seed.agents.published}`);
		expect(agent.data.data.current_status).toBe('published');
	});
});

describe('the voice of an agent', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		path = `/agents/${service.seed.agents.published}/voice`;
	});
	afterEach(() => service.close());

	const voice = async (tier: string) =>
		asList((await service.api('GET', `/voice-templates?quality_tier=${tier}`)).data.data)[0]!.voices[0]!;
	const change = async (changes: object, tier = 'basic') => {
		const settings = { voice_id: (await voice(tier)).id, conversation_speed: 1.5, who_speaks_first: 'user' };
		return service.api('PUT', path, { ...settings, ...changes });
	};

	it('is made from a template and makes the agent a draft', async () => {
		const { id, name } = await voice('pro');
		const { status, data } = await change(
			{ ambient_background: 'office', ambient_volume: 0.5, language: 'de-DE' },
			'pro',
		);
		expect(status).toBe(200);
		expect(data).toMatchObject({
			success: true,
			message: expect.any(String),
			data: {
				id: service.seed.agents.published,
				current_status: 'draft',
				is_ready_to_publish: true,
				conversation_speed: 1.5,
				who_speaks_first: 'user',
				language: 'de-DE',
				actions: [expect.anything()],
			},
		});
		expect(data.data.voice).toEqual({
			id: expect.any(String),
			name,
			label: expect.any(String),
			stability: expect.any(Number),
			similarity_boost: expect.any(Number),
			ambient_background: 'office',
			template: { id, name },
		});
		expect(data.data).not.toHaveProperty('ambient_volume');
	});

	it('keeps the language and the background when they are not sent', async () => {
		await change({ ambient_background: 'cafe', language: 'fr-FR' });
		const { data } = await change({});
		expect(data.data).toMatchObject({ language: 'fr-FR', voice: { ambient_background: 'cafe' } });
		expect((await change({ ambient_background: null })).data.data.voice).toMatchObject({ ambient_background: null });
	});

	it.each(['ultra', 'beta'])(
		'has similarity and stability in the tier %s; similarity comes back as similarity_boost',
		async (tier) => {
			for (const value of [0.5, 1]) {
				const { data } = await change({ similarity: value, stability: value }, tier);
				expect(data.data.voice).toMatchObject({ similarity_boost: value, stability: value });
			}
		},
	);

	it.each([
		['basic', 'similarity'],
		['basic', 'stability'],
		['pro', 'similarity'],
		['pro', 'stability'],
	])('in the tier %s has no %s to set', async (tier, field) => {
		const { status, data } = await change({ [field]: 0.8 }, tier);
		expect([status, Object.keys(data.errors)]).toEqual([422, [field]]);
	});

	it.each([
		['voice_id', undefined],
		['voice_id', 7],
		['conversation_speed', undefined],
		['conversation_speed', 0.09],
		['conversation_speed', 3.1],
		['who_speaks_first', undefined],
		['who_speaks_first', 'nobody'],
		['ambient_background', 7],
		['ambient_volume', -0.1],
		['ambient_volume', 2.1],
		['language', 'xx'],
		['similarity', 0.49],
		['similarity', 1.1],
		['stability', 0.49],
		['stability', 1.1],
	])('is refused with %s %p', async (field, value) => {
		const { status, data } = await change({ [field]: value }, 'ultra');
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [field]: [expect.any(String)] } },
		]);
		const agent = await service.api('GET', `/agents/${service.seed.agents.published}`);
		expect(agent.data.data.current_status).toBe('published');
	});

	it.each([0.1, 1, 1.99, 3])('takes the conversation speed %p', async (conversation_speed) => {
		expect((await change({ conversation_speed })).data.data).toMatchObject({ conversation_speed });
	});

	it('needs a known template, a known agent and a token with permission', async () => {
		const unknown = await change({ voice_id: 'nobody' });
		expect([unknown.status, unknown.data]).toEqual([404, { success: false, message: 'Voice template not found.' }]);
		expect((await service.api('PUT', '/agents/nobody/voice', {})).data.message).toBe('Agent not found.');
		await expectRefusals(service, 'PUT', path, {});
	});
});
