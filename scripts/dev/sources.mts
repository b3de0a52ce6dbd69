import { watch } from 'node:fs';
import { join } from 'node:path';

/** What is built into the package. */
const SOURCES = ['nodes', 'credentials', 'icons'];

/** Editors write a file in several steps, and save several files at once. */
const QUIET_MS = 200;

/**
 * Calls `onChange` after files below the package's source folders have changed, one call at a time: what changes during
 * a call leads to one more call after it.
 *
 * @param root the folder of the project
 * @returns a function that stops it
 */
export function watchSources(root: string, onChange: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let running = false;
	let again = false;
	const run = async () => {
		if (running) {
			again = true;
			return;
		}
		running = true;
		do {
			again = false;
			await onChange();
		} while (again);
		running = false;
	};
	const watchers = SOURCES.map((folder) =>
		watch(join(root, folder), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => void run(), QUIET_MS);
		}),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) {
			watcher.close();
		}
	};
}
