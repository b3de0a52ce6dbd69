/** A change of the product that breaks one promise and nothing else, and the test that has to notice it. */
export interface Break {
	/** How the promise begins in docs/contributing/testing.md; of a mended defect, what it did. */
	promise: string;
	/** A test file below `test/`. The row of the promise names it. */
	test: string;
	/** A part of the full name of the test that has to fail. */
	name: string;
	/** Parts of the names of tests that it needs before it, in the same file. */
	after?: string[];
	/** The file to change. */
	file: string;
	/** What stands in it exactly once. */
	code: string;
	/** What takes its place. The changed file still compiles. */
	changed: string;
}

/** Whether only a real n8n or a browser shows the break. */
export const isEndToEnd = ({ test }: Break): boolean => test.startsWith('e2e/');

/** Puts the change into the text of its file. @throws Error if `code` does not stand in it exactly once */
export function broken(source: string, { promise, file, code, changed }: Break): string {
	const [before, after, another] = source.split(code);
	if (after === undefined || another !== undefined) {
		throw new Error(`${file} has to have this code once, to break “${promise}”: ${code}`);
	}
	return before + changed + after;
}
