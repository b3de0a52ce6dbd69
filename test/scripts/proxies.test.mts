import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', 'proxies.mjs')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'proxies set up '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a program of a few shell lines. */
function program(name: string, script = ''): string {
	const file = join(folder, name);
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	return file;
}

/** Looks for the proxies where there is nothing but the test's own programs. */
function prepare(user: number): string {
	const script = [
		`process.getuid = () => ${user};`,
		`const { prepareProxies } = await import(${JSON.stringify(source)});`,
		`try { console.log(JSON.stringify(await prepareProxies({ PATH: ${JSON.stringify(folder)} }, ''))); } catch (error) { console.log(error.message); }`,
	].join('\n');
	return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
}

test('what is missing is installed by apt-get as root, and both are taken where they are', () => {
	const nginx = program('nginx');
	const tinyproxy = join(folder, 'tinyproxy');
	program('apt-get', `[ "$1" = update ] || { echo "$*" > "${tinyproxy}"; /bin/chmod +x "${tinyproxy}"; }`);
	const both = { NGINX_PATH: nginx, TINYPROXY_PATH: tinyproxy };
	expect(JSON.parse(prepare(0))).toEqual(both);
	program('apt-get', 'exit 1');
	expect(JSON.parse(prepare(0))).toEqual(both);
});

test('without root the error says what to install', () => {
	program('nginx');
	expect(prepare(1000)).toBe(
		'One test puts nginx before n8n and tinyproxy before the service, and they are not both here. Install them so that nginx and tinyproxy are on the path, then run the same command again.',
	);
});
