import type { Browser, Page } from 'playwright-core';

import { launchChromium } from './chromium.mts';

/** How the page is shown. */
interface Look {
	colorScheme?: 'light' | 'dark';
	width?: number;
	/** Lets a test add a script of its own, such as axe; the console's policy forbids it otherwise. */
	bypassCSP?: boolean;
}

/** One for all pages of a test file. */
let browser: Promise<Browser> | undefined;

afterAll(async () => {
	await (await browser)?.close();
});

/** The sandbox's console in a headless Chromium. */
export class ConsolePage {
	readonly page: Page;
	/** Errors in the console of the browser, and requests to other servers. */
	readonly errors: string[] = [];
	private readonly url: string;

	private constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
		page.setDefaultTimeout(20_000);
		page.on('pageerror', ({ message }) => this.errors.push(message));
		page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
		page.on('request', (request) => !request.url().startsWith(url) && this.errors.push(request.url()));
	}

	/** @param url of the sandbox */
	static async open(url: string, { width = 1280, ...look }: Look = {}): Promise<ConsolePage> {
		browser ??= launchChromium();
		const context = await (await browser).newContext({
			viewport: { width, height: 860 },
			colorScheme: 'light',
			reducedMotion: 'reduce',
			permissions: ['clipboard-read', 'clipboard-write'],
			...look,
		});
		const opened = new ConsolePage(await context.newPage(), url);
		await opened.page.goto(`${url}/`);
		await opened.page.getByRole('link', { name: 'Sandbox', exact: true }).waitFor();
		return opened;
	}

	/** Goes to a place, as a link in the page does. @param place what follows `#/` */
	async go(place: string): Promise<void> {
		await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
	}

	/** Opens a place as a link from elsewhere does: the page is loaded again. */
	async load(place: string): Promise<void> {
		await this.page.goto('about:blank');
		await this.page.goto(`${this.url}/#/${place}`);
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}
}
