import { find, findOrInstall, isProgram } from './debian.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const outsidePath = [
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The Chromium for the editor: the one in CHROMIUM_PATH, an installed one, or one installed by apt-get.
 * `elsewhere` lists files to try that are not on the path.
 */
export async function prepareChromium(env = process.env, elsewhere = outsidePath) {
	if (env.CHROMIUM_PATH) {
		if (isProgram(env.CHROMIUM_PATH)) {
			return env.CHROMIUM_PATH;
		}
		throw new Error(`CHROMIUM_PATH names no program: ${env.CHROMIUM_PATH}`);
	}
	const findChromium = () =>
		names.map((name) => find(name, env)).find((file) => file !== undefined) ?? elsewhere.find(isProgram);
	const what = {
		name: 'Chromium',
		size: 'about 1 minute, 400 MB',
		packages: () => ['chromium'],
		missing: "These tests look at n8n's editor in Chromium, and there is none here.",
		otherWay: 'Install Chromium, or name a Chromium or Chrome in CHROMIUM_PATH, then run the same command again.',
	};
	return await findOrInstall(findChromium, what, env);
}
