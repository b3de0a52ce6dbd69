import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { ownPrograms } from './ownPrograms.mts';

const { call, path, program } = ownPrograms();

/** Looks for the servers where there is nothing but the test's own programs. */
const prepare = (user = 1000) => call(user, 'servers.mjs', 'prepareServers', { PATH: path('path') }, path('versions'));

test('the servers of the machine are taken as they are, of several PostgreSQLs the newest', () => {
	const redis = program('path/redis-server');
	for (const version of ['9', '15', '8.4']) {
		for (const name of ['initdb', 'postgres']) {
			program(`versions/${version}/bin/${name}`);
		}
	}
	const newest = (name: string) => path('versions', '15', 'bin', name);
	expect(prepare()).toEqual({ initdb: newest('initdb'), postgres: newest('postgres'), redis });
	const [initdb, postgres] = [program('path/initdb'), program('path/postgres')];
	expect(prepare()).toEqual({ initdb, postgres, redis });
});

test('only what is missing is installed where apt-get and root are at hand', () => {
	const redis = program('path/redis-server');
	const steps = path('steps');
	const files = ['initdb', 'postgres'].map((name) => path('versions', '15', 'bin', name));
	const make = files
		.map((file) => `/bin/mkdir -p "${dirname(file)}"; echo > "${file}"; /bin/chmod +x "${file}"`)
		.join('; ');
	program('path/apt-get', `echo "$*" >> "${steps}"\n[ "$1" = update ] || { ${make}; }`);
	expect(prepare(0)).toEqual({ initdb: files[0], postgres: files[1], redis });
	expect(readFileSync(steps, 'utf8')).toBe('update\ninstall --yes --no-install-recommends postgresql\n');
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
