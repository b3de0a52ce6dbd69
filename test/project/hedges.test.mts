import { read, userPages, withoutCode } from './sources.mts';

/** What says that something about the service is not known for certain. */
const HEDGE =
	/\b(presumably|probably|as far as known|undocumented|not documented|does not (document|publish)|documents neither)\b/i;

const LINK = /\]\((?:(?:\.\.\/)*|docs\/)contributing\/assumptions\.md#[\w-]+\)/;

/** The paragraphs, entries of lists and rows of tables, each of which is one line; not what is code. */
const linesOf = (page: string) => withoutCode(page).split('\n');

/** Statements of a page about which nobody can be certain, without a link to what the project assumes instead. */
const unlinked = (page: string) => linesOf(read(page)).filter((line) => HEDGE.test(line) && !LINK.test(line));

test('whatever a page says that nobody can be certain of links to what the project assumes', () => {
	const hedged = userPages.flatMap((page) => linesOf(read(page)).filter((line) => HEDGE.test(line)));
	expect(hedged.length).toBeGreaterThan(40);
	expect(userPages.flatMap((page) => unlinked(page).map((line) => `${page}: ${line}`))).toEqual([]);
});

test('each anchor of an assumption is used by a page', () => {
	const anchors = [...read('docs/contributing/assumptions.md').matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
	const all = userPages.map(read).join('\n');
	expect(anchors.filter((id) => !all.includes(`assumptions.md#${id})`))).toEqual([]);
});
