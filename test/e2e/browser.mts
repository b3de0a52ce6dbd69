import { type Browser, type Locator, type Page, selectors } from 'playwright-core';

import { NodePanel } from './browserPanel.mts';
import { launchChromium, PICTURE_SCALE } from './chromium.mts';
import { patienceMs } from './eventually.mts';
import { Instance, type WorkflowNode } from './instance.mts';

selectors.setTestIdAttribute('data-test-id');

/** What n8n's own panel complains about when a workflow is left before it has finished its updates. */
const leavingWorkflow = 'injectNDVStore() was accessed without an active workflow document store';

/**
 * Opens the editor of a shared n8n for the tests of a file, and ends it with them. After each test it closes the panel,
 * too: a panel that a failed test left open would hide the canvas from the next one.
 *
 * @param opened what else is done before the tests
 */
export function withEditor(
	opened: (editor: EditorPage, n8n: Instance) => unknown,
	theme: 'light' | 'dark' = 'light',
): void {
	let editor: EditorPage | undefined;
	let n8n: Instance | undefined;
	beforeAll(async () => {
		n8n = await Instance.share();
		editor = await EditorPage.open(n8n, theme);
		await opened(editor, n8n);
	}, 300_000);
	afterEach(async () => await editor?.closePanel());
	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
	}, 30_000);
}

/** n8n's editor in a headless Chromium, logged in as the owner. */
export class EditorPage {
	readonly page: Page;
	private readonly browser: Browser;
	private readonly n8n: Instance;
	private readonly url: string;
	private readonly errors: string[] = [];
	/** Errors that the console shows on an empty canvas too. */
	private usual = new Set<string>();

	private constructor(browser: Browser, page: Page, n8n: Instance) {
		const { url } = n8n.n8n;
		this.browser = browser;
		this.page = page;
		this.n8n = n8n;
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

	static async open(n8n: Instance, colorScheme: 'light' | 'dark'): Promise<EditorPage> {
		const browser = await launchChromium();
		try {
			const viewport = { width: 1440, height: 900 };
			const context = await browser.newContext({
				viewport,
				colorScheme,
				reducedMotion: 'reduce',
				deviceScaleFactor: PICTURE_SCALE,
			});
			// It asks no other machine.
			await context.route(
				({ hostname }) => hostname !== '127.0.0.1',
				async (route) => await route.abort(),
			);
			const [name, value] = n8n.editor.cookie.split('=');
			await context.addCookies([{ name, value, url: n8n.n8n.url }]);
			const editor = new EditorPage(browser, await context.newPage(), n8n);
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

	/** Expects the editor to show no error, and its console to have none since the last look. */
	async expectNoErrors(): Promise<void> {
		expect(await this.page.locator('.el-notification:has(.el-notification--error)').allInnerTexts()).toEqual([]);
		expect(this.takeErrors()).toEqual([]);
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

	/**
	 * Opens the panel of this package's node in a workflow of its own, after a start and other nodes.
	 *
	 * @param more of the node itself, or its name
	 */
	async openOperation(
		parameters: Record<string, unknown>,
		before: WorkflowNode[] = [],
		more: Partial<WorkflowNode> = {},
	): Promise<NodePanel> {
		const own = this.n8n.node('Calling', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, parameters);
		const start = this.n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
		const nodes = [start, ...before, { ...own, ...more }].map((node, place): WorkflowNode => {
			return { ...node, position: [place * 240, 0] };
		});
		const names = nodes.map(({ name }) => name);
		const workflow = names.at(-1)!;
		await this.openWorkflow(await this.n8n.createWorkflow(workflow, nodes, names), nodes.length);
		return await this.openNode(workflow);
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
