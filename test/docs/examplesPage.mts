import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The list of examples by job. Only the links to its pictures are generated. */
export const PAGE = 'docs/examples/README.md';

/** Returns the page, with a link to the picture of a canvas after the link to its workflow, where there is one. */
export function examplesPage(): string {
	const link = /^(\| \[[^\]]+\]\(\.\.\/\.\.\/examples\/(.+?)\.json\))(?: \(\[picture\]\([^)]*\)\))?/gm;
	return readFileSync(join(root, PAGE), 'utf8').replace(link, (_all, toWorkflow: string, name: string) => {
		const picture = `../images/examples/${name}.png`;
		const exists = existsSync(join(root, dirname(PAGE), picture));
		return exists ? `${toWorkflow} ([picture](${picture}))` : toWorkflow;
	});
}
