import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'setup', 'servers.mjs')).href;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'servers set up '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a program of a few shell lines. */
function program(path: string, script = ''): string {
	const file = join(folder, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	return file;
}

/** Looks for the servers where there is nothing but the test's own programs. */
function prepare(user = 1000): string {
	const script = [
		`process.getuid = () => ${user};`,
		`const { prepareServers } = await import(${JSON.stringify(source)});`,
		`const [env, versions] = ${JSON.stringify([{ PATH: join(folder, 'path') }, join(folder, 'versions')])};`,
		'try { console.log(JSON.stringify(await prepareServers(env, versions))); } catch (error) { console.log(error.message); }',
	].join('\n');
	return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
}

test('the servers of the machine are taken as they are, of several PostgreSQLs the newest', () => {
	const redis = program('path/redis-server');
	for (const version of ['9', '15', '8.4']) {
		for (const name of ['initdb', 'postgres']) {
			program(`versions/${version}/bin/${name}`);
		}
	}
	const newest = (name: string) => join(folder, 'versions', '15', 'bin', name);
	expect(JSON.parse(prepare())).toEqual({ initdb: newest('initdb'), postgres: newest('postgres'), redis });
	const [initdb, postgres] = [program('path/initdb'), program('path/postgres')];
	expect(JSON.parse(prepare())).toEqual({ initdb, postgres, redis });
});

test('only what is missing is installed where apt-get and root are at hand', () => {
	const redis = program('path/redis-server');
	const steps = join(folder, 'steps');
	const files = ['initdb', 'postgres'].map((name) => join(folder, 'versions', '15', 'bin', name));
	const make = files
		.map((file) => `/bin/mkdir -p "${dirname(file)}"; echo > "${file}"; /bin/chmod +x "${file}"`)
		.join('; ');
	program('path/apt-get', `echo "$*" >> "${steps}"\n[ "$1" = update ] || { ${make}; }`);
	expect(JSON.parse(prepare(0))).toEqual({ initdb: files[0], postgres: files[1], redis });
	const { stdout } = spawnSync('cat', [steps], { encoding: 'utf8' });
	expect(stdout).toBe('update\ninstall --yes --no-install-recommends postgresql\n');
});

test('where they cannot be installed one sentence says what is missing, and one what to do', () => {
	const otherWay =
		'Install them so that initdb, postgres and redis-server are on the path, then run the same command again.';
	expect(prepare()).toBe(
		`n8n in queue mode needs PostgreSQL and Redis, and here is no postgresql and no redis-server. ${otherWay}`,
	);
	program('path/redis-server');
	program('path/apt-get');
	expect(prepare()).toBe(`n8n in queue mode needs PostgreSQL and Redis, and here is no postgresql. ${otherWay}`);
});
