import { asText } from '../../client.mts';
import { skipRealTime } from '../../realTime.mts';
import { useService } from '../../use.mts';

const service = useService();

describe('the demo of a voice template', () => {
	const address = async () =>
		asText((await service.api('GET', `/voice-templates/${service.seed.voiceTemplate}/demo`)).data.mp3_url);
	const statusOf = async (url: string) => (await fetch(url)).status;

	it('cannot be listened to by an address that was changed', async () => {
		const url = await address();
		const other = asText((await service.api('GET', '/voice-templates')).data.data[1]!.voices[0]!.id);
		for (const changed of [
			url.replace(service.seed.voiceTemplate, other),
			url.replace(/expires=\d/, 'expires=9'),
			url.replace(/signature=.*/, `signature=${'0'.repeat(64)}`),
			url.replace(/\?.*/, ''),
			url.replace('.mp3', ''),
		]) {
			expect([changed, await statusOf(changed)]).toEqual([changed, 403]);
		}
	});

	it('cannot be listened to any more after a quarter of an hour, or after a reset', async () => {
		const url = await address();
		skipRealTime(14 * 60_000);
		expect(await statusOf(url)).toBe(200);
		skipRealTime(2 * 60_000);
		expect(await statusOf(url)).toBe(403);
		jest.restoreAllMocks();
		const last = await address();
		await service.control('reset', {});
		expect([await statusOf(last), await statusOf(await address())]).toEqual([403, 200]);
	});
});
