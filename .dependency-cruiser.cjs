// Who may import whom: no circle of files, and a folder imports only from folders below it. CONTRIBUTING.md states the order.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const guide = readFileSync(join(__dirname, 'CONTRIBUTING.md'), 'utf8');
const [, order] = /<!-- order of imports -->\s*```text\n([\s\S]*?)```/.exec(guide);

/** The floors of each house, from the top down; a floor may have several folders, which do not import one another. */
const houses = order
	.trim()
	.split('\n\n')
	.map((house) => house.split('\n').map((floor) => floor.trim().split(/\s+/)));

/** A pattern for what lies in a folder, or for a file of that name. */
const inside = (path) => `^${path.replaceAll('.', '\\.')}${path.endsWith('/') ? '' : '$'}`;

/** What lies in a folder, but not in those of its folders that stand on a floor of their own. */
function room(path, all) {
	const within = all.filter((other) => other !== path && other.startsWith(path)).map(inside);
	return { path: inside(path), ...(within.length > 0 && { pathNot: within }) };
}

const upward = houses.flatMap((floors) => {
	const all = floors.flat();
	return floors.flatMap((floor, level) =>
		floor.map((from) => {
			const forbidden = [...floors.slice(0, level).flat(), ...floor.filter((other) => other !== from)];
			return {
				name: `${from} imports only from folders below it`,
				severity: 'error',
				from: room(from, all),
				to: { path: forbidden.map(inside), pathNot: all.filter((one) => !forbidden.includes(one)).map(inside) },
			};
		}),
	);
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no circle of files', severity: 'error', from: {}, to: { circular: true } },
		...upward.filter(({ to }) => to.path.length > 0),
		{
			name: 'every file stands on a floor',
			severity: 'error',
			from: { path: '^(nodes|sandbox)/', pathNot: houses.flat(2).map(inside) },
			to: {},
		},
		{
			name: 'sandbox and nodes share no code',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^nodes/' },
		},
		{
			name: 'nodes and sandbox share no code',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|scripts|test)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: 'node_modules' },
		// Types too: an import that is only a type ties two files together as well.
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.mts', '.mjs', '.js'] },
	},
};
