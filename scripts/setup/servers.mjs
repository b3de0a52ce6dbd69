import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { find, findOrInstall, isProgram } from './debian.mjs';

/** Debian installs each version of PostgreSQL in a folder of its own, outside PATH. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the paths of PostgreSQL and Redis, which n8n needs in queue mode, as the environment variables that the tests
 * read; installs them if needed. `elsewhere` has a folder per PostgreSQL version.
 */
export async function prepareServers(env = process.env, elsewhere = debianFolder) {
	const findPostgres = (name) =>
		find(name, env) ??
		versionsIn(elsewhere)
			.map((version) => join(elsewhere, version, 'bin', name))
			.find(isProgram);
	const findAll = () => {
		const programs = {
			INITDB_PATH: findPostgres('initdb'),
			POSTGRES_PATH: findPostgres('postgres'),
			REDIS_PATH: find('redis-server', env),
		};
		return Object.values(programs).includes(undefined) ? undefined : programs;
	};
	const packages = () => [
		...(findPostgres('initdb') && findPostgres('postgres') ? [] : ['postgresql']),
		...(find('redis-server', env) ? [] : ['redis-server']),
	];
	const what = {
		name: 'PostgreSQL and Redis',
		size: 'about half a minute, 60 MB',
		packages,
		missing: `n8n in queue mode needs PostgreSQL and Redis, and here is no ${packages().join(' and no ')}.`,
		otherWay:
			'Install them so that initdb, postgres and redis-server are on the path, then run the same command again.',
	};
	return await findOrInstall(findAll, what, env);
}

/** Returns the names of the version folders, newest first. */
function versionsIn(folder) {
	try {
		return readdirSync(folder).sort((left, right) => Number(right) - Number(left));
	} catch {
		return [];
	}
}
