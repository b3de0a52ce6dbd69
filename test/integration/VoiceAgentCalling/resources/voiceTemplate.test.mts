import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';

interface Group {
	display_name: string;
	voices: Array<{ id: string; language: string; quality_tier: string }>;
}
const groups = async (query = '') => (await service.api('GET', `voice-templates${query}`)).body.data as Group[];

describe('Voice Template', () => {
	describe('Get Many', () => {
		const getMany = (more = {}) => ({ resource: 'voiceTemplate', operation: 'getAll', returnAll: true, ...more });

		test('returns an item for each voice or for each group', async () => {
			const all = await groups();
			const voices = all.flatMap(({ display_name, voices }) => voices.map((voice) => ({ display_name, ...voice })));
			const run = async (more = {}) => (await service.run(getMany(more))).outputs[0]?.map(({ json }) => json);
			expect(await run()).toEqual(voices);
			expect(await run({ options: { oneItemFor: 'group' } })).toEqual(all);
			expect(await run({ returnAll: false, limit: 2 })).toEqual(voices.slice(0, 2));
			expect(await run({ returnAll: false, limit: 2, options: { oneItemFor: 'group' } })).toEqual(all.slice(0, 2));
		});

		test('sends the filters', async () => {
			const filters = {
				gender: 'female',
				qualityTier: '={{ $json.tier }}',
				language: '={{ $json.language }}',
				languageCode: '={{ $json.code }}',
			};
			const items = [
				{ tier: 'basic', language: 'en-US', code: 'fr-FR' },
				{ tier: 'pro', language: 'other', code: 'en-GB' },
				{ tier: 'golden', language: 'en-US', code: 'fr-FR' },
				{ tier: 'pro', language: 'other', code: 'the language of love' },
			];
			const { outputs } = await service.run(getMany({ filters }), items, {
				node: { onError: 'continueRegularOutput' },
			});
			const requests = await service.requests('GET');
			expect(requests.map(({ query }) => query)).toEqualInAnyOrder([
				{ gender: 'female', quality_tier: 'basic', language: 'en-US' },
				{ gender: 'female', quality_tier: 'pro', language: 'en-GB' },
			]);
			const last = outputs[0]?.slice(-2);
			expect(last).toMatchObject([
				{
					json: failed('INVALID_INPUT', { message: expect.stringContaining("'Quality Tier'") }),
					pairedItem: { item: 2 },
				},
				{
					json: failed('INVALID_INPUT', { message: expect.stringContaining("'Language Code' cannot be") }),
					pairedItem: { item: 3 },
				},
			]);
			const found = await groups('?language=en-US&quality_tier=basic&gender=female');
			expect(found).not.toEqual([]);
			expect(outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toHaveLength(
				found.flatMap(({ voices }) => voices).length,
			);
		});

		test('shows the message of the service in an error', async () => {
			await service.fault({
				kind: 'status',
				status: 422,
				body: { success: false, message: 'Invalid.', errors: { gender: ['is not known'] } },
			});
			expect((await service.run(getMany())).run.error?.message).toContain('gender: is not known');
		});
	});

	describe('Get Demo', () => {
		const getDemo = (more = {}) => ({
			resource: 'voiceTemplate',
			operation: 'getDemo',
			voiceTemplate: byId('={{ $json.id }}'),
			...more,
		});

		test('returns the address of the audio', async () => {
			const [first, second] = (await groups()).flatMap(({ voices }) => voices);
			const items = [first?.id, nobody, '', second?.id].map((id) => ({ id }));
			const sent = await expectItems(service, getDemo(), items, [
				{ voice_template_id: first?.id, mp3_url: expect.stringContaining(`${first?.id}.mp3`) },
				failed('VOICE_TEMPLATE_NOT_FOUND'),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Voice Template' is empty") }),
				{ voice_template_id: second?.id },
			]);
			expect(sent.sort()).toEqual(
				[first?.id, nobody, second?.id].map((id) => ['GET', `voice-templates/${id}/demo`]).sort(),
			);
		});

		test('also reads the older name of the address', async () => {
			await service.fault({ kind: 'status', status: 200, body: { demo_url: 'https://example.com/old.mp3' } });
			await expectItems(service, getDemo(), [{ id: 'x' }], [{ mp3_url: 'https://example.com/old.mp3' }]);
			await service.fault({ kind: 'status', status: 200, body: { success: true } });
			await expectItems(service, getDemo(), [{ id: 'x' }], [failed('UNREADABLE_ANSWER')]);
		});

		test('reports that the demo could not be generated', async () => {
			await service.fault({ kind: 'status', status: 500, body: { error: 'No voice.' } });
			await expectItems(
				service,
				getDemo(),
				[{ id: 'x' }],
				[failed('DEMO_GENERATION_FAILED', { message: expect.stringContaining('No voice.') })],
			);
		});
	});
});
