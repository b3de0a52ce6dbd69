import { type Browser, chromium } from 'playwright-core';

const chromiumArguments = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-sync',
	'--disable-background-networking',
	'--disable-component-update',
];

/** Starts the Chromium that the setup has found. */
export async function launchChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH;
	if (!executablePath) {
		throw new Error('Start this with "npm run test:e2e": it finds a Chromium, or brings one.');
	}
	return await chromium.launch({ executablePath, args: chromiumArguments });
}

/** Only `npm run screenshots` takes the pictures of the documentation, in both themes. */
export const takesPictures = process.env.TEST_TIER === 'screenshots';

/** Pixels for each pixel of the page, so that the texts of pictures are sharp on any screen. */
export const PICTURE_SCALE = takesPictures ? 2 : 1;
