import { globSync } from 'node:fs';
import { join } from 'node:path';

import { cache } from './places.mts';

const installed = join(cache, 'oldVersions', 'node_modules');

/** Returns the program of an older Node.js. @throws Error if it is not installed */
export function oldNode(major: 20 | 22): string {
	const [program] = globSync(join(installed, `node${major}-*`, 'bin', 'node*'));
	if (program === undefined) {
		throw new Error(`Node.js ${major} is not installed: start this with an npm script.`);
	}
	return program;
}

/** Returns the program file of an older npm. */
export function oldNpm(major: 10 | 11): string {
	return join(installed, `npm${major}`, 'bin', 'npm-cli.js');
}
