import type { NodeSpec } from '../../harness.mts';
import { byId, goesOn, hintsOf, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();
let id: string;
beforeAll(() => {
	id = service.seed.agents.published;
});

const nobody = '00000000-0000-4000-8000-000000000000';
type Fields = Record<string, unknown>;

const update = (updateFields: NodeSpec['parameters'], more = {}) => ({
	resource: 'agent',
	operation: 'update',
	agent: byId('={{ $json.id }}'),
	publishAfterwards: 'never',
	updateFields,
	...more,
});
const read = async (agent = id) =>
	(await service.api('GET', `agents/${agent}`)).body.data as Fields & { voice: Fields & { template: Fields } };
/** Sorts the requests, because items are processed concurrently, and each reads before it writes. */
const ordered = (entries: unknown[][]) =>
	[...entries].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
const bodies = (sent: Array<[string, string, unknown?]>) =>
	ordered(sent.filter(([method]) => method === 'PUT').map(([, path, body]) => [path, body]));
/** Updates the agent. @returns the bodies of the requests */
const written = async (updateFields: NodeSpec['parameters']) =>
	bodies(await expectItems(service, update(updateFields), [{ id }], [{ id }])).map(([, body]) => body);

/** Makes the next GET return the agent with some fields replaced. */
async function answerWith(changes: Fields) {
	const data = { ...(await read()), ...changes };
	await service.answer('GET', 200, { success: true, data });
}

describe('Update changes only the added settings, sends the others back unchanged, and makes the agent a draft:', () => {
	const good = (before: Fields, names: string[]) => Object.fromEntries(names.map((name) => [name, before[name]]));

	test('knowledge', async () => {
		const { draft } = service.seed.agents;
		const names = [
			'description',
			'initial_message',
			'interrupt_sensitivity',
			'ask_if_human_present_on_idle',
			'llm_temperature',
			'initial_message_delay',
		];
		const items = [id, nobody, draft, draft].map((agent, item) => ({ id: agent, text: item === 2 ? '' : 'You sell.' }));
		const before = [await read(), await read(draft)].map((agent) => good(agent, names));
		const sent = await expectItems(service, update({ prompt: '={{ $json.text }}' }), items, [
			{ id, description: 'You sell.', current_status: 'draft' },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ id: draft, description: 'You sell.' },
		]);
		const changed = before.map((settings) => ({ ...settings, description: 'You sell.' }));
		expect(bodies(sent)).toEqual(
			ordered([id, draft].map((agent, index) => [`agents/${agent}/knowledge`, changed[index]])),
		);
	});

	test('the voice, which keeps its tuning and background', async () => {
		const { body } = await service.api('GET', 'voice-templates?quality_tier=ultra');
		const [voice, other] = (body.data as Array<{ voices: Array<{ id: string }> }>).flatMap(({ voices }) => voices);
		const tuned = { similarity: 0.6, stability: 0.9 };
		const set = { voice_id: voice?.id, conversation_speed: 1.1, who_speaks_first: 'agent', ...tuned };
		expect((await service.api('PUT', `agents/${id}/voice`, { ...set, ambient_background: 'office' })).status).toBe(200);
		const same = { ...set, language: expect.any(String), ambient_background: 'office', who_speaks_first: 'user' };
		expect(await written({ whoSpeaksFirst: 'user' })).toEqual([same]);
		expect(await read()).toMatchObject({ current_status: 'draft' });
		expect(await written({ similarity: 0.7 })).toMatchObject([{ similarity: 0.7, stability: 0.9 }]);
		// The tuning is not that of another voice.
		const [withOther] = await written({ voice: byId(other?.id ?? '') });
		expect(withOther).not.toHaveProperty('similarity');
	});
});

test.each<[string, NodeSpec['parameters'], Fields]>([
	['knowledge', { prompt: 'You book.' }, { llm_temperature: undefined }],
	['the voice', { whoSpeaksFirst: 'user' }, { voice: { template: { name: 'Nova' } } }],
	['no voice', { whoSpeaksFirst: 'user' }, { voice: undefined }],
])(
	'Update requires a setting that the service does not return, and otherwise changes nothing: %s',
	async (_what, fields, answer) => {
		await answerWith(answer);
		const sent = await expectItems(service, update(fields), [{ id }], [failed('INVALID_INPUT')]);
		expect(sent).toEqual([['GET', `agents/${id}`]]);
		await answerWith({ llm_temperature: undefined });
		expect(await written({ prompt: 'You book.', temperature: 1 })).toMatchObject([{ llm_temperature: 1 }]);
	},
);

