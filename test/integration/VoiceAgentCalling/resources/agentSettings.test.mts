import type { NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
type Fields = Record<string, unknown>;

const update = (updateFields: NodeSpec['parameters'], more = {}) => ({
	resource: 'agent',
	operation: 'update',
	agent: byId('={{ $json.id }}'),
	updateFields,
	publishAfterwards: 'never',
	...more,
});
const read = async (id: string) =>
	(await service.api('GET', `agents/${id}`)).body.data as Fields & { voice: Fields & { template: Fields } };
/** Sorts the requests, because items are processed concurrently, and each reads before it writes. */
const ordered = (entries: unknown[][]) =>
	[...entries].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
const bodies = (sent: Array<[string, string, unknown?]>) =>
	ordered(sent.filter(([method]) => method === 'PUT').map(([, path, body]) => [path, body]));

/** Makes the next GET return the agent without some fields. */
async function without(id: string, ...left: string[]) {
	const data = Object.fromEntries(Object.entries(await read(id)).filter(([key]) => !left.includes(key)));
	await service.fault({ match: { method: 'GET' }, kind: 'status', status: 200, body: { success: true, data } });
}

describe('Update of knowledge', () => {
	/** The settings of an agent that the service requires in every update. */
	const settings = ({
		description,
		initial_message,
		interrupt_sensitivity,
		ask_if_human_present_on_idle,
		llm_temperature,
		initial_message_delay,
	}: Fields) => ({
		description,
		initial_message,
		interrupt_sensitivity,
		ask_if_human_present_on_idle,
		llm_temperature,
		initial_message_delay,
	});

	test('changes only the added settings, sends the others back unchanged, and makes the agent a draft', async () => {
		const { published, draft } = service.seed.agents;
		const items = [
			{ id: published, text: 'You book appointments.' },
			{ id: nobody, text: 'You book appointments.' },
			{ id: draft, text: 'Book' },
			{ id: draft, text: '' },
			{ id: draft, text: 'You sell nothing.' },
		];
		const before = new Map([
			[published, settings(await read(published))],
			[draft, settings(await read(draft))],
		]);
		const sent = await expectItems(service, update({ prompt: '={{ $json.text }}' }), items, [
			{ id: published, description: 'You book appointments.', current_status: 'draft' },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining('Use 5 characters or more') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Prompt' is empty") }),
			{ id: draft, description: 'You sell nothing.' },
		]);
		expect(sent).toHaveLength(5);
		expect(bodies(sent)).toEqual(
			ordered([
				[`agents/${published}/knowledge`, { ...before.get(published), description: 'You book appointments.' }],
				[`agents/${draft}/knowledge`, { ...before.get(draft), description: 'You sell nothing.' }],
			]),
		);
	});

	test('sends all added settings, including 0 and false', async () => {
		const { published: id } = service.seed.agents;
		const fields = {
			firstMessage: 'Good day!',
			interruptSensitivity: 'low',
			askIfHumanPresent: 'false',
			temperature: '0',
			firstMessageDelay: 0,
			prompt: 'You book.',
		};
		const sent = await expectItems(
			service,
			update(fields, { publishAfterwards: 'always' }),
			[{ id }],
			[{ id, published: true, current_status: 'published' }],
		);
		expect(bodies(sent)).toEqual([
			[
				`agents/${id}/knowledge`,
				{
					description: 'You book.',
					initial_message: 'Good day!',
					interrupt_sensitivity: 'low',
					ask_if_human_present_on_idle: false,
					llm_temperature: 0,
					initial_message_delay: 0,
				},
			],
		]);
		expect(sent.at(-1)).toEqual(['POST', `agents/${id}/publish`]);
		const { outputs } = await service.run(update(fields, { output: 'raw' }), [{ id }]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ interrupt_sensitivity: 'low', llm_temperature: 0 });
	});

	test('requires a setting that the service does not return, and otherwise changes nothing', async () => {
		const { published: id } = service.seed.agents;
		await without(id, 'llm_temperature', 'initial_message');
		const sent = await expectItems(
			service,
			update({ prompt: 'You book.' }),
			[{ id }],
			[
				failed('INVALID_INPUT', {
					message: expect.stringMatching(/does not return the current 'LLM Temperature'.*Add 'LLM Temperature'/),
				}),
			],
		);
		expect(sent).toEqualInAnyOrder([['GET', `agents/${id}`]]);
		await without(id, 'llm_temperature', 'initial_message');
		const given = await expectItems(service, update({ prompt: 'You book.', temperature: 1 }), [{ id }], [{ id }]);
		expect(bodies(given)).toEqual([
			[
				`agents/${id}/knowledge`,
				{ ...settings(await read(id)), initial_message: undefined, description: 'You book.', llm_temperature: 1 },
			],
		]);
	});

	test('removes the initial message if it is empty', async () => {
		const { published: id } = service.seed.agents;
		const sent = await expectItems(service, update({ firstMessage: '' }), [{ id }], [{ id }]);
		expect(bodies(sent)).toMatchObject([[`agents/${id}/knowledge`, { initial_message: null }]]);
		expect(await read(id)).toMatchObject({ initial_message: null });
	});

	test('fails if there is nothing to update', async () => {
		const sent = await expectItems(
			service,
			update({}),
			[{ id: nobody }],
			[failed('INVALID_INPUT', { message: expect.stringContaining('nothing to update') })],
		);
		expect(sent).toEqualInAnyOrder([]);
	});
});

