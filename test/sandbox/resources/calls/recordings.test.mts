import { asText } from '../../client.mts';
import { place, timelineOf } from '../../control/calls.mts';
import { activeCampaign, queue } from '../../objects.mts';
import { useService } from '../../use.mts';

/** Rates of MPEG-2 Layer III, in kbit/s by their index, and the sampling rates in Hz (ISO/IEC 13818-3). */
const BIT_RATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLING_RATES = [22_050, 24_000, 16_000];
const SAMPLES = 576;

/** Reads an MP3 frame by frame, as a player does. @returns its length in seconds @throws for what is no frame */
function secondsOf(sound: Buffer): number {
	let seconds = 0;
	for (let place = 0; place < sound.length; ) {
		const header = sound.readUInt32BE(place);
		const [sync, version, layer] = [header >>> 21, (header >>> 19) & 3, (header >>> 17) & 3];
		const bitRate = BIT_RATES[(header >>> 12) & 15];
		const samplingRate = SAMPLING_RATES[(header >>> 10) & 3];
		if (sync !== 0x7ff || version !== 2 || layer !== 1 || !bitRate || !samplingRate) {
			throw new Error(`no frame at ${place}`);
		}
		const padding = (header >>> 9) & 1;
		place += Math.floor((SAMPLES / 8) * ((bitRate * 1000) / samplingRate)) + padding;
		if (place > sound.length) {
			throw new Error('the last frame is not complete');
		}
		seconds += SAMPLES / samplingRate;
	}
	return seconds;
}

describe('recordings', () => {
	const service = useService();

	it('are sound files as long as the call, for an agent call and for a campaign call', async () => {
		const campaign = await activeCampaign(service);
		const ids = [await place(service, '+12025550001'), await place(service, '+12025550005')];
		ids.push(asText((await queue(service, campaign, '+12025550001')).id));
		await service.advance(100);
		const lengths = [];
		for (const id of ids) {
			const { recording_url, duration } = await timelineOf(service, id);
			const response = await fetch(asText(recording_url));
			expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
			const seconds = secondsOf(Buffer.from(await response.arrayBuffer()));
			expect(Math.abs(seconds - Number(duration))).toBeLessThan(0.05);
			lengths.push(Math.round(seconds));
		}
		expect(lengths).toEqual([30, 15, 30]);
	});
});