test('The hint that an agent is a draft has its name as far as it was read', async () => {
	const draft = service.seed.agents.draft;
	const [{ name }, { name: nameOfDraft }] = [await read(), await read(draft)];
	const hint = (what: unknown) => `Agent ${what} is a draft: its calls fail until it is published.`;
	const training = { resource: 'agentTraining', operation: 'upsert', subject: 'Prices', instructions: 'Name them.' };
	for (const [parameters, expected] of [
		[update({ temperature: 0.8 }), hint(`"${name}"`)],
		[{ ...training, agent: byId(draft), publishAfterwards: 'ifPublished' }, hint(`"${nameOfDraft}"`)],
		[{ ...training, agent: byId(draft), publishAfterwards: 'never' }, hint(draft)],
	] as const) {
		expect(hintsOf(await service.run(parameters, [{ id }]))).toEqual([expected]);
	}
});

describe('Update of several sections', () => {
	const everything = { temperature: 0.9, conversationSpeed: 1.3, direction: 'inbound' };
	const puts = (sent: Array<[string, string, unknown?]>) =>
		sent.filter(([method]) => method === 'PUT').map(([, path, body]) => [path, body]);

	test('sends one request for each that differs, in the order of the service, and nothing for what is as it should be', async () => {
		const before = await read();
		const fields = { ...everything, conversationSpeed: before.conversation_speed as number };
		const expected = { id, llm_temperature: 0.9, direction: 'inbound', current_status: 'draft' };
		const sent = await expectItems(service, update(fields, { output: 'raw' }), [{ id }], [expected]);
		expect(puts(sent)).toEqual([
			[`agents/${id}/knowledge`, expect.objectContaining({ llm_temperature: 0.9 })],
			[`agents/${id}/calling`, { direction: 'inbound' }],
		]);
		expect(await written(fields)).toEqual([]);
	});

	test('says what was done and what was not if one of them fails, and another run does the rest', async () => {
		const body = { success: false, message: 'No.', errors: { conversation_speed: ['Too fast.'] } };
		await service.answer(`PUT agents/${id}/voice`, 422, body);
		const parameters = update(everything, { publishAfterwards: 'ifPublished' });
		const { outputs } = await service.run(parameters, [{ id }], { node: goesOn });
		const states = { 'Update knowledge': 'done', 'Update voice': 'failed', 'Update calling settings': 'notTried' };
		const requests = Object.entries(states).map(([what, result]) => ({ what, result }));
		const message = expect.stringContaining('Stopped at request 2 of 3');
		const advice = expect.stringMatching(
			/Done: Update knowledge\. Not tried: Update calling settings\..*is a draft now/,
		);
		expect(outputs[0]).toMatchObject([{ json: failed('VALIDATION_ERROR', { requests, message, advice }) }]);
		expect(await read()).toMatchObject({ llm_temperature: 0.9, direction: 'outbound', current_status: 'draft' });
		const sent = await expectItems(service, update(everything), [{ id }], [{ id }]);
		// The voice has no tuning, so it is sent twice.
		expect([...new Set(puts(sent).map(([path]) => path))]).toEqual([`agents/${id}/voice`, `agents/${id}/calling`]);
		expect(await read()).toMatchObject({ conversation_speed: 1.3, direction: 'inbound' });
	});

	test('two items about one agent do not undo each other', async () => {
		const parameters = update({ temperature: '={{ $json.t }}', firstMessageDelay: '={{ $json.d }}' });
		const { initial_message_delay: delay } = await read();
		const items = [delay, 9].map((d) => ({ id, t: 0.9, d }));
		await expectItems(service, parameters, items, [{ id }, { id }]);
		expect(await read()).toMatchObject({ llm_temperature: 0.9, initial_message_delay: 9 });
	});
});