describe('Update of the voice', () => {
	/** The settings of a voice that the service requires in every update, and those that a PUT might clear. */
	const settings = ({ voice, conversation_speed, who_speaks_first, language }: Awaited<ReturnType<typeof read>>) => ({
		voice_id: voice.template.id,
		conversation_speed,
		who_speaks_first,
		language,
	});

	test('changes only the added settings, sends the others back unchanged, and makes the agent a draft', async () => {
		const { published, draft } = service.seed.agents;
		const items = [
			{ id: published, speed: 1.2 },
			{ id: nobody, speed: 1.2 },
			{ id: draft, speed: 5 },
			{ id: draft, speed: '' },
			{ id: draft, speed: '1.3' },
		];
		const before = new Map([
			[published, settings(await read(published))],
			[draft, settings(await read(draft))],
		]);
		const fields = { conversationSpeed: '={{ $json.speed }}', ambientBackground: 'office' };
		const sent = await expectItems(service, update(fields), items, [
			{ id: published, current_status: 'draft' },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining('Use 3 or less') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Conversation Speed' is empty") }),
			{ id: draft },
		]);
		// These voices have no tuning: the service rejects it, and the second request is without it.
		const accepted = bodies(sent).filter(([, body]) => !Object.hasOwn(body as object, 'similarity'));
		expect(bodies(sent)).toHaveLength(4);
		expect(accepted).toEqual(
			ordered([
				[
					`agents/${published}/voice`,
					{ ...before.get(published), conversation_speed: 1.2, ambient_background: 'office' },
				],
				[`agents/${draft}/voice`, { ...before.get(draft), conversation_speed: 1.3, ambient_background: 'office' }],
			]),
		);
		// The new background is sent back in the next update.
		const again = await expectItems(service, update({ whoSpeaksFirst: 'user' }), items.slice(0, 1), [
			{ id: published },
		]);
		expect(bodies(again).at(-1)).toMatchObject([
			`agents/${published}/voice`,
			{ conversation_speed: 1.2, ambient_background: 'office', who_speaks_first: 'user' },
		]);
	});

	test('sends all added settings, and reports a voice that does not exist', async () => {
		const { published: id } = service.seed.agents;
		const fields = {
			voice: byId('={{ $json.voice }}'),
			ambientBackground: 'cafe',
			ambientVolume: 0,
			language: 'other',
			languageCode: 'fr-FR',
			similarity: 0.5,
			stability: 1,
			conversationSpeed: 1,
			whoSpeaksFirst: 'agent',
		};
		const groups = (await service.api('GET', 'voice-templates?quality_tier=ultra')).body.data as Array<{
			voices: Array<{ id: string }>;
		}>;
		const voice = groups[0]?.voices[0]?.id;
		const sent = await expectItems(
			service,
			update(fields, { output: 'raw' }),
			[voice, nobody, ''].map((one) => ({ id, voice: one })),
			[
				{ id, voice: { template: { id: voice }, similarity_boost: 0.5, stability: 1 } },
				failed('VOICE_NOT_FOUND', { message: expect.stringContaining('Voice Template → Get Many') }),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Voice' is empty") }),
			],
		);
		const common = {
			ambient_background: 'cafe',
			ambient_volume: 0,
			language: 'fr-FR',
			similarity: 0.5,
			stability: 1,
			conversation_speed: 1,
			who_speaks_first: 'agent',
		};
		expect(bodies(sent)).toHaveLength(2);
		for (const voice_id of [voice, nobody]) {
			expect(bodies(sent)).toContainEqual([`agents/${id}/voice`, { ...common, voice_id }]);
		}
	});

	describe('keeps the tuning of a voice', () => {
		const id = () => service.seed.agents.published;
		const voices = async (tier: string) => {
			const { body } = await service.api('GET', `voice-templates?quality_tier=${tier}`);
			return (body.data as Array<{ voices: Array<{ id: string }> }>).flatMap((group) => group.voices);
		};
		const tune = async (voice_id: string | undefined) =>
			await service.api('PUT', `agents/${id()}/voice`, {
				voice_id,
				conversation_speed: 1.1,
				who_speaks_first: 'agent',
				similarity: 0.6,
				stability: 0.9,
			});
		const written = async (updateFields: NodeSpec['parameters']) =>
			bodies(await expectItems(service, update(updateFields), [{ id: id() }], [{ id: id() }])).map(([, body]) => body);

		test('when another setting changes', async () => {
			const [voice] = await voices('ultra');
			expect((await tune(voice?.id)).status).toBe(200);
			expect(await written({ whoSpeaksFirst: 'user' })).toMatchObject([{ similarity: 0.6, stability: 0.9 }]);
			expect(await written({ similarity: 0.7 })).toMatchObject([{ similarity: 0.7, stability: 0.9 }]);
			expect((await read(id())).voice).toMatchObject({ similarity_boost: 0.7, stability: 0.9 });
		});

		test('but does not give it to another voice', async () => {
			const [voice, other] = await voices('ultra');
			await tune(voice?.id);
			const [body] = await written({ voice: byId(other?.id) });
			expect(body).not.toHaveProperty('similarity');
			expect(body).not.toHaveProperty('stability');
		});

		test('unless the voice has no such settings: then it is updated without them', async () => {
			const [voice] = await voices('basic');
			await service.api('PUT', `agents/${id()}/voice`, {
				voice_id: voice?.id,
				conversation_speed: 1.1,
				who_speaks_first: 'agent',
			});
			const [refused, accepted] = await written({ whoSpeaksFirst: 'user' });
			expect(refused).toMatchObject({ similarity: 0.75, stability: 0.75 });
			expect(accepted).not.toHaveProperty('similarity');
			expect(await read(id())).toMatchObject({ who_speaks_first: 'user', voice: { template: { id: voice?.id } } });
			const { outputs } = await service.run(update({ similarity: 0.7 }), [{ id: id() }], {
				node: { onError: 'continueRegularOutput' },
			});
			expect(outputs[0]?.[0]?.json).toMatchObject({ code: 'VALIDATION_ERROR' });
		});
	});

	test('requires a voice if the service does not return the current one', async () => {
		const { draft: id } = service.seed.agents;
		const { body } = await service.api('GET', `agents/${id}`);
		const agent = { ...(body.data as object), voice: { template: { name: 'Nova' } } };
		await service.fault({
			match: { method: 'GET', path: `/api/v1/agents/${id}` },
			kind: 'status',
			status: 200,
			body: { success: true, data: agent },
		});
		await expectItems(
			service,
			update({ whoSpeaksFirst: 'user' }),
			[{ id }],
			[failed('INVALID_INPUT', { message: expect.stringContaining("Add 'Voice'") })],
		);
	});

	test('requires a voice for a new agent, and otherwise changes nothing', async () => {
		const { draft: id } = service.seed.agents;
		await without(id, 'voice');
		const sent = await expectItems(
			service,
			update({ whoSpeaksFirst: 'user' }),
			[{ id }],
			[failed('INVALID_INPUT', { message: expect.stringContaining("Add 'Voice'") })],
		);
		expect(sent).toEqualInAnyOrder([['GET', `agents/${id}`]]);
	});
});

