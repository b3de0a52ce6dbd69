import type { Locator, Page } from 'playwright-core';

import { eventually } from './eventually.mts';

/** The open panel of a node: its parameters in the middle, its output on the right. */
export class NodePanel {
	readonly page: Page;
	readonly parameters: Locator;
	readonly output: Locator;

	constructor(page: Page) {
		this.page = page;
		this.parameters = page.getByTestId('node-parameters');
		this.output = page.getByTestId('output-panel');
	}

	async close(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.parameters.waitFor({ state: 'hidden' });
	}

	/** The names of all parameters that show, in order. */
	async labels(): Promise<string[]> {
		const labels = this.parameters.getByTestId('input-label').locator('label[for]').filter({ visible: true });
		return (await labels.allInnerTexts()).map(firstLine);
	}

	/** The names of the parameters that the panel marks as invalid. */
	async issues(): Promise<string[]> {
		const marked = this.parameters
			.locator('.parameter-item')
			.filter({ has: this.page.getByTestId('parameter-issues'), visible: true });
		return (await marked.allInnerTexts()).map(firstLine);
	}

	/** Chooses an entry of a picker that has a text; gives what the picker shows then. */
	async pick(parameter: string, text: string | RegExp = /./): Promise<string> {
		const entry = (await this.openList(parameter)).filter({ hasText: text }).first();
		const name = (await entry.innerText()).trim();
		await entry.click();
		await eventually(async () => expect(await this.value(parameter)).toBe(name));
		return name;
	}

	/**
	 * Waits until the output has a text; gives the output, without the marks that stand for blanks.
	 *
	 * @param form shown in this way: n8n goes back to its own choice when the first output of a run arrives
	 */
	async says(text: string | RegExp, form?: 'table' | 'json'): Promise<string> {
		let output = '';
		await eventually(async () => {
			await (form && this.showOutputAs(form));
			output = (await this.output.innerText()).replace(/[\s·]+/g, ' ');
			expect(output).toMatch(text);
		});
		return output;
	}

	/** Where a parameter is entered. */
	input(parameter: string): Locator {
		return this.parameters.getByTestId(`parameter-input-${parameter}`);
	}

	/** A parameter with its label. */
	item(parameter: string): Locator {
		const label = this.page.locator(`label[for="${parameter}"]`);
		return this.parameters.locator('.parameter-item').filter({ has: label });
	}

	/** What a parameter with choices, a text or a picker holds. */
	async value(parameter: string): Promise<string> {
		return await this.input(parameter).locator('input').last().inputValue();
	}

	/** Chooses from a parameter's list by the words that the list shows. */
	async choose(parameter: string, choice: string): Promise<void> {
		await this.input(parameter).click();
		await this.visibleItem('parameter-input-item', choice).click();
		await this.visibleItem('parameter-input-item', choice).waitFor({ state: 'hidden' });
	}

	/** Chooses one more from a list that takes several; gives all that are chosen then. */
	async chooseAnother(parameter: string, choice: string): Promise<string[]> {
		const input = this.input(parameter);
		await input.locator('.el-select__caret').click();
		await this.page.locator('.el-select-dropdown__item').filter({ hasText: choice, visible: true }).click();
		// Takes several: it stays open.
		await this.page.keyboard.press('Escape');
		const chosen = input.locator('.el-tag');
		await chosen.filter({ hasText: choice }).waitFor();
		return (await chosen.allInnerTexts()).map(firstLine);
	}

	/** Adds one entry to a collection, such as Options. */
	async addToCollection(collection: string, entry: string): Promise<void> {
		const section = this.section(collection);
		const option = this.visibleItem('collection-parameter-option', entry);
		await section.getByTestId('collection-parameter-add').click();
		// A collection of one entry adds it at once; others open a list, some time after the click.
		// Exactly this one: the label Export Path has the word Port in it.
		const added = section.getByTestId('input-label').filter({ has: this.page.getByText(entry, { exact: true }) });
		await option.or(added).first().waitFor();
		if (await option.isVisible()) {
			// Its entries move while it opens: the mouse could miss one.
			await option.dispatchEvent('click');
			// While it closes, its entries move: a click on the next one could miss it.
			const entries = this.page.getByTestId('collection-parameter-option').filter({ visible: true });
			await entries.first().waitFor({ state: 'hidden' });
		}
	}

	/** Adds a row to a list of values. */
	async addRow(list: string): Promise<void> {
		await this.parameters.getByTestId(`fixed-collection-${list}`).getByTestId('fixed-collection-add').click();
	}

	/** Opens a picker's list; gives its entries. */
	async openList(parameter: string): Promise<Locator> {
		await this.input(parameter).getByTestId('rlc-input').click();
		const entries = this.page.getByTestId('rlc-item').filter({ visible: true });
		await entries.first().waitFor();
		return entries;
	}

	async searchList(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(text);
	}

	/** Gives a picker an ID instead of a choice. */
	async enterId(parameter: string, id: string): Promise<void> {
		await this.input(parameter).getByTestId('rlc-mode-selector').click();
		await this.page.getByTestId('mode-id').filter({ visible: true }).click();
		await this.input(parameter).getByTestId('rlc-input').fill(id);
	}

	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
	}

	/** Shows the output in one of n8n's ways. */
	async showOutputAs(form: 'table' | 'json'): Promise<void> {
		await this.output.getByTestId(`radio-button-${form}`).click();
	}

	private section(collection: string): Locator {
		return this.parameters.locator('.multi-parameter').filter({ has: this.page.locator(`label[for="${collection}"]`) });
	}

	private visibleItem(testId: string, name: string): Locator {
		const label = this.page.getByText(name, { exact: true });
		return this.page.getByTestId(testId).filter({ has: label, visible: true });
	}
}

function firstLine(text: string): string {
	return text.trim().split('\n')[0].trim();
}
