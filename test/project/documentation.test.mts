import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The files that a page links to, relative to the root. */
function linked(page: string): string[] {
	return [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(page), path));
}

const tasks = [
	'first-call.md',
	'call-a-list.md',
	'get-the-results.md',
	'book-during-a-call.md',
	'ai-agents.md',
	'many-calls.md',
	'n8n-downtime.md',
	'security.md',
];

describe('docs/README.md', () => {
	it('leads to every page and document below docs/, some by the lists in its folders', () => {
		const files = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
			.filter(({ name }) => /\.(md|json)$/.test(name))
			.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
		expect(files.length).toBeGreaterThan(25);
		// Each list is itself in the list of the folder above.
		const lists = ['', 'reference/', 'reference/operations/', 'contributing/'].map(
			(folder) => `docs/${folder}README.md`,
		);
		const listed = lists.flatMap(linked);
		expect(files.filter((file) => file !== 'docs/README.md' && !listed.includes(file))).toEqual([]);
	});

	it('begins with what people want to do', () => {
		const [, table = ''] = read('docs/README.md').split('What do you want to do?');
		const [, ...listed] = [...(table.split('## ')[0] ?? '').matchAll(/^\|[^|]+\| \[[^\]]+\]\(([^)]+)\)/gm)];
		expect([table.match(/\]\(([^)]+)\)/)?.[1], ...listed.map(([, page]) => page)].slice(0, tasks.length)).toEqual(
			tasks,
		);
	});
});

it.each(tasks)('docs/%s says what the reader sees', (page) => {
	expect(read(`docs/${page}`)).toMatch(/^## What you see$|\*\*What you see\*\*/m);
});
