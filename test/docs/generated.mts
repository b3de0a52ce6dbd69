import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/**
 * Expects a generated file to have exactly this text. With the environment variable `GENERATE`, which `npm run
 * generate` sets, a different text is written first.
 *
 * @param path relative to the root of the project
 * @throws the difference line by line, and the command that updates the file
 */
export function expectGenerated(path: string, text: string): void {
	const file = join(root, path);
	const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
	if (process.env.GENERATE) {
		if (present !== text) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		return;
	}
	try {
		expect(present.split('\n')).toEqual(text.split('\n'));
	} catch (error) {
		throw new Error(`${path} is out of date. Run "npm run generate".\n\n${(error as Error).message}`);
	}
}
