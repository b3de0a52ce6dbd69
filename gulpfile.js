const { dest, parallel, series, src } = require('gulp');
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');

/** Removes the previous build. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Compiles nodes and credentials. */
function types() {
	return spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json'], {
		stdio: 'inherit',
	});
}

function icons() {
	return src('icons/*.svg').pipe(dest('dist/icons'));
}

/** Copies what n8n reads next to a node: search data and output schemas. */
function nodeData() {
	return src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest('dist/nodes'));
}

exports.build = series(clean, types, parallel(icons, nodeData));
