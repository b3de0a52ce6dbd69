import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', 'ffmpeg.mjs')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ffmpeg set up '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a program of a few shell lines. */
function program(name: string, script = ''): string {
	const file = join(folder, name);
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	return file;
}

/** Looks for ffmpeg where there is nothing but the test's own programs. */
function prepare(user: number): string {
	const script = [
		`process.getuid = () => ${user};`,
		`const { prepareFfmpeg } = await import(${JSON.stringify(source)});`,
		`const env = ${JSON.stringify({ PATH: folder })};`,
		'try { console.log(await prepareFfmpeg(env)); } catch (error) { console.log(error.message); }',
	].join('\n');
	return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
}

test('an ffmpeg on the path is taken as it is, a missing one is installed by apt-get as root', () => {
	const target = join(folder, 'ffmpeg');
	program('apt-get', `[ "$1" = update ] || { echo "$*" > "${target}"; /bin/chmod +x "${target}"; }`);
	expect(prepare(0)).toBe(target);
	program('apt-get', 'exit 1');
	expect(prepare(0)).toBe(target);
});

test('without root the error says what to install', () => {
	expect(prepare(1000)).toBe(
		'ffmpeg makes the video and the pictures of the documentation, and there is none here. Install ffmpeg so that it is on the path, then run the same command again.',
	);
});
