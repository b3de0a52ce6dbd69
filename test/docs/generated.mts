import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/**
 * A page in which only some parts are generated.
 *
 * @param parts what stands on it between `<!-- name -->` and the next `<!-- end -->`, by name
 */
export function withGenerated(path: string, parts: Record<string, string>): string {
	return Object.entries(parts).reduce(
		(page, [name, text]) => {
			const begin = `<!-- ${name} -->\n`;
			const [before, rest, another] = page.split(begin);
			const end = rest?.indexOf('<!-- end -->') ?? -1;
			if (end < 0 || another !== undefined) {
				throw new Error(`${path} has to have ${begin.trim()} once, and <!-- end --> after it`);
			}
			return `${before}${begin}${text}\n${rest.slice(end)}`;
		},
		readFileSync(join(root, path), 'utf8'),
	);
}

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
