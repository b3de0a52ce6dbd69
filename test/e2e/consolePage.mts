import type { Browser, BrowserContextOptions } from 'playwright-core';

import { launchChromium } from './chromium.mts';

/** One for all pages of a test file. */
let browser: Promise<Browser> | undefined;

afterAll(async () => await (await browser)?.close());

export type ConsolePage = Awaited<ReturnType<typeof openConsole>>;

/** Opens the console of the sandbox at `url` in a headless Chromium. @param look how it is shown */
export async function openConsole(url: string, look: BrowserContextOptions = {}) {
	browser ??= launchChromium();
	const context = await (await browser).newContext({
		viewport: { width: 1280, height: 860 },
		colorScheme: 'light',
		reducedMotion: 'reduce',
		permissions: ['clipboard-read', 'clipboard-write'],
		...look,
	});
	const page = await context.newPage();
	/** Errors in the console of the browser, and requests to other servers. */
	const errors: string[] = [];
	page.setDefaultTimeout(20_000);
	page.on('pageerror', ({ message }) => errors.push(message));
	page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	page.on('request', (request) => !request.url().startsWith(url) && errors.push(request.url()));
	/** Opens a place, which follows `#/`, as a link from elsewhere does: the page is loaded again. */
	const load = async (place: string) => {
		await page.goto('about:blank');
		await page.goto(`${url}/#/${place}`);
	};
	await load('');
	await page.getByRole('link', { name: 'Sandbox', exact: true }).waitFor();
	/** Goes to a place as a link in the page does. */
	const go = (place: string) => page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
	return { page, errors, load, go, close: () => context.close() };
}
