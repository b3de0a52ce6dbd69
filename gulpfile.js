const { dest, parallel, series, src } = require('gulp');
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');

/** The compiled modules, before they are put together. */
const modules = '.cache/build';

const run = (...args) => spawn(process.execPath, args, { stdio: 'inherit' });

/** Removes the previous build. */
async function clean() {
	for (const folder of ['dist', modules]) {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Compiles nodes and credentials. */
function types() {
	const asModules = ['--module', 'es2022', '--moduleResolution', 'bundler', '--outDir', modules];
	return run(
		require.resolve('typescript/bin/tsc'),
		'-p',
		'nodes',
		'--noEmit',
		'false',
		'--incremental',
		'false',
		...asModules,
	);
}

/** Puts the modules together into few files. */
function bundle() {
	return run('scripts/bundle.mts', modules, 'dist');
}

function icons() {
	return src('icons/*.svg').pipe(dest('dist/icons'));
}

/** Writes JSON without indentation. */
function compact() {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
			done(undefined, file);
		},
	});
}

/** Copies what n8n reads next to a node: search data and output schemas. */
function nodeData() {
	return src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(compact()).pipe(dest('dist/nodes'));
}

/**
 * Writes dist/known and dist/types with n8n's own program. With them, n8n describes the nodes without loading them; their
 * code is loaded at the first use.
 */
function metadata() {
	return run('node_modules/n8n-core/bin/generate-metadata');
}

/** Only the tests of n8n's own nodes read this. */
async function removeMethods() {
	await rm('dist/methods', { recursive: true });
}

const steps = series(clean, types, bundle, parallel(icons, nodeData), metadata, removeMethods);

/** Writes dist/. Commands that build at the same time wait for each other. */
exports.build = async function build() {
	const { whileBuilding } = await import('./scripts/setup/dist.mjs');
	await whileBuilding(promisify(steps));
};
