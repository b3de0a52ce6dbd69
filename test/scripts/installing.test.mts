import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'set up with blanks '));
	mkdirSync(path('lib'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const path = (...parts: string[]) => join(folder, ...parts);

function program(name: string, script = ''): string {
	mkdirSync(dirname(path(name)), { recursive: true });
	writeFileSync(path(name), `#!/bin/sh\n${script}\n`);
	chmodSync(path(name), 0o755);
	return path(name);
}

/** Looks for programs where there are only the test's own. @returns their paths, or the message of the error */
function prepare(user: number, module: string, name: string): unknown {
	const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', `${module}.mjs`)).href;
	const args = JSON.stringify([{ PATH: path('bin') }, path('lib')]);
	const script = `process.getuid = () => ${user};
		const { ${name}: call } = await import(${JSON.stringify(source)});
		console.log(JSON.stringify(await call(...${args}).catch(({ message }) => message)));`;
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
	return JSON.parse(stdout);
}

const both = { NGINX_PATH: 'bin/nginx', TINYPROXY_PATH: 'bin/tinyproxy' };
const servers = { initdb: 'lib/15/bin/initdb', postgres: 'lib/15/bin/postgres', redis: 'bin/redis-server' };
const library = 'lib/some-processor/faketime/libfaketimeMT.so.1';

describe.each<[module: string, name: string, missing: string, found: string | Record<string, string>]>([
	['faketime', 'prepareFaketime', 'faketime starts the tests at other moments', library],
	['ffmpeg', 'prepareFfmpeg', 'ffmpeg makes the video and the pictures', 'bin/ffmpeg'],
	['proxies', 'prepareProxies', 'nginx before n8n and tinyproxy before the service', both],
	['servers', 'prepareServers', 'here is no postgresql and no redis-server.', servers],
])('what a command needs besides: %s', (module, name, missing, found) => {
	const whole = () =>
		typeof found === 'string'
			? path(found)
			: Object.fromEntries(Object.entries(found).map(([key, file]) => [key, path(file)]));

	test('is installed by apt-get as root, and found again', () => {
		const make = [found].flatMap(Object.values as (from: unknown) => string[]);
		const files = typeof found === 'string' ? [found] : make;
		const steps = files.map((file) => `/bin/mkdir -p "${dirname(path(file))}"; /bin/cp "$0" "${path(file)}"`);
		program('bin/apt-get', `[ "$1" = update ] || { ${steps.join('; ')}; }`);
		expect(prepare(0, module, name)).toEqual(whole());
		program('bin/apt-get', 'exit 1');
		expect(prepare(0, module, name)).toEqual(whole());
	});

	test('is named by the error where there is no root', () => {
		program('bin/apt-get');
		expect(prepare(1000, module, name)).toMatch(missing);
		expect(prepare(1000, module, name)).toMatch(/Install .*, then run the same command again\.$/);
	});
});
