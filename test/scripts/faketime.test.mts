import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', 'faketime.mjs')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'faketime set up '));
	mkdirSync(join(folder, 'lib'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Looks for faketime where there is nothing but what the test has put there. */
function prepare(user: number): string {
	const script = [
		`process.getuid = () => ${user};`,
		`const { prepareFaketime } = await import(${JSON.stringify(source)});`,
		`const args = ${JSON.stringify([{ PATH: folder }, join(folder, 'lib')])};`,
		'try { console.log(await prepareFaketime(...args)); } catch (error) { console.log(error.message); }',
	].join('\n');
	return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
}

test('a missing faketime is installed by apt-get as root, and found again', () => {
	const place = join(folder, 'lib', 'some-processor', 'faketime');
	const apt = join(folder, 'apt-get');
	const install = (script: string) => writeFileSync(apt, `#!/bin/sh\n${script}\n`);
	install(`[ "$1" = update ] || { /bin/mkdir -p "${place}"; echo > "${place}/libfaketimeMT.so.1"; }`);
	chmodSync(apt, 0o755);
	expect(prepare(0)).toBe(join(place, 'libfaketimeMT.so.1'));
	install('exit 1');
	expect(prepare(0)).toBe(join(place, 'libfaketimeMT.so.1'));
});

test('without root the error says what to install', () => {
	expect(prepare(1000)).toBe(
		'faketime starts the tests at other moments, and there is none here. Install the Debian package faketime, then run the same command again.',
	);
});
