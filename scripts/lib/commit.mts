import { execFileSync } from 'node:child_process';

import { root } from './places.mts';

/**
 * The start of the hash of the commit that is run; undefined where files differ from it or there is none.
 *
 * @param written a page that the run itself writes
 */
export function cleanCommit(written: string): string | undefined {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
	try {
		const changed = git('status', '--porcelain', '--', '.', `:!${written}`);
		return changed === '' ? git('rev-parse', '--short=10', 'HEAD') : undefined;
	} catch {
		return undefined;
	}
}
