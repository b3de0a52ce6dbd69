import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { withLock } from './lock.mjs';
import { cache, say } from './places.mjs';
import { lastLines, runStep } from './process.mjs';

/**
 * Returns what `findIt` finds. If it finds nothing, installs packages with apt-get first, if possible.
 *
 * @param what the name, the size (duration and download), the packages, and the two parts of the error message if it
 * cannot be installed: `missing` and `otherWay`
 */
export async function findOrInstall(findIt, { name, size, packages, missing, otherWay }, env) {
	const present = findIt();
	if (present) {
		return present;
	}
	const apt = find('apt-get', env);
	if (!apt || process.getuid?.() !== 0) {
		throw new Error(`${missing} ${otherWay}`);
	}
	const short = name.toLowerCase().replaceAll(' ', '-');
	const waiting = () => say(`Another command is installing ${name}: waiting for it.`);
	return await withLock(join(cache, 'locks', short), waiting, async () => {
		const installedMeanwhile = findIt();
		if (installedMeanwhile) {
			return installedMeanwhile;
		}
		say(`Installing ${name} by apt-get (${size}) …`);
		await install(apt, packages(), { logFile: join(cache, 'logs', `install-${short}.log`), otherWay, env });
		const installed = findIt();
		if (!installed) {
			throw new Error(`apt-get has installed ${name}, but it cannot be found. ${otherWay}`);
		}
		say('… done.');
		return installed;
	});
}

async function install(apt, packages, { logFile, otherWay, env }) {
	const quiet = { cwd: cache, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, logFile };
	for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
		const status = await runStep(apt, args, quiet);
		if (status === 0) {
			continue;
		}
		throw new Error(
			`"apt-get ${args.join(' ')}" ended with status ${status}. Its last lines:\n\n${lastLines(logFile, 15)}\n\nThe whole log is in ${logFile}\n${otherWay}`,
		);
	}
}

/** Returns the file of a program in PATH, or undefined. */
export function find(name, env) {
	const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
	return folders.map((folder) => join(folder, name)).find(isProgram);
}

export function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
