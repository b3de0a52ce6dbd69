// Installs what a task needs, then runs it: node scripts/run.mjs <task> [arguments of the task]
// Plain JavaScript without libraries, because it runs before anything is installed.
import { join } from 'node:path';

import { prepareChromium } from './setup/chromium.mjs';
import { explainDev } from './setup/devOptions.mjs';
import { prepareFfmpeg } from './setup/ffmpeg.mjs';
import { prepareFolder, prepareNode } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';
import { cache, root, say } from './setup/places.mjs';
import { runTask } from './setup/process.mjs';
import { refusePublish } from './setup/refusePublish.mjs';
import { prepareServers } from './setup/servers.mjs';
import { explainStart } from './setup/startOptions.mjs';

/**
 * The tasks. `explain`: checks the arguments before anything is installed, and returns the help if it was asked for;
 * `needs`: folders to install; `run`: arguments for Node.js 24; `alone`: name of a lock to hold.
 */
const tasks = {
	bench: { needs: ['root', 'sandbox', 'n8n', 'bench'], run: ['scripts/bench.mts'] },
	// What .ci/run installs while the first tests run.
	fetch: { needs: ['n8n', 'node20', 'openapi'], browser: true, databases: true },
	dev: { explain: explainDev, needs: ['root', 'bundle', 'sandbox', 'n8n'], run: ['scripts/dev.mts'] },
	build: { needs: ['root', 'bundle'], run: ['node_modules/gulp/bin/gulp.js', 'build'], alone: 'dist' },
	generate: { needs: ['root', 'sandbox'], run: ['scripts/generate.mts'] },
	lint: { needs: ['root', 'bundle', 'sandbox', 'lint', 'prose'], run: ['scripts/lint.mts', '--build'] },
	pack: { needs: ['root', 'bundle'], run: ['scripts/pack.mts'], alone: 'dist' },
	'pack:sandbox': { needs: ['root', 'sandbox'], run: ['scripts/packSandbox.mts'], alone: 'sandboxPackage' },
	prepublishOnly: { explain: refusePublish },
	readme: { needs: ['root', 'sandbox'], run: ['scripts/readme.mts'] },
	release: { needs: [], run: ['scripts/release.mts'] },
	sandbox: { needs: ['sandbox'], run: ['sandbox/main.mts'] },
	screenshots: {
		needs: ['root', 'sandbox', 'n8n'],
		browser: true,
		ffmpeg: true,
		run: ['scripts/e2e.mts', 'screenshots'],
	},
	start: { explain: explainStart, needs: ['root', 'sandbox', 'n8n'], run: ['scripts/start.mts'] },
	'test:compat': { needs: ['root', 'sandbox', 'n8n'], run: ['scripts/compat/main.mts'] },
	'test:e2e': { needs: ['root', 'sandbox', 'n8n', 'node20'], browser: true, run: ['scripts/e2e.mts', 'e2e'] },
	'test:fuzz': { needs: ['root', 'sandbox'], run: ['scripts/fuzz.mts'] },
	'test:mutation': { needs: ['root', 'mutation'], run: ['scripts/mutation.mts'] },
	'test:openapi': { needs: ['root', 'sandbox', 'openapi'], browser: true, run: ['scripts/openApi.mts'] },
	'test:scale': { needs: ['root', 'sandbox', 'n8n'], run: ['scripts/e2e.mts', 'scale'] },
	tour: { needs: ['root', 'sandbox', 'n8n'], browser: true, ffmpeg: true, run: ['scripts/e2e.mts', 'tour'] },
	test: { needs: ['root', 'sandbox', 'lint', 'prose'], run: ['scripts/test.mts'] },
};

async function main([name, ...args]) {
	if (!Object.hasOwn(tasks, name ?? '')) {
		throw new Error(`There is no task "${name ?? ''}". Tasks: ${Object.keys(tasks).join(', ')}.`);
	}
	const task = tasks[name];
	const help = task.explain?.(args);
	if (help) {
		console.log(help);
		return 0;
	}
	const toolchain = await prepareNode();
	for (const folder of task.needs) {
		await prepareFolder(folder, toolchain);
	}
	if (task.browser) {
		toolchain.env.CHROMIUM_PATH = await prepareChromium();
	}
	if (task.ffmpeg) {
		toolchain.env.FFMPEG_PATH = await prepareFfmpeg();
	}
	if (task.databases) {
		await prepareServers();
	}
	if (!task.run) {
		return 0;
	}
	const run = () => runTask(toolchain.node.path, [...task.run, ...args], { cwd: root, env: toolchain.env });
	if (!task.alone) {
		return await run();
	}
	const waiting = () => say('Another command is building: waiting for it.');
	return await withLock(join(cache, 'locks', task.alone), waiting, run);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	say(error.message);
	process.exitCode ||= error.exitStatus ?? 1;
}
