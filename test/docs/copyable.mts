import { read, userPages } from '../project/sources.mts';

/** Something on a page that a reader copies. */
export interface Copyable {
	page: string;
	text: string;
}

/** CI runs the commands of the README themselves. */
const pages = userPages.filter((page) => page !== 'README.md');

/** The text of a page without what is generated: a test compares that with a run. */
function handwritten(page: string): string {
	const text = read(page);
	return text.startsWith('<!-- Generated ') ? '' : text.replace(/^<!-- (?!end ).* -->\n[^]*?^<!-- end -->$/gm, '');
}

const BLOCK = /^( *)```\w*\n([^]*?)^\1```$/gm;

/** The blocks of code that are written by hand: workflows, JSON, commands, code. */
export function blocks(): Copyable[] {
	return pages.flatMap((page) =>
		[...handwritten(page).matchAll(BLOCK)].map(([, indent, text]) => ({
			page,
			text: text!.replace(new RegExp(`^${indent}`, 'gm'), ''),
		})),
	);
}

/** The JSON that a page shows by hand. */
export function jsonIn(page: string): Array<Record<string, unknown>> {
	const shown = blocks().filter((block) => block.page === page && /^[[{]/.test(block.text));
	return shown.map(({ text }) => JSON.parse(text));
}

/** The expressions of n8n in the text of the pages. A placeholder of an agent, such as `{{name}}`, is none. */
export function expressions(): Copyable[] {
	return pages.flatMap((page) =>
		[
			...handwritten(page)
				.replace(BLOCK, '')
				.matchAll(/`([^`\n]*\{\{[^`\n]*\$[^`\n]*)`/g),
		].map(([, text]) => ({
			page,
			text: text!,
		})),
	);
}
