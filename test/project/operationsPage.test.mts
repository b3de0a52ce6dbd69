import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { headings, operationsPage } from '../docs/operations.mts';

const file = join(__dirname, '..', '..', 'docs', 'operations.md');

test('docs/operations.md says of each operation what it does, takes and gives', () => {
	const made = operationsPage();
	if (process.env.WRITE_DOCS) {
		writeFileSync(file, made);
	}
	// Line by line, so that a difference shows which operation it is.
	expect(readFileSync(file, 'utf8').split('\n')).toEqual(made.split('\n'));
});

test('every link of the page leads to one of its headings', () => {
	const page = operationsPage();
	const known = headings(page);
	expect(known.filter((heading, index) => known.indexOf(heading) !== index)).toEqual([]);
	const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
	expect(links.filter((anchor) => !known.includes(anchor))).toEqual([]);
	expect(links.length).toBeGreaterThan(90);
});
