import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import type { EditorPage } from './browser.mts';
import { takesPictures } from './chromium.mts';

/** Where the pictures of the documentation are. */
export const images = join(root, 'docs', 'images');

/** A part of a page, in pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

export const themes = takesPictures ? (['light', 'dark'] as const) : (['light'] as const);

/** Where a node's panel lies, without the dimmed canvas around it and the neighboring nodes at its edges. */
export const panelOnly: Clip = { x: 25, y: 25, width: 1390, height: 850 };

/** The same without the pane of the input, where it is empty. */
export const withoutInput: Clip = { ...panelOnly };

/** How far the parameters lie from the edge of their pane. */
const PANE_MARGIN = 16;

/** In bytes, with 256 colors at most. */
const LARGEST = 250_000;

/** With 256 colors a picture of the editor has 40 % of its size, and nobody sees a difference. */
const palette =
	'split[one][two];[one]palettegen=max_colors=256:reserve_transparent=0[colors];[two][colors]paletteuse=dither=none';

/**
 * Writes a picture into `docs/images`, with 256 colors.
 *
 * @param png what Chromium has taken
 * @param name path of the file below `docs/images`, without `.png`
 * @throws if ffmpeg fails, or if the file is large
 */
export function keepPicture(png: Buffer, name: string): void {
	const path = join(images, `${name}.png`);
	const input = '-y -loglevel error -f png_pipe -i pipe:0'.split(' ');
	// The same picture gives the same bytes.
	const output = ['-vf', palette, ...'-pred none -compression_level 9 -fflags +bitexact'.split(' '), path];
	const { status, error, stderr } = spawnSync(process.env.FFMPEG_PATH ?? 'ffmpeg', [...input, ...output], {
		input: png,
	});
	if (error || status !== 0) {
		throw error ?? new Error(`ffmpeg could not write ${path}: ${String(stderr)}`);
	}
	const { size } = statSync(path);
	if (size > LARGEST) {
		throw new Error(`${path} has ${size} bytes, more than ${LARGEST}.`);
	}
}

/**
 * Takes a picture for the documentation, in a run that takes pictures: without messages in the corner, the mouse's
 * mark and animations.
 *
 * @param name of the file below `docs/images`, without `.png`
 * @param clip what of the page it shows
 */
export async function takePicture({ page }: EditorPage, name: string, clip: Clip): Promise<void> {
	if (!takesPictures) {
		return;
	}
	// What n8n suggests after a workflow is published, too.
	const open = page.locator('.el-notification__closeBtn, [data-test-id="suggested-actions-close"]');
	for (const close of await open.filter({ visible: true }).all()) {
		await close.click();
	}
	await page.locator('.el-notification').first().waitFor({ state: 'hidden' });
	await page.mouse.move(720, 899);
	await page.waitForLoadState('networkidle');
	const isPanel = clip === panelOnly || clip === withoutInput;
	const style = isPanel ? '[data-test-id="floating-nodes"] { visibility: hidden; }' : '';
	const start = clip === withoutInput ? await page.getByTestId('node-parameters').boundingBox() : null;
	const left = start === null ? clip.x : Math.floor(start.x) - PANE_MARGIN;
	const shown = { ...clip, x: left, width: clip.x + clip.width - left };
	keepPicture(await page.screenshot({ animations: 'disabled', clip: shown, style }), name);
}
