import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from './lock.mjs';
import { environment, findNpm, isNode24, node24, node24Folder, node24Source } from './node24.mjs';
import { cache, isInstalled, say } from './places.mjs';
import { lastLines, runStep } from './process.mjs';
import { withCompilerSafePath } from './workshop.mjs';

/** Installs Node.js 24 if the current version differs. @returns the toolchain: npm, Node.js and environment */
export async function prepareNode() {
	const node = node24();
	const npm = findNpm();
	if (!isNode24) {
		const installation = {
			what: `Node.js 24 (some seconds, 120 MB; this is ${process.version})`,
			manifests: node24Source,
			folder: node24Folder,
			steps: [
				['npm', 'ci', '--ignore-scripts'],
				[node.path, '--version'],
			],
		};
		const running = { path: process.execPath, version: node.version };
		await prepareFolder('node24', installation, { npm, node: running, env: process.env });
	}
	return { npm, node, env: environment(node, npm) };
}

/**
 * Installs a folder from its lock file, unless it is up to date.
 *
 * @param name for the log file and the lock
 * @param installation `what` it is, for people; the `folder`; the folder of its `manifests`, if that is another; the
 * `steps`; steps to `compile` native modules; which entries of the lock file it needs `only`
 */
export async function prepareFolder(name, installation, toolchain) {
	const { what, folder, manifests = folder, only } = installation;
	// Native modules are compiled for a version of Node.js.
	const compiled = join(folder, 'node_modules', '.compiled-for');
	const version = toolchain.node.version.split('.')[0];
	const isReady = () =>
		isInstalled(folder, manifests, only) &&
		(!installation.compile || (existsSync(compiled) && readFileSync(compiled, 'utf8') === version));
	if (isReady()) {
		return;
	}
	const waiting = () => say(`Another command is installing ${what}: waiting for it.`);
	// Two that install into one folder wait for each other.
	const lock = folder.startsWith(cache) ? name : folder.replaceAll(/\W+/g, '-');
	await withLock(join(cache, 'locks', lock), waiting, async () => {
		if (isReady()) {
			return;
		}
		const started = Date.now();
		const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
		const logFile = join(cache, 'logs', `install-${name}.log`);
		say(`Installing ${what} …`);
		const progress = setInterval(() => say(`… still installing (${seconds()})`), 30_000);
		try {
			await installFresh({ ...installation, manifests, logFile }, toolchain);
			if (installation.compile) {
				writeFileSync(compiled, version);
			}
		} finally {
			clearInterval(progress);
		}
		say(`… done in ${seconds()}.`);
	});
}

async function installFresh({ folder, manifests, steps, compile, ...rest }, { env, ...toolchain }) {
	rmSync(rest.logFile, { force: true });
	mkdirSync(folder, { recursive: true });
	const installIn = async (target, targetEnv) => {
		if (manifests !== target) {
			for (const file of ['package.json', 'package-lock.json']) {
				copyFileSync(join(manifests, file), join(target, file));
			}
		}
		const all = [...steps, ...(compile ?? [])];
		await runSteps({ ...rest, ...toolchain, steps: all, cwd: target, env: targetEnv });
	};
	if (compile) {
		await withCompilerSafePath(folder, env, installIn);
	} else {
		await installIn(folder, env);
	}
}

async function runSteps({ what, steps, npm, node, logFile, cwd, env }) {
	for (const [program, ...args] of steps) {
		const command = program === 'npm' || program === 'node' ? node.path : program;
		const commandArgs = program === 'npm' ? [npm, ...args, '--no-audit', '--no-fund'] : args;
		const status = await runStep(command, commandArgs, { cwd, env, logFile });
		if (status === 0) {
			continue;
		}
		const shown = [program, ...args].join(' ');
		throw new Error(
			`Installing ${what} did not work: "${shown}" ended with status ${status}. Its last lines:\n\n${lastLines(logFile, 15)}\n\nThe whole log is in ${logFile}\n${advice(args)}`,
		);
	}
}

function advice([action]) {
	return action === 'rebuild'
		? 'Where no ready-made binary can be had, the database driver is compiled: that needs Python 3, make and a C++ compiler. Then run the same command again.'
		: 'Check the network (npm ping) and the free space on the disk, then run the same command again.';
}
