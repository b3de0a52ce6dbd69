import { filesIn, read } from './sources.mts';

/** What says that something about the service is not known for certain. */
const HEDGE =
	/\b(presumably|probably|as far as known|undocumented|not documented|does not (document|publish)|documents neither)\b/i;

const LINK = /\]\((?:(?:\.\.\/)*|docs\/)contributing\/assumptions\.md#[\w-]+\)/;

const pages = ['README.md', ...filesIn(['docs'], /\.md$/).filter((page) => !page.startsWith('docs/contributing/'))];

/** The paragraphs, entries of lists and rows of tables, each of which is one line; not what is code. */
const linesOf = (page: string) => page.replace(/^ *```[^]*?^ *```/gm, '').split('\n');

/** Statements of a page about which nobody can be certain, without a link to what the project assumes instead. */
const unlinked = (page: string) => linesOf(read(page)).filter((line) => HEDGE.test(line) && !LINK.test(line));

test('whatever a page says that nobody can be certain of links to what the project assumes', () => {
	const hedged = pages.flatMap((page) => linesOf(read(page)).filter((line) => HEDGE.test(line)));
	expect(hedged.length).toBeGreaterThan(50);
	expect(pages.flatMap((page) => unlinked(page).map((line) => `${page}: ${line}`))).toEqual([]);
});

test('each anchor of an assumption is used by a page', () => {
	const anchors = [...read('docs/contributing/assumptions.md').matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
	const all = pages.map(read).join('\n');
	expect(anchors.filter((id) => !all.includes(`assumptions.md#${id})`))).toEqual([]);
});
