import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', 'chromium.mjs')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'chromium set up '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program of a few shell lines onto the path. */
function program(name: string, script: string): string {
	const file = join(folder, name);
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	return file;
}

/** Looks for a Chromium where the path has nothing but the test's own programs. */
function prepare(user: number, more: NodeJS.ProcessEnv = {}) {
	const script = [
		`process.getuid = () => ${user};`,
		`const { prepareChromium } = await import(${JSON.stringify(source)});`,
		`const env = ${JSON.stringify({ PATH: folder, ...more })};`,
		'try { console.log(await prepareChromium(env, [])); } catch (error) { console.log(error.message); }',
	].join('\n');
	const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
	return { answer: stdout.trim(), said: stderr };
}

test('CHROMIUM_PATH takes precedence, and a wrong path is named in the error', () => {
	program('chromium', '');
	const mine = program('mine', '');
	expect(prepare(0, { CHROMIUM_PATH: mine }).answer).toBe(mine);
	expect(prepare(0, { CHROMIUM_PATH: '/not/there' }).answer).toBe('CHROMIUM_PATH names no program: /not/there');
});

test('an installed Chromium is used as it is', () => {
	const found = program('chromium-browser', '');
	expect(prepare(1000)).toEqual({ answer: found, said: '' });
});

test('a missing Chromium is installed by apt-get as root', () => {
	const steps = join(folder, 'steps');
	const target = join(folder, 'chromium');
	program(
		'apt-get',
		`echo "$1" >> "${steps}"\n[ "$1" = update ] || { echo > "${target}"; /bin/chmod +x "${target}"; }`,
	);
	const { answer, said } = prepare(0);
	expect(answer).toBe(target);
	expect(said).toContain('Installing Chromium by apt-get');
});

test.each([
	['without apt-get', 0, false],
	['without being root', 1000, true],
])('%s the error says in one sentence how to provide one', (_case, user, hasApt) => {
	if (hasApt) {
		program('apt-get', '');
	}
	const { answer } = prepare(user);
	expect(answer).toContain('CHROMIUM_PATH');
	expect(answer.split('\n')).toHaveLength(1);
});

test('an installation that fails says which step, and where its log is', () => {
	program('apt-get', 'echo "no way to the archive"; exit 100');
	const { answer } = prepare(0);
	expect(answer).toContain('"apt-get update" ended with status 100');
	expect(answer).toContain('no way to the archive');
	expect(answer).toContain('install-chromium.log');
});
