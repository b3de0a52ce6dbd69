import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withLock } from './lock.mjs';
import { cache, say } from './places.mjs';
import { lastLines, runStep } from './process.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const outsidePath = [
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const otherWay = 'Install Chromium, or name a Chromium or Chrome in CHROMIUM_PATH, then run the same command again.';

/**
 * The Chromium to show the editor with: the one in CHROMIUM_PATH, one of this machine, or one brought along.
 * `elsewhere` names the places to look in that are on no path.
 */
export async function prepareChromium(env = process.env, elsewhere = outsidePath) {
	if (env.CHROMIUM_PATH) {
		if (isProgram(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
		throw new Error(`CHROMIUM_PATH names no program: ${env.CHROMIUM_PATH}`);
	}
	const findChromium = () => findNamed(env) ?? elsewhere.find(isProgram);
	const present = findChromium();
	if (present) return present;
	const apt = find('apt-get', env);
	if (!apt || process.getuid?.() !== 0) {
		throw new Error(`These tests look at n8n's editor in Chromium, and there is none here. ${otherWay}`);
	}
	const waiting = () => say('Another command is installing Chromium: waiting for it.');
	return await withLock(join(cache, 'locks', 'chromium'), waiting, async () => {
		return findChromium() ?? (await installWith(apt, env));
	});
}

async function installWith(apt, env) {
	const logFile = join(cache, 'logs', 'install-chromium.log');
	say('Installing Chromium by apt-get (about 1 minute, 400 MB) …');
	const quiet = { cwd: cache, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, logFile };
	for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
		const status = await runStep(apt, args, quiet);
		if (status === 0) continue;
		throw new Error(
			`"apt-get ${args.join(' ')}" ended with status ${status}. Its last lines:\n\n${lastLines(logFile, 15)}\n\nThe whole log is in ${logFile}\n${otherWay}`,
		);
	}
	const installed = findNamed(env);
	if (!installed) throw new Error(`apt-get has installed a Chromium that cannot be found. ${otherWay}`);
	say('… done.');
	return installed;
}

function findNamed(env) {
	return names.map((name) => find(name, env)).find((file) => file !== undefined);
}

function find(name, env) {
	const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
	return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
