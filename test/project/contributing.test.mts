import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedSuites } from '../../scripts/lib/generating.mts';
import { root } from '../../scripts/lib/places.mts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** CONTRIBUTING.md and the guides that it links to, by path. */
const pages = new Map(
	[
		'CONTRIBUTING.md',
		...readdirSync(join(root, 'docs', 'contributing')).map((name) => `docs/contributing/${name}`),
	].map((path) => [path, read(path)]),
);
const guide = pages.get('CONTRIBUTING.md')!;

/** Each piece of TypeScript in a page, with the file that the text before it names last. */
function snippetsOf(page: string): Array<{ file: string; code: string }> {
	const parts = page.split(/```ts\n([\s\S]*?)```/);
	let file = '';
	return parts.flatMap((part, index) => {
		if (index % 2 === 1) {
			return [{ file, code: part }];
		}
		file =
			part
				.match(/`\w+\/[\w./]+\.m?ts`/g)
				?.at(-1)
				?.slice(1, -1) ?? file;
		return [];
	});
}

test.each(['add-an-operation', 'add-a-field', 'add-an-event'])('%s shows code that is in the files', (name) => {
	const snippets = snippetsOf(pages.get(`docs/contributing/${name}.md`)!);
	expect(snippets.length).toBeGreaterThanOrEqual(5);
	for (const { file, code } of snippets) {
		expect({ file, code, found: read(file).includes(code) }).toEqual({ file, code, found: true });
	}
});

test.each([...pages])('every file and folder that %s names exists', (_path, page) => {
	const named = page.matchAll(
		/`((?:nodes|sandbox|test|scripts|docs|examples|tools|icons|credentials)\/[\w./-]*[\w/])`/g,
	);
	const paths = [...named].map(([, path = '']) => path);
	expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every npm script that the guides name exists, and the page of commands names every one', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
	const namedIn = (text: string) =>
		[...text.matchAll(/(?:`|^)npm (?:run )?(?!ci\b)([a-z][\w:]*)/gm)].map(([, name = '']) => name);
	const ofNpm = ['ci', 'publish'];
	const named = [...pages.values()].flatMap(namedIn).filter((name) => !ofNpm.includes(name));
	expect(named.filter((name) => !(name in scripts))).toEqual([]);
	const commands = namedIn(pages.get('docs/contributing/commands.md')!);
	expect(Object.keys(scripts).filter((name) => !commands.includes(name))).toEqual([]);
});

test('the page of commands names everything that can be generated', () => {
	const commands = pages.get('docs/contributing/commands.md')!;
	const names = [...generatedSuites().keys()];
	expect(names.length).toBeGreaterThan(5);
	expect(names.filter((name) => !commands.includes(`| \`${name}\` |`))).toEqual([]);
});

test('the first page is short enough to be read', () => {
	expect(guide.split(/\s+/).length).toBeLessThanOrEqual(700);
});
