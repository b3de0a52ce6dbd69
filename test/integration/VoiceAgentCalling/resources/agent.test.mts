import { byId, hintsOf, jsonOf, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

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
		const said = { message: 'Hello there', prompt: 'Book appointments.' };
		const items = [
			item,
			{ ...item, name: 'Bea', language: 'other', code: 'tlh' },
			{ ...item, name: 'Dora', language: 'de-DE', code: 'fr-FR', ...said },
			...[{ name: '' }, { language: 'other' }, { prompt: 'Book' }].map((wrong) => ({ ...item, ...wrong })),
		];
		const sent = await expectItems(service, create, items, [
			{ id: expect.any(String), name: 'Ada', label: 'Ada', current_status: 'draft' },
			failed('VALIDATION_ERROR', { httpStatus: 422 }),
			{ name: 'Dora', language: 'de-DE', current_status: 'draft' },
			...Array(3).fill(failed('INVALID_INPUT')),
		]);
		const texts = { initial_message: 'Hello there', description: 'Book appointments.' };
		expect(sent).toEqualInAnyOrder([
			['POST', 'agents', { ...asShown, name: 'Ada', label: 'Ada' }],
			['POST', 'agents', { ...asShown, name: 'Bea', label: 'Bea', language: 'tlh' }],
			['POST', 'agents', { ...asShown, name: 'Dora', label: 'Dora', language: 'de-DE', ...texts }],
		]);
	});

	test('Create makes agents that can be published at once; it returns one whose voice could not be set, and why', async () => {
		const { voiceTemplate, phoneNumber } = service.seed;
		const create = operation('create', {
			name: '={{ $json.name }}',
			firstMessage: 'Hello there',
			prompt: 'Book appointments.',
			voice: byId('={{ $json.voice }}'),
			phoneNumbers: [phoneNumber],
			options: { whoSpeaksFirst: 'user' },
		});
		const items = [voiceTemplate, nobody, ''].map((voice, index) => ({ name: `Ada ${index}`, voice }));
		const { outputs, run } = await service.run(create, items);
		expect(run.status).toBe('success');
		expect(outputs[0]).toMatchObject([
			{ json: { name: 'Ada 0', voiceSet: true }, pairedItem: { item: 0 } },
			{ json: { id: expect.any(String), name: 'Ada 1', voiceSet: false, voiceCode: 'VOICE_NOT_FOUND' } },
			{ json: { name: 'Ada 2' }, pairedItem: { item: 2 } },
		]);
		expect(outputs[0]?.[2]?.json).not.toHaveProperty('voiceSet');
		expect(hintsOf({ run })).toEqualInAnyOrder([
			'The agent is a draft: it cannot call before Agent → Publish.',
			expect.stringContaining('The voice of agent "Ada 1" could not be set: '),
			'The agent is a draft: it cannot call before Agent → Publish. Set these first with Agent → Update: Voice.',
		]);
		const [id] = (outputs[0] ?? []).map(({ json }) => json.id);
		const puts = (await service.requests('PUT')).map(({ path, body }) => [path, body]);
		const voice = { conversation_speed: 1, who_speaks_first: 'user', language: 'en-US', voice_id: voiceTemplate };
		expect(puts).toContainEqual([`/api/v1/agents/${id}/voice`, voice]);
		await expectItems(service, operation('publish'), [{ id }], [{ id, current_status: 'published' }]);
	});

	test('Create says what an agent lacks before it can be published', async () => {
		const lacks = async (more: object) => hintsOf(await service.run(operation('create', { name: 'Ada', ...more })));
		expect(await lacks({})).toEqual([
			expect.stringMatching(/first with Agent → Update: Prompt, Voice, Phone Numbers\.$/),
		]);
		const numbers = { phoneNumbers: [service.seed.phoneNumber] };
		expect(await lacks(numbers)).toEqual([expect.stringMatching(/first with Agent → Update: Prompt, Voice\.$/)]);
	});

	test('Update and Create do not say that their second step failed if only its answer was lost', async () => {
		const { voiceTemplate } = service.seed;
		const update = { agent: byId(service.seed.agents.published), updateFields: { temperature: 0.5 } };
		const create = { name: 'Lia', voice: byId(voiceTemplate), language: 'en-US' };
		for (const [name, method, parameters, field] of [
			['update', 'POST', { ...update, publishAfterwards: 'always' }, 'published'],
			['create', 'PUT', create, 'voiceSet'],
		] as const) {
			await service.fault({ match: { method, path: '/api/v1/agents*' }, kind: 'drop-after', times: 4 });
			const ran = await service.run({ resource: 'agent', operation: name, ...parameters }, [{}]);
			expect(jsonOf(ran)[0]).toMatchObject({ [field]: null });
			expect(hintsOf(ran).join()).toMatch(/unknown whether it was published|may not be set/);
		}
	});

	test('Update publishes an agent that was published, and keeps the change if it cannot be published', async () => {
		const { published: id } = service.seed.agents;
		const numbers = ((await service.api('GET', 'phone-numbers')).body.data as Array<{ id: string }>).slice(0, 2);
		const update = (phoneNumbers: string[], more: object = {}) =>
			operation('update', { updateFields: { phoneNumbers }, ...more });
		const both = update(numbers.map((number) => number.id));
		await expectItems(service, both, [{ id }], [{ id, published: true, current_status: 'published' }]);
		const unchanged = await expectItems(service, both, [{ id }], [{ published: true }]);
		expect(unchanged.filter(([method]) => method !== 'GET')).toEqual([]);
		await service.api('PUT', `agents/${id}/calling`, { direction: 'outbound', phone_number_ids: [] });
		const none = operation('update', { updateFields: { temperature: 0.5 }, publishAfterwards: 'always' });
		await expectItems(service, none, [{ id }], [{ published: false, publishCode: 'AGENT_INCOMPLETE' }]);
		const { data } = (await service.api('GET', `agents/${id}`)).body;
		expect(data).toMatchObject({ current_status: 'draft' });
		const { name } = data as { name: string };
		const training = { resource: 'agentTraining', operation: 'upsert', subject: 'Prices', instructions: 'Name them.' };
		for (const [edit, agent] of [
			[none, `"${name}"`],
			[{ ...training, agent: byId(id), publishAfterwards: 'always' }, id],
		] as const) {
			expect(hintsOf(await service.run(edit, [{ id }]))).toEqual([
				expect.stringMatching(`^Agent ${agent} was changed, but publishing it failed: .*phone number`),
			]);
		}
	});

	test('Update refuses an empty list of numbers, which would take the agent off the phone', async () => {
		const items = Object.values(service.seed.agents).map((id) => ({ id }));
		const sent = await expectItems(
			service,
			operation('update', { updateFields: { phoneNumbers: [], temperature: 0.5 } }),
			items,
			items.map(() => failed('INVALID_INPUT')),
		);
		expect(sent).toEqual([]);
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
});
