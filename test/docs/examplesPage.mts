import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The list of examples by job. Only its pictures are generated. */
export const PAGE = 'docs/examples/README.md';

/**
 * Returns the page, with the picture of a canvas below the link to its workflow, where there is such a picture. It is a
 * link to itself: the page shows it smaller than it is.
 */
export function examplesPage(): string {
	const link = /^(\[(.+)\.json\]\(\.\.\/\.\.\/examples\/.+\)\n)(?:\n\[?!\[.*\]\(.*\)\n)?/gm;
	return readFileSync(join(root, PAGE), 'utf8').replace(link, (_all, line: string, name: string) => {
		const picture = `../images/examples/${name}.png`;
		const exists = existsSync(join(root, dirname(PAGE), picture));
		return exists ? `${line}\n[![The workflow on the canvas](${picture})](${picture})\n` : line;
	});
}
