import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { broken, isEndToEnd } from '../promises/break.mts';
import { breaks, brokenPromises } from '../promises/breaks.mts';
import { unbroken } from '../promises/unbroken.mts';

const page = readFileSync(join(root, 'docs', 'contributing', 'testing.md'), 'utf8');

/** The rows of the tables of promises that hold. Those that do not hold yet stand below, and need no change to break. */
const rows = page
	.slice(0, page.indexOf('## What no test proves'))
	.split('\n')
	.filter((line) => /^\| (?!Promise \|)/.test(line));

/** Whether a promise is proven by tests in a real n8n only, or by a command. */
const needsN8n = (row: string) =>
	[...row.matchAll(/\]\(\.\.\/\.\.\/test\/([^)]+)\)/g)].every(([, file]) => /^(e2e|compat)\//.test(file));

const rowsOf = (promise: string) => rows.filter((row) => row.startsWith(`| ${promise}`));

describe('the changes that break promises on purpose', () => {
	it('break each promise of docs/contributing/testing.md, without a real n8n where that proves it, or a reason says why not', () => {
		const withChange = brokenPromises.flatMap((one) =>
			rowsOf(one.promise).filter((row) => needsN8n(row) || !isEndToEnd(one)),
		);
		const withReason = unbroken.flatMap(({ promise }) => rowsOf(promise));
		const missing = rows.filter((row) => !withChange.includes(row) && !withReason.includes(row));
		expect(missing.map((row) => row.slice(2, 100))).toEqual([]);
		expect(withReason.filter((row) => withChange.includes(row))).toEqual([]);
	});

	it.each(unbroken.map(({ promise, reason }) => [promise, reason]))(
		'have a reason where there is none: %s',
		(promise, reason) => {
			expect(rowsOf(promise)).toHaveLength(1);
			expect(reason).toMatch(/^[A-Z].+\.$/);
		},
	);

	it.each(brokenPromises.map((one) => [one.promise, one] as const))(
		'name a test of the row: %s',
		(promise, { test }) => {
			const own = rowsOf(promise);
			expect(own).toHaveLength(1);
			expect(own[0]).toContain(`](../../test/${test})`);
		},
	);

	it.each(breaks.map((one) => [one.promise, one] as const))('still apply: %s', (_promise, one) => {
		expect(existsSync(join(root, 'test', one.test))).toBe(true);
		expect(one.name).not.toBe('');
		const source = readFileSync(join(root, one.file), 'utf8');
		expect(broken(source, one)).not.toBe(source);
	});
});
