import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { callHints } from '../../nodes/VoiceAgentCalling/resources/callHints.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { versions } from '../../scripts/lib/compatChecks.mts';
import { root } from '../../scripts/lib/places.mts';
import { filesIn, linkedIn, npmScripts, read, scriptsNamedIn } from './sources.mts';

/** The guides. */
const guides = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'docs/README.md',
	'docs/install.md',
	'docs/connect.md',
	'docs/first-call.md',
	'docs/call-a-list.md',
	'docs/whom-and-when.md',
	'docs/get-the-results.md',
	'docs/react-to-events.md',
	'docs/stop-calls.md',
	'docs/costs-and-limits.md',
	'docs/personal-data.md',
	'docs/compliance.md',
	'docs/book-during-a-call.md',
	'docs/ai-agents.md',
	'docs/build-with-ai.md',
	'docs/move-from-another.md',
	'docs/troubleshooting.md',
	'docs/examples/README.md',
	'docs/test-your-workflow.md',
];
const inDocs = guides.filter((name) => name.startsWith('docs/'));
const contributing = filesIn(['docs/contributing'], /\.md$/);

const { most } = JSON.parse(read('.ci/budgets.json')) as { most: Record<string, number> };

describe('the guides', () => {
	it('are short, together too, and are all that stands beside the reference and the pages for maintainers', () => {
		const words = guides.map((name) => [name, read(name).trim().split(/\s+/).length] as const);
		expect(words.filter(([, count]) => count > 1650)).toEqual([]);
		expect(words.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(most['words of the guides']);
		const present = ['docs', 'docs/examples'].flatMap((folder) =>
			readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? `${folder}/${name}` : [])),
		);
		expect(present.sort()).toEqual(inDocs.toSorted());
	});
});

describe('docs/README.md', () => {
	it('leads to every page and document below docs/, some by the lists in its folders', () => {
		// Each list is itself in the list of the folder above.
		const lists = ['', 'reference/', 'reference/operations/', 'contributing/'].map(
			(folder) => `docs/${folder}README.md`,
		);
		const listed = [...lists, 'docs/build-with-ai.md'].flatMap(linkedIn);
		const files = filesIn(['docs'], /\.(md|json)$/);
		// The OpenAPI document is not in git.
		const others = ['docs/README.md', 'docs/openapi.json', ...listed];
		expect(files.filter((file) => !others.includes(file))).toEqual([]);
	});

	it('lists every guide by what people want to do', () => {
		const [, table] = /What do you want to do\? \|([\s\S]*?)\n## /.exec(read('docs/README.md')) ?? [];
		const others = ['README.md', 'docs/README.md', 'CONTRIBUTING.md'];
		const missing = guides.filter((name) => !table.includes(`](${relative('docs', name)})`));
		expect(missing.sort()).toEqual(others.sort());
	});
});

