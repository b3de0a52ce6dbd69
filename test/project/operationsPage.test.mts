import { expectGenerated } from '../docs/generated.mts';
import { headings, operationsPage } from '../docs/operations.mts';

test('docs/reference/operations.md says of each operation what it does, takes and returns', () => {
	expectGenerated('docs/reference/operations.md', operationsPage());
});

test('every link of the page leads to one of its headings', () => {
	const page = operationsPage();
	const known = headings(page);
	expect(known.filter((heading, index) => known.indexOf(heading) !== index)).toEqual([]);
	const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
	expect(links.filter((anchor) => !known.includes(anchor))).toEqual([]);
	expect(links.length).toBeGreaterThan(90);
});
