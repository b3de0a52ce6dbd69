import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { sourcesIn } from './sources.mts';

interface Side {
	path?: string | string[];
	pathNot?: string | string[];
	orphan?: boolean;
}

const { forbidden, stacks } = jest.requireActual<{
	forbidden: Array<{ name: string; from: Side; to: Side }>;
	stacks: string[][][];
}>(join(root, '.dependency-cruiser.cjs'));
const rules = forbidden.filter(({ from, to }) => from.path && to.path);

/** The path of each layer's files and folders, with its height among the layers of nodes/ or sandbox/. */
const floors = new Map(
	stacks.flatMap((layers) => layers.flatMap((paths, depth) => paths.map((path): [string, number] => [path, -depth]))),
);

/** The floor of a file is the longest path of the layers that it lies in. */
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

test.each(['nodes', 'sandbox'])('imports in %s may only point to lower layers, or stay in their folder', (house) => {
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
