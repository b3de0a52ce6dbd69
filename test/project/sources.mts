import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The text of a file. @param path from the project's root */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The files below some folders with a name of this form, as paths from the project's root. */
export function filesIn(folders: readonly string[], form: RegExp): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && form.test(entry.name) && !entry.parentPath.includes('node_modules'))
			.map((entry) => relative(root, join(entry.parentPath, entry.name))),
	);
}

/** The pages for users: README and docs, without those for contributors. */
export const userPages = [
	'README.md',
	...filesIn(['docs'], /\.md$/).filter((page) => !page.startsWith('docs/contributing/')),
];

/** A page without its blocks of code. */
export const withoutCode = (page: string): string => page.replace(/^ *```[^]*?^ *```/gm, '');

/** The TypeScript files below some folders. */
export const sourcesIn = (...folders: string[]): string[] => filesIn(folders, /\.m?ts$/);

/** The files that a page links to. */
export const linkedIn = (page: string): string[] =>
	[...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => join(dirname(page), path));

/** The npm scripts. */
export const npmScripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

/** The npm scripts that a text names as commands. */
export const scriptsNamedIn = (text: string): string[] =>
	[...text.matchAll(/(?:`|^)npm (?:run )?(?!(?:ci|install|publish)\b)([a-z][\w:]*)/gm)].map(([, name]) => name);
