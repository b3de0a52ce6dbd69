import { read } from './sources.mts';

const page = read('docs/contributing/promises.md');
const rows = page.split('\n').filter((line) => /^\| (?!Promise \|)/.test(line));

describe('docs/contributing/promises.md', () => {
	// That the files exist, the test of all links shows.
	it('names a test for each promise', () => {
		expect(rows.length).toBeGreaterThan(50);
		expect(rows.filter((row) => !/\]\(\.\.\/\.\.\/test\/[^)]+\.mts\)/.test(row))).toEqual([]);
	});

	it('is linked from what makes the promises', () => {
		for (const file of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']) {
			expect(read(file)).toContain('docs/contributing/promises.md');
		}
	});
});
