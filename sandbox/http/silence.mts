/** MPEG-2 Layer III, 8 kbit/s, 16 kHz, mono, without checksum. */
const HEADER = [0xff, 0xf3, 0x18, 0xc4];
/** 72 × 8000 bit/s ÷ 16000 Hz. */
const FRAME_BYTES = 36;
/** A frame has 576 samples. */
const FRAME_SECONDS = 576 / 16_000;
/** An hour has 3.6 MB; what lasts longer is cut. */
const LONGEST_SECONDS = 3600;

/** Silence as MP3, to the next 36 ms: a frame with only zeros after its header has no sound. */
export function silence(seconds: number): Buffer {
	const frames = Math.ceil(Math.min(Math.max(seconds, 1), LONGEST_SECONDS) / FRAME_SECONDS);
	const sound = Buffer.alloc(FRAME_BYTES * frames);
	for (let frame = 0; frame < frames; frame += 1) {
		sound.set(HEADER, frame * FRAME_BYTES);
	}
	return sound;
}
