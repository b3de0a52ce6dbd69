import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { withLock } from './lock.mjs';
import { cache, say } from './places.mjs';
import { lastLines, runStep } from './process.mjs';

/**
 * Debian installs each version of PostgreSQL in a separate folder, and nginx in a folder that only root's PATH
 * contains.
 */
const postgres = '/usr/lib/postgresql';
const outsidePath = () => [
	'/usr/sbin',
	...(existsSync(postgres) ? readdirSync(postgres).map((version) => join(postgres, version, 'bin')) : []),
];

/** Programs that are not on npm: their Debian packages, and the environment variable that names each of them. */
const programs = {
	chromium: {
		size: 'about 1 minute, 400 MB',
		packages: ['chromium'],
		variables: { CHROMIUM_PATH: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'] },
	},
	ffmpeg: { size: 'half a minute, 200 MB', packages: ['ffmpeg'], variables: { FFMPEG_PATH: ['ffmpeg'] } },
	nginx: { size: 'some seconds, 3 MB', packages: ['nginx-light'], variables: { NGINX_PATH: ['nginx'] } },
	databases: {
		size: 'half a minute, 60 MB',
		packages: ['postgresql', 'redis-server'],
		variables: { INITDB_PATH: ['initdb'], POSTGRES_PATH: ['postgres'], REDIS_PATH: ['redis-server'] },
	},
};

export const programNames = Object.keys(programs);

/**
 * Finds the programs of a need, or installs them with apt-get.
 *
 * @returns the environment variables that name them
 * @throws Error with instructions, if apt-get cannot install them
 */
export async function preparePrograms(need, env) {
	const { size, packages, variables } = programs[need];
	const find = () => {
		const found = Object.entries(variables).map(([name, files]) => [name, env[name] ?? findProgram(files, env)]);
		return found.every(([, file]) => file) ? Object.fromEntries(found) : undefined;
	};
	const present = find();
	if (present) {
		return present;
	}
	const names = packages.join(' and ');
	const otherWay = `Install ${names}, or name the programs in ${Object.keys(variables).join(', ')}. Then run the same command again.`;
	const apt = findProgram(['apt-get'], env);
	if (!apt || process.getuid?.() !== 0) {
		throw new Error(`These tests need ${names}, which this machine lacks. ${otherWay}`);
	}
	const waiting = () => say(`Another command is installing ${names}: waiting for it.`);
	return await withLock(join(cache, 'locks', need), waiting, async () => {
		say(`Installing ${names} by apt-get (${size}) …`);
		const logFile = join(cache, 'logs', `install-${need}.log`);
		const quiet = { cwd: cache, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, logFile };
		for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
			const status = await runStep(apt, args, quiet);
			if (status !== 0) {
				const last = `Its last lines:\n\n${lastLines(logFile, 15)}\n\nThe whole log is in ${logFile}`;
				throw new Error(`"apt-get ${args.join(' ')}" ended with status ${status}. ${last}\n${otherWay}`);
			}
		}
		const installed = find();
		if (!installed) {
			throw new Error(`apt-get has installed ${names}, but not all programs can be found. ${otherWay}`);
		}
		say('… done.');
		return installed;
	});
}

function findProgram(names, env) {
	const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...outsidePath()];
	return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
