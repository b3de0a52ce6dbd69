import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change of the product that breaks one promise and nothing else, and the test that has to notice it. */
export interface Break {
	/** How the promise begins in docs/contributing/promises.md; of a mended defect, what it did. */
	promise: string;
	/** A test file below `test/`. The row of the promise names it. */
	test: string;
	/** A part of the full name of the test that has to fail. */
	name: string;
	/** Parts of the names of tests that it needs before it, in the same file. */
	after: string[];
	/** The file to change. */
	file: string;
	/** What stands in it exactly once. */
	code: string;
	/** What takes its place. The changed file still compiles. */
	changed: string;
}

/**
 * The changes in a file of this folder, an empty line between them:
 *
 *     # The promise, for all changes up to the next one
 *     integration/folder/test › a test that it needs before it › the test that has to fail
 *     nodes/folder/file.ts
 *     -what stands there once: parts of lines, or several lines
 *     +what takes its place
 */
function breaksIn(file: string): Break[] {
	let promise = '';
	const text = readFileSync(join(import.meta.dirname, file), 'utf8').trimEnd();
	return text.split('\n\n').map((block) => {
		const lines = block.split('\n');
		promise = lines[0].startsWith('# ') ? lines.shift()!.slice(2) : promise;
		const [heading, path, ...change] = lines;
		const [test, ...names] = heading.split(' › ');
		const side = (sign: string) => change.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
		const [code, changed] = [side('-'), side('+')].map((parts) => parts.join('\n'));
		return { promise, test: `${test}.test.mts`, name: names.pop()!, after: names, file: path, code, changed };
	});
}

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.diff'));

/** A change for each promise; in `inN8n` what only a real n8n proves. */
export const brokenPromises: readonly Break[] = files.filter((file) => file !== 'defects.diff').flatMap(breaksIn);

/** Those, and changes that bring mended defects back. */
export const breaks: readonly Break[] = [...brokenPromises, ...breaksIn('defects.diff')];

/** Promises without a change that breaks them: how they begin in docs/contributing/promises.md, and why. */
export const unbroken: Record<string, string> = {
	'The same in queue mode, with several executions at once and one to four workers':
		'It was measured once: no test would notice a change.',
	'In queue mode a kill loses only what the killed worker was running':
		'Five processes of n8n and two databases prove it, which only npm run test:e2e -- queueMode starts.',
	'Other tools can use docs/openapi.json':
		'A command proves it with tools of other people: it has no test that is named and could fail.',
	'The pictures of the pages by task are taken where a real n8n shows what the page says':
		'It is about how npm run screenshots takes pictures, and not about what the product does.',
};

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
