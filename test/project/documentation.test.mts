import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The files that a page links to, relative to the root. */
function linked(page: string): string[] {
	return [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(page), path));
}

/** The guides, each with the words that it may have: a person has to find the answer in it. */
const guides: Record<string, number> = {
	'README.md': 700,
	'SECURITY.md': 660,
	'docs/README.md': 300,
	'docs/install.md': 660,
	'docs/connect.md': 385,
	'docs/first-call.md': 440,
	'docs/call-a-list.md': 990,
	'docs/whom-and-when.md': 660,
	'docs/get-the-results.md': 990,
	'docs/react-to-events.md': 880,
	'docs/stop-calls.md': 275,
	'docs/costs-and-limits.md': 440,
	'docs/personal-data.md': 550,
	'docs/book-during-a-call.md': 660,
	'docs/ai-agents.md': 715,
	'docs/move-from-another.md': 440,
	'docs/troubleshooting.md': 990,
	'docs/examples/README.md': 1320,
	'docs/test-your-workflow.md': 440,
};
const names = Object.keys(guides);

/** Those that lead through a task in the editor. */
const tasks = names.filter((name) => /^docs\/(?!README|connect|examples|test-|troubleshooting)/.test(name));

const words = (text: string) => text.trim().split(/\s+/).length;

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
		const [, table = ''] = read('docs/README.md').split('| What do you want to do? |');
		const listed = [...(table.split('## ')[0] ?? '').matchAll(/\]\(((?:\.\.\/)?[\w/-]+\.md)\)/g)].map(([, page = '']) =>
			join('docs', page),
		);
		expect(listed.sort()).toEqual(names.filter((name) => !/^(docs\/)?README/.test(name)).sort());
	});
});

describe('the guides', () => {
	it('are all that stands beside the reference and the pages for maintainers', () => {
		const files = ['docs', 'docs/examples'].flatMap((folder) =>
			readdirSync(join(root, folder))
				.filter((name) => name.endsWith('.md'))
				.map((name) => `${folder}/${name}`),
		);
		expect(files.sort()).toEqual(names.filter((name) => name.startsWith('docs/')).sort());
	});

	it.each(Object.entries(guides))('%s has %i words at most', (name, most) => {
		expect(words(read(name))).toBeLessThanOrEqual(most);
	});

	it('have 12,000 words together at most', () => {
		expect(names.reduce((sum, name) => sum + words(read(name)), 0)).toBeLessThanOrEqual(12_000);
	});

	it('say how n8n 1 publishes a workflow, where they tell to publish one', () => {
		const telling = names.filter((name) => /\b(un)?publish\*{0,2} (the|every|each|it)\b/i.test(read(name)));
		expect(telling.length).toBeGreaterThan(6);
		expect(telling.filter((name) => !read(name).includes('*Active*'))).toEqual([]);
	});

	it('show warnings as GitHub does', () => {
		for (const name of names) {
			const marks = [...read(name).matchAll(/^> \[!(\w+)\]$/gm)].map(([, mark]) => mark);
			expect(marks.filter((mark) => !['NOTE', 'WARNING'].includes(mark ?? ''))).toEqual([]);
		}
		expect(read('docs/stop-calls.md')).toContain('> [!WARNING]');
	});
});

it.each(tasks)('%s says what the reader sees', (page) => {
	expect(read(page)).toMatch(/^## What you see$|\*\*What you see\*\*/m);
});

describe('docs/troubleshooting.md', () => {
	interface Message {
		says: string;
		advice: string;
	}
	const messages = [
		...Object.values(JSON.parse(read('test/docs/errors.json')) as Record<string, Message[]>).flatMap((rows) =>
			rows.map(({ says }) => says),
		),
		...read('docs/reference/errors.md')
			.split('\n')
			.filter((line) => line.startsWith('| '))
			.map((line) => line.split(' | ')[1] ?? ''),
	];
	/** Whether a message is the sentence; `…` in it stands for anything. */
	const isSaid = (sentence: string) => {
		const parts = sentence.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return messages.some((message) => new RegExp(parts.join('[^]*')).test(message));
	};
	const quoted = [...read('docs/troubleshooting.md').matchAll(/“([^”]+)”/g)].map(([, sentence = '']) => sentence);

	it.each(quoted)('quotes what the nodes or n8n say: %s', (sentence) => {
		expect(isSaid(sentence)).toBe(true);
	});

	it('quotes twenty sentences at least, and an invented one would be noticed', () => {
		expect(quoted.length).toBeGreaterThanOrEqual(20);
		expect(isSaid('The agent does not answer the phone.')).toBe(false);
	});

	it('names no code in place of what the screen shows', () => {
		const firstCells = [...read('docs/troubleshooting.md').matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell);
		expect(firstCells.filter((cell) => /\b[A-Z]+_[A-Z_]+\b/.test(cell))).toEqual([]);
	});
});
