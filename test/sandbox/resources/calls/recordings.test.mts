import { campaign, queued, useStories } from '../../story.mts';

const { service, play } = useStories();

/** Returns the length of an MP3 in seconds, read frame by frame like a player (MPEG-2 Layer III, ISO/IEC 13818-3). */
function secondsOf(sound: Buffer): number {
	let frames = 0;
	let rate = 1;
	for (let place = 0; place < sound.length; frames += 1) {
		const header = sound.readUInt32BE(place);
		const bits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][(header >>> 12) & 15]! * 1000;
		rate = [22_050, 24_000, 16_000][(header >>> 10) & 3]!;
		// Eleven ones, MPEG-2, Layer III.
		expect((header >>> 17).toString(2)).toBe('111111111111001');
		place += Math.floor((72 * bits) / rate) + ((header >>> 9) & 1);
	}
	return (frames * 576) / rate;
}

test('recordings are sound files as long as the call, for an agent call and for a campaign call', async () => {
	const names = await play([
		['POST /agents/{agent}/call 200 > person', { to: '+12025550001' }],
		['POST /agents/{agent}/call 200 > voicemail', { to: '+12025550005' }],
		...campaign('c'),
		queued('c', '+12025550001'),
		['wait 100'],
	]);
	const lengths = [];
	for (const name of ['person', 'voicemail', 'queued']) {
		const { recording_url } = await service.control(`calls/${String(names[name])}`);
		const response = await fetch(String(recording_url));
		expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
		lengths.push(Math.round(secondsOf(Buffer.from(await response.arrayBuffer())) * 10) / 10);
	}
	expect(lengths).toEqual([30, 15, 30]);
});