describe('README.md', () => {
	const readme = read('README.md');
	const parts = Object.fromEntries(readme.split(/^## /m).map((part) => [part.split('\n')[0], part]));

	it('has 734 words at most beside its generated tables', () => {
		const generated = /^<!-- (?:operations|events) -->$[^]*?^<!-- end -->$/gm;
		expect(readme.replace(generated, '').trim().split(/\s+/).length).toBeLessThanOrEqual(734);
	});

	it('says in its second sentence who has not made, verified or tried it, and then that phones ring', () => {
		const [, intro, warning] = readme.split('\n\n');
		const [, second] = intro.split(/(?<=\w)\. /);
		expect(second).toMatch(/not made by the service, not verified by n8n yet, and untested with the real service$/);
		expect(warning).toMatch(/^> \[!WARNING\]\n> \*\*Real phones ring, and real calls cost money\./);
	});

	it('says things in the order in which a newcomer needs them', () => {
		expect(Object.keys(parts).slice(1)).toEqual([
			'Install',
			'Requirements',
			'Try it without an account',
			'First call',
			'Stop calls',
			'What it costs',
			'Operations',
			'Events',
			'Not covered',
			'Links',
		]);
	});

	it('names the versions of n8n that were tested', () => {
		expect(versions.filter((version) => !parts.Requirements.includes(version))).toEqual([]);
	});
});

test('the nodes and the credential link to pages that are there', () => {
	const addresses = filesIn(['nodes', 'credentials'], /\.(ts|json)$/).flatMap((file) => [
		...read(file).matchAll(/github\.com\/[^\s"'#)]+\/blob\/main\/([^\s"'#)]+)/g),
	]);
	const pages = addresses.map(([, page]) => page);
	expect(pages).toContain('docs/connect.md');
	expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

describe('docs/troubleshooting.md', () => {
	const page = read('docs/troubleshooting.md');
	const others = JSON.parse(read('test/docs/errors.json')) as Record<string, Array<{ says: string }>>;
	const messages = [
		...Object.values(others).flatMap((rows) => rows.map(({ says }) => says)),
		...[...read('docs/reference/errors.md').matchAll(/^\| .*? \| (.*?) \|/gm)].map(([, says]) => says),
	];
	/** Whether a message is the sentence; `…` in it stands for anything. */
	const isSaid = (sentence: string) => {
		const parts = sentence.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return messages.some((message) => new RegExp(parts.join('[^]*')).test(message));
	};

	it('quotes twenty sentences at least that the nodes or n8n say, and an invented one would be noticed', () => {
		const quoted = [...page.matchAll(/“([^”]+)”/g)].map(([, sentence]) => sentence);
		expect(quoted.length).toBeGreaterThanOrEqual(20);
		expect(quoted.filter((sentence) => !isSaid(sentence))).toEqual([]);
		expect(isSaid('The agent does not answer the phone.')).toBe(false);
	});
});

describe('the pages for contributors', () => {
	/** Each piece of TypeScript in a page, with the file that the text before it names last. */
	function snippetsOf(page: string): Array<{ file: string; code: string }> {
		let file = '';
		return page.split(/```ts\n([\s\S]*?)```/).flatMap((part, index) => {
			if (index % 2 === 1) {
				return [{ file, code: part }];
			}
			file = part.match(/(?<=`)\w+\/[\w./]+\.m?ts(?=`)/g)?.at(-1) ?? file;
			return [];
		});
	}

	it('show code that is in the files', () => {
		const snippets = snippetsOf(read('docs/contributing/extend.md'));
		expect(snippets.length).toBeGreaterThanOrEqual(8);
		expect(snippets.filter(({ file, code }) => !read(file).includes(code))).toEqual([]);
	});

	it.each(['CONTRIBUTING.md', ...contributing])('every file and folder that %s names exists', (page) => {
		const paths = read(page).match(
			/(?<=`)(?:nodes|sandbox|test|scripts|docs|examples|tools|icons|credentials)\/[\w./-]*[\w/](?=`)/g,
		);
		expect((paths ?? []).filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	it('name npm scripts that exist, as do the pages for models; commands.md names every one', () => {
		const pages = ['README.md', 'CONTRIBUTING.md', 'llms.txt', 'docs/skill/SKILL.md', ...contributing];
		const named = pages.flatMap((page) => scriptsNamedIn(read(page)));
		expect(named.filter((name) => !(name in npmScripts))).toEqual([]);
		const commands = read('docs/contributing/commands.md');
		expect(Object.keys(npmScripts).filter((name) => !scriptsNamedIn(commands).includes(name))).toEqual([]);
	});
});

describe('what AI models read', () => {
	const skill = read('docs/skill/SKILL.md');

	it.each(['llms.txt', 'docs/skill/SKILL.md'])('%s links only to files that exist', (page) => {
		expect(linkedIn(page).length).toBeGreaterThan(0);
		expect(linkedIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	it('the skill and the hints name operations, and only those that exist', () => {
		const operations = resources.flatMap(({ value, operations: own }) => own.map((one) => `${value}/${one.value}`));
		const named = (text: string) =>
			(text.match(/\b[a-z][A-Za-z]+\/[a-z][A-Za-z]+\b/g) ?? []).filter((name) =>
				resources.some(({ value }) => name.startsWith(`${value}/`)),
			);
		const patterns = (callHints.extraTypeDefContent ?? []).flatMap(({ content, displayOptions }) => {
			const { resource = [], operation = [] } = displayOptions?.show ?? {};
			return displayOptions ? [`${resource[0]}/${operation[0]}`] : named(content);
		});
		const all = [...named(skill), ...named(callHints.searchHint ?? ''), ...patterns];
		expect(all.length).toBeGreaterThan(20);
		expect(all.filter((operation) => !operations.includes(operation))).toEqual([]);
	});
});
