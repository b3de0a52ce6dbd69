import { parseArgs } from 'node:util';

/** How much is measured. */
export interface ScaleOptions {
	/** The contacts of the largest campaign. */
	contacts: number;
	/** The numbers of workers, ascending. */
	workers: number[];
	/** Whether steps that an interrupted run has done are left out. */
	goOn: boolean;
}

/** What the page in docs/ is about. */
export const fullSize: ScaleOptions = { contacts: 100_000, workers: [1, 2, 4], goOn: false };

/**
 * Reads the command line after `bench scale`, such as `--contacts 5000 --workers 1,2 --continue`.
 *
 * @throws Error if a value is no positive whole number, or an option does not exist
 */
export function scaleOptions(args: string[]): ScaleOptions {
	const { values } = parseArgs({
		args,
		options: { contacts: { type: 'string' }, workers: { type: 'string' }, continue: { type: 'boolean' } },
	});
	const { contacts = String(fullSize.contacts), workers = fullSize.workers.join() } = values;
	return {
		contacts: positive('contacts', contacts),
		workers: [...new Set(workers.split(',').map((count) => positive('workers', count)))].sort((a, b) => a - b),
		goOn: values.continue ?? false,
	};
}

function positive(name: string, text: string): number {
	if (!/^[1-9]\d*$/.test(text)) {
		throw new Error(`--${name} takes positive whole numbers, not "${text}".`);
	}
	return Number(text);
}

/** The numbers of contacts whose campaigns are compared: up to three powers of ten, ending with all. */
export function growthSizes(contacts: number): number[] {
	return [contacts / 100, contacts / 10, contacts].map(Math.round).filter((count) => count >= 100);
}
