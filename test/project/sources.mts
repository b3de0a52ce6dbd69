import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The TypeScript files below some folders, as paths from the project's root. */
export function sourcesIn(...folders: string[]): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
			.map((entry) => relative(root, join(entry.parentPath, entry.name))),
	);
}
