// PostgreSQL and Redis, which n8n needs in queue mode: node scripts/setup/servers.mjs
// Prints one JSON line: the files of their programs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { find, findOrInstall, isProgram } from './debian.mjs';
import { say } from './places.mjs';

/** Debian has a folder for each version of PostgreSQL, which is not on the path. */
const debianFolder = '/usr/lib/postgresql';

/** The files of the programs, installed before or now; `elsewhere` has the folders of PostgreSQL's versions. */
export async function prepareServers(env = process.env, elsewhere = debianFolder) {
	const ofPostgres = (name) =>
		find(name, env) ??
		versionsIn(elsewhere)
			.map((version) => join(elsewhere, version, 'bin', name))
			.find(isProgram);
	const findAll = () => {
		const found = { initdb: ofPostgres('initdb'), postgres: ofPostgres('postgres'), redis: find('redis-server', env) };
		return Object.values(found).includes(undefined) ? undefined : found;
	};
	const packages = () => [
		...(ofPostgres('initdb') && ofPostgres('postgres') ? [] : ['postgresql']),
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

/** The newest first. */
function versionsIn(folder) {
	try {
		return readdirSync(folder).sort((one, other) => Number(other) - Number(one));
	} catch {
		return [];
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	try {
		console.log(JSON.stringify(await prepareServers()));
	} catch (error) {
		say(error.message);
		process.exitCode = 1;
	}
}
