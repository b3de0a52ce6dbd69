import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Locator, type Page, selectors } from 'playwright-core';

import { NodePanel } from './browserPanel.mts';
import type { Instance } from './instance.mts';

selectors.setTestIdAttribute('data-test-id');

/** How long the editor may take to show something, on a busy machine too. */
const patienceMs = 120_000;

/** What n8n's own panel complains about when a workflow is left before it has finished its updates. */
const leavingWorkflow = 'injectNDVStore() was accessed without an active workflow document store';

const chromiumArguments = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Repeats an expectation until it holds; throws its last error when the time is up. */
export async function eventually(expectation: () => Promise<void>): Promise<void> {
	const end = Date.now() + patienceMs;
	for (;;) {
		try {
			return await expectation();
		} catch (error) {
			if (Date.now() > end) {
				throw error;
			}
		}
		await sleep(100);
	}
}

/**
 * Closes what a file of tests opened. After each test it closes the panel, too: a panel that a failed test left open
 * would hide the canvas from the next one.
 *
 * @param opened what is open by now
 */
export function closeAfterTests(opened: () => { editor?: EditorPage; n8n?: Instance }): void {
	afterEach(async () => await opened().editor?.closePanel());
	afterAll(async () => {
		const { editor, n8n } = opened();
		await editor?.close();
		await n8n?.stop();
	}, 30_000);
}

/** n8n's editor in a headless Chromium, logged in as the owner. */
export class EditorPage {
	readonly page: Page;
	private readonly browser: Browser;
	private readonly url: string;
	private readonly errors: string[] = [];
	/** Errors that the console shows on an empty canvas too. */
	private usual = new Set<string>();

	private constructor(browser: Browser, page: Page, url: string) {
		this.browser = browser;
		this.page = page;
		this.url = url;
		page.setDefaultTimeout(patienceMs);
		page.on('pageerror', ({ message }) => this.errors.push(message));
		page.on('console', (message) => {
			// The editor also requests n8n's own servers and the npm registry: not about the nodes.
			const source = message.location().url;
			const isElsewhere = /^https?:/.test(source) && !source.startsWith(url);
			if (message.type() === 'error' && !isElsewhere) {
				this.errors.push(`${message.text()} ${source}`);
			}
		});
	}

	static async open(
		{ n8n, editor: { cookie } }: Instance,
		colorScheme: 'light' | 'dark' = 'light',
	): Promise<EditorPage> {
		const executablePath = process.env.CHROMIUM_PATH;
		if (!executablePath) {
			throw new Error('Start this with "npm run test:e2e": it finds a Chromium, or brings one.');
		}
		const browser = await chromium.launch({ executablePath, args: chromiumArguments });
		try {
			const context = await browser.newContext({
				viewport: { width: 1440, height: 900 },
				colorScheme,
				reducedMotion: 'reduce',
			});
			await stayOnThisMachine(context);
			const [name, value] = cookie.split('=');
			await context.addCookies([{ name, value, url: n8n.url }]);
			const editor = new EditorPage(browser, await context.newPage(), n8n.url);
			await editor.openEmptyCanvas();
			editor.usual = new Set(editor.errors);
			return editor;
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Errors in the console since the last call, without those of an empty canvas. */
	takeErrors(): string[] {
		return this.errors.splice(0).filter((text) => !this.usual.has(text) && !text.includes(leavingWorkflow));
	}

	/** The error notifications that the editor shows. */
	async alarms(): Promise<string[]> {
		return await this.page.locator('.el-notification:has(.el-notification--error)').allInnerTexts();
	}

	async openEmptyCanvas(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
		await this.page.waitForLoadState('networkidle');
	}

	/**
	 * Opens a workflow as a link within the editor does, which is ten times as fast as loading the page again; resolves
	 * when the canvas shows it.
	 *
	 * @param nodes how many nodes it has
	 */
	async openWorkflow(id: string, nodes = 1): Promise<void> {
		const path = `/workflow/${id}`;
		if (new URL(this.page.url()).pathname !== path) {
			await this.page.evaluate(`
				for (const node of document.querySelectorAll('[data-test-id="canvas-node"]')) {
					node.setAttribute('data-earlier', '');
				}
				history.pushState({}, '', ${JSON.stringify(path)});
				dispatchEvent(new PopStateEvent('popstate', { state: {} }));
			`);
		}
		await this.page
			.locator('[data-test-id="canvas-node"]:not([data-earlier])')
			.nth(nodes - 1)
			.waitFor();
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<NodePanel> {
		await this.node(name).dblclick();
		return await this.openedPanel();
	}

	/** Closes a node's panel, if one is open. */
	async closePanel(): Promise<void> {
		const panel = new NodePanel(this.page);
		if (await panel.parameters.isVisible()) {
			await panel.close();
		}
	}

	/** The panel of the node that was opened or added last. */
	async openedPanel(): Promise<NodePanel> {
		const panel = new NodePanel(this.page);
		await panel.parameters.waitFor();
		return panel;
	}

	/** Opens the list of nodes by the button at the canvas's edge. */
	async openNodeList(): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
	}

	/** Searches the open list of nodes; gives what it shows. */
	async searchNodes(text: string): Promise<Locator> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('item-iterator-item');
	}
}

async function stayOnThisMachine(context: BrowserContext): Promise<void> {
	await context.route(
		({ hostname }) => hostname !== '127.0.0.1',
		async (route) => await route.abort(),
	);
}
