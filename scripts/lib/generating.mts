import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from './places.mts';

/** The suites that compare generated files, or write them with `GENERATE`: the test files, by name. */
export function generatedSuites(): Map<string, string> {
	const files = globSync('test/**/*.test.mts', { cwd: root }).filter((file) =>
		/from '.*\/docs\/generated\.mts'/.test(readFileSync(join(root, file), 'utf8')),
	);
	return new Map(files.map((file): [string, string] => [basename(file, '.test.mts'), file]).sort());
}
