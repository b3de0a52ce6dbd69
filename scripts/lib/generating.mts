import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from './places.mts';

/** Returns the test files that compare generated files, or write them with `GENERATE`, by the name of the suite. */
export function generatedSuites(): Map<string, string> {
	const files = globSync('test/**/*.test.mts', { cwd: root }).filter((file) =>
		/from '.*\/docs\/generated\.mts'/.test(readFileSync(join(root, file), 'utf8')),
	);
	return new Map(files.map((file): [string, string] => [basename(file, '.test.mts'), file]).sort());
}
