import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { sourcesIn } from './sources.mts';

interface Side {
	path?: string | string[];
	pathNot?: string | string[];
	orphan?: boolean;
}

const { forbidden } = jest.requireActual<{ forbidden: Array<{ name: string; from: Side; to: Side }> }>(
	join(root, '.dependency-cruiser.cjs'),
);
const rules = forbidden.filter(({ from, to }) => from.path && to.path);

/** The floors of the guide, each with its height within its house. */
const floors = new Map(
	/<!-- order of imports -->\s*```text\n([\s\S]*?)```/
		.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))![1]!
		.trim()
		.split('\n\n')
		.flatMap((house) =>
			house.split('\n').flatMap((line, depth) =>
				line
					.trim()
					.split(/\s+/)
					.map((path): [string, number] => [path, -depth]),
			),
		),
);

/** The floor of a file is the longest path of the guide that it lies in. */
function floorOf(file: string): string | undefined {
	const found = [...floors.keys()].filter((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));
	return found.sort((one, other) => other.length - one.length)[0];
}

function matches({ path = [], pathNot = [] }: Side, file: string): boolean {
	const some = (patterns: string | string[]) => [patterns].flat().some((pattern) => new RegExp(pattern).test(file));
	return some(path) && !some(pathNot);
}

/** One file of each folder, by its path from the project's folder. */
function samples(house: string): string[] {
	return [...new Map(sourcesIn(house).map((file) => [`${floorOf(file)} ${join(file, '..')}`, file])).values()];
}

test.each(['nodes', 'sandbox'])('an import in %s is forbidden unless it goes down, or stays in its folder', (house) => {
	const files = samples(house);
	expect(files.length).toBeGreaterThan(10);
	for (const from of files) {
		for (const to of files) {
			const [floor, other] = [floorOf(from)!, floorOf(to)!];
			const allowed = floor === other || floors.get(other)! < floors.get(floor)!;
			const refused = rules.some((rule) => matches(rule.from, from) && matches(rule.to, to));
			expect({ from, to, refused }).toEqual({ from, to, refused: !allowed });
		}
	}
});
