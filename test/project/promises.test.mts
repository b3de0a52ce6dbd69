import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { type Break, breaks, broken, brokenPromises, isEndToEnd, unbroken } from '../promises/breaks.mts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

/** The rows of the tables of promises, each with its cells and the test files that it links to, below `test/`. */
const rows = read('docs', 'contributing', 'promises.md')
	.split('\n')
	.filter((line) => /^\| (?!Promise \|)/.test(line))
	.map((line) => {
		const [, promise, tests, , cases] = line.split('|').map((cell) => cell.trim());
		return { promise, cases, files: [...tests.matchAll(/\]\(\.\.\/\.\.\/test\/([^)#]+)\)/g)].map(([, file]) => file) };
	});

const rowsOf = (promise: string) => rows.filter((row) => row.promise.startsWith(promise));
const sourceOf = (file: string) => read('test', file).replaceAll(/(?<=\d)_(?=\d)/g, '');

describe('docs/contributing/promises.md', () => {
	it('names tests that exist', () => {
		const files = rows.flatMap((row) => row.files);
		expect(files.length).toBeGreaterThan(40);
		expect(files.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
	});

	it('counts as the tests do', () => {
		const wrong = rows.flatMap(({ promise, cases, files }) => {
			const source = files.map(sourceOf).join('\n');
			const numbers = [...cases.matchAll(/\b\d[\d,]{2,}\b/g)].map(([number]) => number.replaceAll(',', ''));
			const missing = numbers.filter((number) => files.length > 0 && !new RegExp(`\\b${number}\\b`).test(source));
			return missing.map((number) => `${number}: ${promise}`);
		});
		expect(wrong).toEqual([]);
	});

	it('is linked from what makes the promises', () => {
		for (const file of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']) {
			expect(read(file)).toContain('docs/contributing/promises.md');
		}
	});
});

describe('the changes that break promises on purpose', () => {
	it('break each promise, without a real n8n where that proves it, or a reason says why not', () => {
		const needsN8n = (files: string[]) => files.every((file) => /^(e2e|compat)\//.test(file));
		const withChange = brokenPromises.flatMap((one) =>
			rowsOf(one.promise).filter(({ files }) => needsN8n(files) || !isEndToEnd(one)),
		);
		const withReason = Object.keys(unbroken).flatMap(rowsOf);
		expect(withReason).toHaveLength(Object.keys(unbroken).length);
		const broken = [...withChange, ...withReason];
		expect(rows.filter((row) => !broken.includes(row)).map(({ promise }) => promise)).toEqual([]);
		expect(withReason.filter((row) => withChange.includes(row))).toEqual([]);
	});

	it('belong to one row each, and name a test of it', () => {
		const isOfRow = ({ promise, test }: Break) =>
			rowsOf(promise).length === 1 && rowsOf(promise)[0].files.includes(test);
		expect(brokenPromises.filter((one) => !isOfRow(one))).toEqual([]);
	});

	it('still apply', () => {
		expect(breaks.length).toBeGreaterThan(brokenPromises.length);
		for (const one of breaks) {
			const source = read(one.file);
			expect(existsSync(join(root, 'test', one.test))).toBe(true);
			expect(one.name).not.toBe('');
			expect(broken(source, one)).not.toBe(source);
		}
	});
});
