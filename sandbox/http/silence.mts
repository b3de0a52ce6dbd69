/** MPEG-2 Layer III, 8 kbit/s, 16 kHz, mono, without checksum. */
const HEADER = [0xff, 0xf3, 0x18, 0xc4];
/** 72 × 8000 bit/s ÷ 16000 Hz. */
const FRAME_BYTES = 36;
/** 576 samples. */
const FRAME_SECONDS = 576 / 16_000;
/** An hour is 3.6 MB. Longer recordings are truncated. */
const LONGEST_SECONDS = 3600;

/** Returns silence as MP3, rounded up to 36 ms. A frame with only zeros after its header is silent. */
export function silence(seconds: number): Buffer {
	const frames = Math.ceil(Math.min(Math.max(seconds, 1), LONGEST_SECONDS) / FRAME_SECONDS);
	const sound = Buffer.alloc(FRAME_BYTES * frames);
	for (let frame = 0; frame < frames; frame += 1) {
		sound.set(HEADER, frame * FRAME_BYTES);
	}
	return sound;
}
