import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

const page = readFileSync(join(root, 'docs/contributing/testing.md'), 'utf8');

/** The rows of the tables of promises, as cells. */
const rows = page
	.split('\n')
	.filter((line) => line.includes('](../../test/') && line.startsWith('| '))
	.map((line) => line.split('|').map((cell) => cell.trim()));

const linked = (text: string) =>
	[...text.matchAll(/\]\((\.\.\/\.\.\/test\/[^)#]+)\)/g)].map(([, path]) => join('docs', 'contributing', path));

describe('docs/contributing/testing.md', () => {
	it('names tests that exist', () => {
		const files = linked(page);
		expect(files.length).toBeGreaterThan(40);
		expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
	});

	it.each(rows.map((row) => [row[1], row] as const))('counts as its test does: %s', (_promise, row) => {
		const [, , tests, , count] = row;
		const source = linked(tests)
			.map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/(?<=\d)_(?=\d)/g, ''))
			.join('\n');
		const numbers = [...count.matchAll(/\b\d[\d,]{2,}\b/g)].map(([number]) => number.replaceAll(',', ''));
		expect(numbers.filter((number) => !new RegExp(`\\b${number}\\b`).test(source))).toEqual([]);
	});

	it('is linked from what makes the promises', () => {
		for (const file of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']) {
			expect(readFileSync(join(root, file), 'utf8')).toContain('docs/contributing/testing.md');
		}
	});
});
