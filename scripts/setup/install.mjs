import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { linkLint } from './lintLinks.mjs';
import { withLock } from './lock.mjs';
import { environment, findNpm, isNode24, node24, node24Folder } from './node24.mjs';
import { cache, root, say } from './places.mjs';
import { lastLines, runStep, runTask } from './process.mjs';
import { preparePrograms, programNames } from './programs.mjs';

const tools = join(root, 'tools');
const ci = ['npm', 'ci', '--ignore-scripts', '--include=dev'];

/**
 * The installable folders, by the name of the need: the `folder`; the folder of its `manifests`, if it differs; the
 * `steps`; whether it has native modules, which are compiled for a version of Node.js; and which entries of the lock
 * file count (`only`).
 */
const folders = {
	node24: {
		what: `Node.js 24 (some seconds, 120 MB; this is ${process.version})`,
		folder: node24Folder,
		manifests: join(tools, 'node24'),
		steps: [['npm', 'ci', '--ignore-scripts']],
	},
	project: { what: "the project's libraries and tools (1 minute, 600 MB)", folder: root, steps: [ci] },
	sandbox: {
		what: "the sandbox's libraries (some seconds, 35 MB)",
		folder: root,
		steps: [['npm', 'ci', '--ignore-scripts', '--workspace=sandbox', '--omit=dev']],
		// The other packages of the lock file are for development only.
		only: ({ dev }) => !dev,
	},
	lint: { what: "n8n's code checks (half a minute, 260 MB)", folder: join(tools, 'lint'), steps: [ci] },
	n8n: {
		what: 'n8n 2.41.1 (2 to 4 minutes, 2.2 GB)',
		folder: join(cache, 'n8n'),
		manifests: join(tools, 'n8n'),
		steps: [
			[...ci, '--legacy-peer-deps'],
			['npm', 'rebuild', 'sqlite3'],
			['node', '-e', "require('sqlite3')"],
		],
		hasNativeModules: true,
	},
};

/**
 * Installs the needs of a command, then runs it with Node.js 24. Sets the exit status of this process.
 *
 * @param needs names of `folders` and programs
 * @param run arguments for Node.js 24
 * @param explain checks the command's own arguments before anything is installed, and returns the help text for --help
 */
export async function runWith({ needs, run, explain }) {
	try {
		const help = explain?.(run.slice(1));
		if (help) {
			console.log(help);
			return;
		}
		const npm = findNpm();
		if (!isNode24) {
			await installFolder('node24', { npm, node: process.execPath, env: process.env });
		}
		const node = node24();
		const env = environment(node, npm);
		for (const need of needs) {
			if (programNames.includes(need)) {
				Object.assign(env, await preparePrograms(need, env));
			} else {
				await installFolder(need, { npm, node, env });
			}
		}
		if (needs.includes('lint')) {
			linkLint();
		}
		process.exitCode = await runTask(node, run, { cwd: root, env });
	} catch (error) {
		say(error.message);
		process.exitCode ||= error.exitStatus ?? 1;
	}
}

/** Installs a folder from its lock file, unless it is up to date. */
async function installFolder(name, toolchain) {
	const { what, folder, manifests = folder, steps, hasNativeModules, only } = folders[name];
	const compiled = join(folder, 'node_modules', '.compiled-for');
	const isReady = () =>
		isInstalled(folder, manifests, only) &&
		(!hasNativeModules || (existsSync(compiled) && readFileSync(compiled, 'utf8') === '24'));
	if (isReady()) {
		return;
	}
	// Commands that install into the same folder wait for each other.
	const lock = join(cache, 'locks', folder === root ? 'project' : name);
	const waiting = () => say(`Another command is installing ${what}: waiting for it.`);
	await withLock(lock, waiting, async () => {
		if (isReady()) {
			return;
		}
		const started = Date.now();
		const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
		say(`Installing ${what} …`);
		const progress = setInterval(() => say(`… still installing (${seconds()})`), 30_000);
		try {
			mkdirSync(folder, { recursive: true });
			if (manifests !== folder) {
				for (const file of ['package.json', 'package-lock.json']) {
					copyFileSync(join(manifests, file), join(folder, file));
				}
			}
			await runSteps({ what, steps, folder, logFile: join(cache, 'logs', `install-${name}.log`) }, toolchain);
			if (hasNativeModules) {
				writeFileSync(compiled, '24');
			}
		} finally {
			clearInterval(progress);
		}
		say(`… done in ${seconds()}.`);
	});
}

async function runSteps({ what, steps, folder, logFile }, { npm, node, env }) {
	rmSync(logFile, { force: true });
	for (const [program, ...args] of steps) {
		const all = program === 'npm' ? [npm, ...args, '--no-audit', '--no-fund'] : args;
		const status = await runStep(node, all, { cwd: folder, env, logFile });
		if (status === 0) {
			continue;
		}
		const isCompiling = args[0] === 'rebuild';
		throw new Error(
			`Installing ${what} did not work: "${[program, ...args].join(' ')}" ended with status ${status}. Its last lines:\n\n${lastLines(logFile, 15)}\n\nThe whole log is in ${logFile}\n${
				isCompiling
					? 'Without a ready-made binary, the database driver is compiled: that needs Python 3, make, a C++ compiler, and a folder without spaces in its path. Then run the same command again.'
					: 'Check the network (npm ping) and the free space on the disk, then run the same command again.'
			}`,
		);
	}
}

/**
 * Whether node_modules contains the packages of the lock file, by the list that npm keeps there. npm writes the list
 * last, so an interrupted installation does not count.
 */
function isInstalled(folder, manifests, only = () => true) {
	const present = packagesIn(join(folder, 'node_modules', '.package-lock.json'));
	return Object.entries(packagesIn(join(manifests, 'package-lock.json'))).every(
		([path, entry]) =>
			!path.includes('node_modules/') ||
			!only(entry) ||
			isForOtherPlatforms(entry) ||
			present[path]?.version === entry.version,
	);
}

function packagesIn(lockFile) {
	return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

/** Whether npm may leave out an optional package here, because it is for another platform or C library. */
function isForOtherPlatforms({ optional, os, cpu, libc }) {
	return optional && (!os?.includes(process.platform) || !cpu?.includes(process.arch) || libc !== undefined);
}
