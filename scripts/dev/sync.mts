import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The paths of all files in a folder, relative to it. */
function filesIn(folder: string): string[] {
	if (!existsSync(folder)) {
		return [];
	}
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/**
 * Makes a folder equal to another one. Files that are equal already are not touched: n8n loads a package again as soon
 * as one of its files is written.
 *
 * @returns the files that were written or deleted, relative to the folders
 */
export function syncFolder(from: string, to: string): string[] {
	const wanted = filesIn(from);
	const changed = wanted.filter((file) => {
		const target = join(to, file);
		return !existsSync(target) || !readFileSync(target).equals(readFileSync(join(from, file)));
	});
	const gone = filesIn(to).filter((file) => !wanted.includes(file));
	for (const file of gone) {
		rmSync(join(to, file));
	}
	for (const file of changed) {
		mkdirSync(dirname(join(to, file)), { recursive: true });
		copyFileSync(join(from, file), join(to, file));
	}
	return [...changed, ...gone].sort();
}
