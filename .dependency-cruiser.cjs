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

const escaped = (path) => path.replaceAll('.', '\\.');

/**
 * A pattern for a file, or for what lies in a folder but not on a floor of its own: so every path is on one floor only,
 * and a rule about a folder never hides one about a folder within it.
 */
function room(path, all) {
	if (!path.endsWith('/')) {
		return `^${escaped(path)}$`;
	}
	const within = all
		.filter((other) => other !== path && other.startsWith(path))
		.map((other) => {
			const rest = escaped(other.slice(path.length));
			return rest.endsWith('/') ? rest : `${rest}$`;
		});
	return `^${escaped(path)}${within.length > 0 ? `(?!${within.join('|')})` : ''}`;
}

const upward = houses.flatMap((floors) => {
	const rooms = (paths) => paths.map((path) => room(path, floors.flat()));
	return floors.flatMap((floor, level) =>
		floor.map((from) => ({
			name: `${from} imports only from folders below it`,
			severity: 'error',
			from: { path: rooms([from]) },
			to: { path: rooms([...floors.slice(0, level).flat(), ...floor.filter((other) => other !== from)]) },
		})),
	);
});

const homeless = {
	path: '^(nodes|sandbox)/',
	pathNot: houses.flatMap((floors) => floors.flat().map((path) => room(path, floors.flat()))),
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no circle of files', severity: 'error', from: {}, to: { circular: true } },
		...upward.filter(({ to }) => to.path.length > 0),
		...[
			{ from: homeless, to: {} },
			{ from: {}, to: homeless },
			{ from: { ...homeless, orphan: true }, to: {} },
		].map((rule) => ({ name: 'every file stands on a floor', severity: 'error', ...rule })),
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