describe('Update of several sections', () => {
	const everything = {
		temperature: 0.9,
		conversationSpeed: 1.3,
		direction: 'inbound',
	};
	const puts = (sent: Array<[string, string, unknown?]>) =>
		sent.filter(([method]) => method === 'PUT').map(([, path, body]) => [path, body]);

	test('sends one request for each that differs, in the order of the service, and nothing for what is as it should be', async () => {
		const { published: id } = service.seed.agents;
		const before = await read(id);
		const fields = { ...everything, conversationSpeed: before.conversation_speed as number };
		const sent = await expectItems(
			service,
			update(fields, { output: 'raw' }),
			[{ id }],
			[{ id, llm_temperature: 0.9, direction: 'inbound', current_status: 'draft', trainings: before.trainings }],
		);
		expect(puts(sent)).toEqual([
			[`agents/${id}/knowledge`, expect.objectContaining({ llm_temperature: 0.9 })],
			[`agents/${id}/calling`, { direction: 'inbound' }],
		]);
		const again = await expectItems(service, update(fields), [{ id }], [{ id, direction: 'inbound' }]);
		expect(puts(again)).toEqual([]);
	});

	test('says what was done and what was not if one of them fails, and another run does the rest', async () => {
		const { published: id } = service.seed.agents;
		await service.fault({
			match: { method: 'PUT', path: `/api/v1/agents/${id}/voice` },
			kind: 'status',
			status: 422,
			body: { success: false, message: 'No.', errors: { conversation_speed: ['Too fast.'] } },
		});
		const { outputs } = await service.run(update(everything, { publishAfterwards: 'ifPublished' }), [{ id }], {
			node: { onError: 'continueRegularOutput' },
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			result: 'failed',
			code: 'VALIDATION_ERROR',
			requests: [
				{ what: 'Update knowledge', result: 'done' },
				{ what: 'Update voice', result: 'failed' },
				{ what: 'Update calling settings', result: 'notTried' },
			],
		});
		const { message } = outputs[0]?.[0]?.json as { message: string };
		for (const part of [
			'Stopped at request 2 of 3 (Update voice)',
			'Done: Update knowledge.',
			'Not tried: Update calling settings.',
			'The agent was published and is a draft now',
		]) {
			expect(message).toContain(part);
		}
		expect(await read(id)).toMatchObject({ llm_temperature: 0.9, direction: 'outbound', current_status: 'draft' });
		const sent = await expectItems(service, update(everything), [{ id }], [{ id }]);
		// The voice has no tuning, so it is sent twice.
		expect([...new Set(puts(sent).map(([path]) => path))]).toEqual([`agents/${id}/voice`, `agents/${id}/calling`]);
		expect(await read(id)).toMatchObject({ conversation_speed: 1.3, direction: 'inbound' });
	});

	test('two items about one agent do not undo each other', async () => {
		const { published: id } = service.seed.agents;
		const parameters = update({ temperature: '={{ $json.t }}', firstMessageDelay: '={{ $json.d }}' });
		const { initial_message_delay: delay } = await read(id);
		await expectItems(
			service,
			parameters,
			[
				{ id, t: 0.9, d: delay },
				{ id, t: 0.9, d: 9 },
			],
			[{ id }, { id }],
		);
		expect(await read(id)).toMatchObject({ llm_temperature: 0.9, initial_message_delay: 9 });
	});
});
