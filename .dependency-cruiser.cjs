// No circular imports, and a folder imports only from folders below it. CONTRIBUTING.md defines the order.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const guide = readFileSync(join(__dirname, 'CONTRIBUTING.md'), 'utf8');
const [, order] = /<!-- order of imports -->\s*```text\n([\s\S]*?)```/.exec(guide);

/** The layers of nodes/ and of sandbox/, from the top down. The folders of a layer do not import one another. */
const stacks = order
	.trim()
	.split('\n\n')
	.map((stack) => stack.split('\n').map((layer) => layer.trim().split(/\s+/)));

const escaped = (path) => path.replaceAll('.', '\\.');

/**
 * A pattern for a file, or for the files of a folder without subfolders and files that are listed in `all` themselves.
 * So every path is in one layer only, and rules of nested folders do not overlap.
 */
function patternOf(path, all) {
	if (!path.endsWith('/')) {
		return `^${escaped(path)}$`;
	}
	const nested = all
		.filter((other) => other !== path && other.startsWith(path))
		.map((other) => {
			const rest = escaped(other.slice(path.length));
			return rest.endsWith('/') ? rest : `${rest}$`;
		});
	return `^${escaped(path)}${nested.length > 0 ? `(?!${nested.join('|')})` : ''}`;
}

const upward = stacks.flatMap((layers) => {
	const patterns = (paths) => paths.map((path) => patternOf(path, layers.flat()));
	return layers.flatMap((layer, level) =>
		layer.map((from) => ({
			name: `${from} imports only from folders below it`,
			severity: 'error',
			from: { path: patterns([from]) },
			to: { path: patterns([...layers.slice(0, level).flat(), ...layer.filter((other) => other !== from)]) },
		})),
	);
});

const withoutLayer = {
	path: '^(nodes|sandbox)/',
	pathNot: stacks.flatMap((layers) => layers.flat().map((path) => patternOf(path, layers.flat()))),
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no circular imports', severity: 'error', from: {}, to: { circular: true } },
		...upward.filter(({ to }) => to.path.length > 0),
		...[
			{ from: withoutLayer, to: {} },
			{ from: {}, to: withoutLayer },
			{ from: { ...withoutLayer, orphan: true }, to: {} },
		].map((rule) => ({ name: 'every file belongs to a layer', severity: 'error', ...rule })),
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
		// Include imports of types only.
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'nodes/tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.mts', '.mjs', '.js'] },
	},
};
