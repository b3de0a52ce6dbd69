import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { withLock } from './lock.mjs';
import { cache, root, say } from './places.mjs';

/** The files and folders that the build reads. */
const sources = [
	'credentials',
	'icons',
	'nodes',
	'gulpfile.js',
	'package.json',
	'package-lock.json',
	'scripts/bundle.mts',
];

const stamp = join(cache, 'dist-built-from');

/**
 * Runs `build`, which writes dist/, after waiting for any other build. Stores a digest of the sources of dist/.
 */
export async function whileBuilding(build) {
	const waiting = () => say('Another command is building: waiting for it.');
	await withLock(join(cache, 'locks', 'dist'), waiting, async () => {
		const from = digestOfSources();
		rmSync(stamp, { force: true });
		await build();
		mkdirSync(dirname(stamp), { recursive: true });
		writeFileSync(stamp, from);
	});
}

/** Whether dist/ was built from the present sources. */
export function isBuilt() {
	return existsSync(join(root, 'dist')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources();
}

/** Builds dist/ if the sources have changed. @throws Error with the output of the build if it fails */
export async function buildIfChanged() {
	if (isBuilt()) {
		return;
	}
	say('dist/ is not built from the present sources: building it …');
	const child = spawn(process.execPath, [join(root, 'node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], { cwd: root });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text) => {
			output += text;
		});
	}
	const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
	if (status !== 0) {
		throw new Error(`The build ended with status ${status}:\n${output}`);
	}
}

function digestOfSources() {
	const hash = createHash('sha256');
	for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
		hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
	}
	return hash.digest('hex');
}

function filesIn(path) {
	if (!statSync(path).isDirectory()) {
		return [path];
	}
	const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}
