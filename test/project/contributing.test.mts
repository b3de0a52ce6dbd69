import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Each piece of TypeScript in the guide, with the file that the text before it names last. */
function examples(): Array<{ file: string; code: string }> {
	const parts = guide.split(/```ts\n([\s\S]*?)```/);
	let file = '';
	return parts.flatMap((part, index) => {
		if (index % 2 === 1) {
			return [{ file, code: part }];
		}
		file =
			part
				.match(/`\w+\/[\w./]+\.m?ts`/g)
				?.at(-1)
				?.slice(1, -1) ?? file;
		return [];
	});
}

test('every snippet of the guide is in the file that it names', () => {
	expect(examples().length).toBeGreaterThanOrEqual(6);
	for (const { file, code } of examples()) {
		expect({ file, code, found: readFileSync(join(root, file), 'utf8').includes(code) }).toEqual({
			file,
			code,
			found: true,
		});
	}
});

test('every file and folder that the guide names exists', () => {
	const named = [
		...guide.matchAll(/`((?:nodes|sandbox|test|scripts|docs|examples|tools|icons|credentials)\/[\w./]*)`/g),
	];
	const paths = named.map(([, path = '']) => path);
	expect(paths.length).toBeGreaterThan(20);
	expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every npm script that the guide names exists, and the guide names every one', () => {
	const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
	const named = [...guide.matchAll(/(?:`|^)npm (?:run )?(?!ci`)([a-z][\w:]*)/gm)].map(([, name]) => name);
	expect([...new Set(named)].sort()).toEqual(Object.keys(scripts).sort());
});
