import axios from 'axios';

import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { skipRealTime } from '../../realTime.mts';
import { expectRefusals } from '../../refusals.mts';

describe('voice templates', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const groups = async (query = ''): Promise<Json[]> =>
		asList((await service.api('GET', `/voice-templates?${query}`)).data.data);
	const voices = async (query = '') => (await groups(query)).flatMap((group) => asList(group.voices));

	it('come in groups with the tiers of one voice, which differ in id, tier and cost alone', async () => {
		const { status, data } = await service.api('GET', '/voice-templates');
		expect([status, Object.keys(data).sort()]).toEqual([200, ['data', 'success']]);
		expect(asList(data.data).length).toBeGreaterThanOrEqual(6);
		for (const group of asList(data.data)) {
			expect(Object.keys(group).sort()).toEqual(['display_name', 'voices']);
			const [first] = asList(group.voices);
			for (const voice of asList(group.voices)) {
				expect(voice).toEqual({
					...first,
					id: expect.any(String),
					quality_tier: expect.stringMatching(/^(basic|pro|ultra|beta)$/),
					cost: expect.stringMatching(/^\d+\.\d+$/),
				});
			}
			const tiers = asList(group.voices).map(({ quality_tier }) => quality_tier);
			expect(new Set(tiers).size).toBe(tiers.length);
		}
		const all = await voices();
		expect(new Set(all.map(({ id }) => asText(id))).size).toBe(all.length);
		expect(all.map(({ id }) => asText(id))).toContain(service.seed.voiceTemplate);
	});

	it.each([
		['language', 'en-US'],
		['language', 'de-DE'],
		['quality_tier', 'basic'],
		['quality_tier', 'pro'],
		['quality_tier', 'ultra'],
		['quality_tier', 'beta'],
		['gender', 'male'],
		['gender', 'female'],
	])('are found by %s %s, without what does not match', async (field, value) => {
		const found = await voices(`${field}=${value}`);
		expect(found.map((voice) => voice[field])).toEqual(found.map(() => value));
		const expected = (await voices()).filter((voice) => asText(voice[field]) === value);
		expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
		expect(found.length).toBeGreaterThan(0);
		for (const group of await groups(`${field}=${value}`)) {
			expect(asList(group.voices).length).toBeGreaterThan(0);
		}
	});

	it('are found by several filters at once, the language in upper or lower case', async () => {
		const found = await voices('language=EN-us&gender=female&quality_tier=ultra');
		expect(found).toMatchObject([{ language: 'en-US', gender: 'female', quality_tier: 'ultra' }]);
		expect(await groups('language=sv-SE')).toEqual([]);
		expect(await groups('language=')).toEqual(await groups());
	});

	it.each([
		['quality_tier', 'premium'],
		['gender', 'neutral'],
	])('cannot be asked for by the %s %s', async (field, value) => {
		const { status, data } = await service.api('GET', `/voice-templates?${field}=${value}`);
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [field]: [expect.any(String)] } },
		]);
	});

	it('need a token', async () => {
		await expectRefusals(service, 'GET', '/voice-templates');
		const { data } = await service.api('GET', '/voice-templates', undefined, 'wrong');
		expect(data.message).toBe('Unauthorized');
	});
});

describe('the demo of a voice template', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		path = `/voice-templates/${service.seed.voiceTemplate}/demo`;
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});

	const address = async () => asText((await service.api('GET', path)).data.mp3_url);
	const listen = (url: string) =>
		axios.get<Buffer>(url, { responseType: 'arraybuffer', validateStatus: () => true, proxy: false });

	it('is only a URL, on the host of the request', async () => {
		const { status, data } = await service.api('GET', path);
		expect([status, Object.keys(data)]).toEqual([200, ['mp3_url']]);
		const url = new URL(asText(data.mp3_url));
		expect([url.origin, url.pathname.startsWith('/api/v1')]).toEqual([service.url, false]);
	});

	it('can be listened to without a token: it is MP3, frame after frame to its end', async () => {
		const { status, headers, data } = await listen(await address());
		expect([status, headers['content-type']]).toEqual([200, 'audio/mpeg']);
		expect(Number(headers['content-length'])).toBe(data.length);
		let frames = 0;
		// By its header a frame of MPEG-2 Layer III at 8 kbit/s and 16 kHz has 36 bytes.
		for (let start = 0; start < data.length; start += 36, frames += 1) {
			expect(data.subarray(start, start + 4).toString('hex')).toBe('fff318c4');
		}
		expect([frames > 10, data.length % 36]).toEqual([true, 0]);
	});

	it('cannot be listened to by an address that was changed', async () => {
		const url = await address();
		const { data } = await service.api('GET', '/voice-templates');
		const other = asText(data.data[1]!.voices[0]!.id);
		const changed = [
			url.replace(service.seed.voiceTemplate, other),
			url.replace(/expires=\d/, 'expires=9'),
			url.replace(/signature=.*/, `signature=${'0'.repeat(64)}`),
			url.replace(/\?.*/, ''),
			url.replace('.mp3', ''),
		];
		for (const address of changed) {
			expect(address).not.toBe(url);
			const { status, data } = await listen(address);
			expect([address, status]).toEqual([address, 403]);
			expect(JSON.parse(data.toString())).toEqual({ success: false, message: expect.any(String) });
		}
	});

	it('cannot be listened to any more after a quarter of an hour, or after a reset', async () => {
		const url = await address();
		skipRealTime(14 * 60_000);
		expect((await listen(url)).status).toBe(200);
		jest.restoreAllMocks();
		skipRealTime(16 * 60_000);
		expect((await listen(url)).status).toBe(403);
		jest.restoreAllMocks();
		await service.control('reset', {});
		expect((await listen(url)).status).toBe(403);
		expect((await listen(await address())).status).toBe(200);
	});

	it('needs a known template and a token', async () => {
		const unknown = await service.api('GET', '/voice-templates/nobody/demo');
		expect([unknown.status, unknown.data]).toEqual([404, { success: false, message: 'Voice template not found.' }]);
		await expectRefusals(service, 'GET', path);
	});

	it('can fail like the service when it cannot generate one', async () => {
		const match = { method: 'GET', path: `/api/v1${path}` };
		await service.control('faults', { match, kind: 'status', status: 500, body: { error: 'Demo generation failed' } });
		const { status, data } = await service.api('GET', path);
		expect([status, data]).toEqual([500, { error: 'Demo generation failed' }]);
		expect((await service.api('GET', path)).status).toBe(200);
	});
});
