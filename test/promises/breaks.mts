import { calls } from './calls.mts';
import { defects } from './defects.mts';
import { documents } from './documents.mts';
import { editor } from './editor.mts';
import { events } from './events.mts';
import { numbers } from './numbers.mts';
import { pace } from './pace.mts';
import { sandbox } from './sandbox.mts';
import { secrets } from './secrets.mts';
import { tools } from './tools.mts';

/** A change of the product that breaks one promise and nothing else, and the test that has to notice it. */
export interface Break {
	/** How the promise begins in docs/testing.md; of a mended defect, what it did. */
	promise: string;
	/** A test file below `test/`. The row of the promise names it. */
	test: string;
	/** A part of the full name of the test that has to fail. */
	name: string;
	/** The file to change. */
	file: string;
	/** What stands in it exactly once. */
	code: string;
	/** What takes its place. The changed file still compiles. */
	changed: string;
}

/** A change for each promise, in the order of the tables in docs/testing.md. */
export const brokenPromises: readonly Break[] = [
	...calls,
	...numbers,
	...documents,
	...tools,
	...events,
	...secrets,
	...pace,
	...editor,
	...sandbox,
];

/** Those, and changes that bring mended defects back. */
export const breaks: readonly Break[] = [...brokenPromises, ...defects];

/** Puts the change into the text of its file. @throws Error if `code` does not stand in it exactly once */
export function broken(source: string, { promise, file, code, changed }: Break): string {
	const [before, after, another] = source.split(code);
	if (after === undefined || another !== undefined) {
		throw new Error(`${file} has to have this code once, to break “${promise}”: ${code}`);
	}
	return before + changed + after;
}
