/** MPEG-1 Layer III, 32 kbit/s, 44.1 kHz, mono, without checksum. */
const HEADER = [0xff, 0xfb, 0x10, 0xc4];
/** 144 × 32000 bit/s ÷ 44100 Hz, rounded down. */
const FRAME_BYTES = 104;
/** A frame has 1152 samples: 39 of them last about a second. */
const FRAMES = 39;

/** A second of silence as MP3: a frame with only zeros after its header has no sound. */
export const SILENCE = Buffer.alloc(FRAME_BYTES * FRAMES);
for (let frame = 0; frame < FRAMES; frame += 1) {
	SILENCE.set(HEADER, frame * FRAME_BYTES);
}
