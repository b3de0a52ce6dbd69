import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
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
				{ tier: 'golden', language: 'en-US', code: '' },
				{ tier: 'pro', language: 'other', code: 'the language of love' },
			];
			const { outputs } = await service.run(getMany({ filters }), items, {
				node: { onError: 'continueRegularOutput' },
			});
			const requests = await service.requests('GET');
			expect(requests.map(({ query }) => query)).toEqualInAnyOrder([
				{ page: '1', per_page: '100', gender: 'female', quality_tier: 'basic', language: 'en-US' },
				{ page: '1', per_page: '100', gender: 'female', quality_tier: 'pro', language: 'en-GB' },
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

		test('downloads the audio into the chosen field', async () => {
			const voices = (await groups()).flatMap(({ voices }) => voices).slice(0, 3);
			const parameters = getDemo({ options: { download: true, binaryPropertyName: '={{ $json.field }}' } });
			const { outputs } = await service.run(
				parameters,
				voices.map(({ id }, index) => ({ id, field: `audio${index}` })),
			);
			voices.forEach(({ id }, item) => {
				const output = outputs[0]?.[item];
				expect(output).toMatchObject({ json: { voice_template_id: id }, pairedItem: { item } });
				expect(Object.keys(output?.binary ?? {})).toEqual([`audio${item}`]);
				const file = output?.binary?.[`audio${item}`];
				expect(file).toMatchObject({ mimeType: 'audio/mpeg', fileName: `voice-${id}.mp3` });
				expect(Buffer.from(file?.data ?? '', 'base64').length).toBeGreaterThan(0);
			});
			expect(await service.requests('GET', '/voice-demos/')).toHaveLength(3);
		});

		test('writes the file to "data" by default', async () => {
			const { outputs } = await service.run(getDemo({ options: { download: true } }), [
				{ id: service.seed.voiceTemplate },
			]);
			expect(Object.keys(outputs[0]?.[0]?.binary ?? {})).toEqual(['data']);
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

		describe('downloads from the address in the response', () => {
			let files: Server;
			let origin: string;
			const asked: IncomingMessage[] = [];
			const closed: unknown[] = [];
			beforeAll(async () => {
				files = createServer((request, response) => {
					asked.push(request);
					if (request.url === '/endless') {
						response.writeHead(200, { 'content-type': 'audio/mpeg' });
						const more = () => response.write(Buffer.alloc(1_000_000)) && setImmediate(more);
						response.on('drain', more).on('close', () => void closed.push(request.url));
						more();
						return;
					}
					if (request.url === '/slow') {
						response.writeHead(200, { 'content-type': 'audio/mpeg' });
						const drip = setInterval(() => response.write('.'), 50);
						response.on('close', () => clearInterval(drip));
						return;
					}
					const status = Number(request.url?.slice(1));
					response
						.writeHead(status, {
							location: `${service.url}/api/v1/health`,
							'content-type': 'audio/mpeg; charset=binary',
						})
						.end('sound');
				});
				harness.closeAtEnd(async () => void files.close());
				await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
				origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
			});
			const download = async (mp3_url: string, more: object = {}) => {
				await service.fault({ kind: 'status', status: 200, body: { mp3_url } });
				return await service.run(getDemo({ options: { download: true }, ...more }), [{ id: 'x' }], {
					node: { onError: 'continueRegularOutput' },
				});
			};

			test('without the token', async () => {
				const { outputs } = await download(`${origin}/200`);
				expect(outputs[0]?.[0]?.binary?.data).toMatchObject({
					mimeType: 'audio/mpeg',
					data: Buffer.from('sound').toString('base64'),
				});
				expect(asked.at(-1)?.headers).not.toHaveProperty('authorization');
				expect(JSON.stringify(asked.at(-1)?.headers)).not.toContain(service.token);
			});

			test.each([403, 302, 500])('and reports HTTP status %s', async (status) => {
				const { outputs } = await download(`${origin}/${status}`);
				expect(outputs[0]?.[0]?.json).toMatchObject(
					failed('FILE_UNAVAILABLE', { httpStatus: status, message: expect.stringContaining('Run this again') }),
				);
				expect((await service.requests('GET')).map(({ path }) => path)).not.toContain('/api/v1/health');
			});

			test('and stops at 25 MB', async () => {
				const { outputs } = await download(`${origin}/endless`);
				expect(outputs[0]?.[0]?.json).toMatchObject(
					failed('FILE_UNAVAILABLE', { message: expect.stringContaining('larger than 25 MB') }),
				);
				await until(async () => closed.length > 0);
			});

			test('and stops at the request timeout, even if the file goes on arriving', async () => {
				const { outputs } = await download(`${origin}/slow`, { sending: { requestTimeout: 1 } });
				expect(outputs[0]?.[0]?.json).toMatchObject(
					failed('FILE_UNAVAILABLE', { message: expect.stringContaining('within the request timeout') }),
				);
			});

			test.each([
				['an address that does not respond', 'http://127.0.0.1:1/x.mp3', 'FILE_UNAVAILABLE'],
				['plain http on another machine', 'http://example.invalid/x.mp3', 'UNREADABLE_ANSWER'],
				['an invalid address', 'voice.mp3', 'UNREADABLE_ANSWER'],
			])('and reports %s', async (_what, address, code) => {
				expect((await download(address)).outputs[0]?.[0]?.json).toMatchObject(failed(code));
			});
		});
	});
});
