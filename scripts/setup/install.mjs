import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { linkLint } from './lintLinks.mjs';
import { withLock } from './lock.mjs';
import { environment, findNpm, isNode24, node24, node24Folder, node24Source } from './node24.mjs';
import { cache, isInstalled, markInstalled, root, say, stampOf } from './places.mjs';
import { lastLines, runStep } from './process.mjs';
import { withCompilerSafePath } from './workshop.mjs';

const exact = ['npm', 'ci', '--ignore-scripts', '--include=dev'];

// Also follows the lock file, but unlike `npm ci` accepts one without the optional packages of other platforms.
const locked = ['npm', 'install', '--no-save', '--ignore-scripts', '--include=dev'];

/** The folders that tasks need, and how to install them. `afterwards` runs before every use. */
const folders = {
	root: { what: "the project's tools (about 1 minute, 450 MB)", folder: root, steps: [locked] },
	sandbox: {
		what: "the sandbox's libraries (some seconds)",
		folder: join(root, 'sandbox'),
		steps: [exact],
	},
	lint: {
		what: "n8n's code checks (half a minute, 260 MB)",
		folder: join(root, 'tools', 'lint'),
		steps: [locked],
		afterwards: linkLint,
	},
	bundle: {
		what: 'Rollup, which puts the modules of the nodes together (some seconds, 6 MB)',
		folder: join(root, 'tools', 'bundle'),
		steps: [locked],
	},
	bench: {
		what: "the benchmarks' own tools (some seconds)",
		folder: join(root, 'tools', 'bench'),
		steps: [exact],
	},
	mutation: {
		what: 'Stryker, which changes the code to test the tests (some seconds, 65 MB)',
		folder: join(root, 'tools', 'mutation'),
		steps: [exact],
	},
	node20: {
		what: "the oldest Node.js for the sandbox's package (some seconds, 100 MB)",
		manifests: join(root, 'tools', 'node20'),
		folder: join(cache, 'node20'),
		steps: [exact],
	},
	prose: {
		what: 'cspell and textlint, which check the pages (some seconds, 27 MB)',
		folder: join(root, 'tools', 'prose'),
		steps: [exact],
	},
	openapi: {
		what: "Redocly's rules, Prism and a generator of clients (half a minute, 170 MB)",
		folder: join(root, 'tools', 'openapi'),
		steps: [exact],
	},
	n8n: {
		what: 'n8n 2.41.1 (2 to 4 minutes, 2.2 GB)',
		manifests: join(root, 'tools', 'n8n'),
		folder: join(cache, 'n8n'),
		compiles: true,
		steps: [
			[...locked, '--legacy-peer-deps'],
			['npm', 'rebuild', 'sqlite3'],
			['node', '-e', "require('sqlite3')"],
		],
	},
};

/** Installs Node.js 24 if the current version differs. @returns the toolchain: npm, Node.js and environment */
export async function prepareNode() {
	const node = node24();
	const npm = findNpm();
	if (!isNode24) {
		const installation = {
			what: `Node.js 24 (some seconds, 120 MB; this is ${process.version})`,
			manifests: node24Source,
			folder: node24Folder,
			steps: [exact, [node.path, '--version']],
		};
		const running = { path: process.execPath, version: node.version };
		await install('node24', installation, { npm, node: running, env: process.env });
	}
	return { npm, node, env: environment(node, npm) };
}

/** Installs a folder from its lock file, unless it is up to date. */
export async function prepareFolder(name, toolchain) {
	await install(name, folders[name], toolchain);
	folders[name].afterwards?.();
}

async function install(name, installation, toolchain) {
	const { what, folder, manifests = folder } = installation;
	const stamp = stampOf(join(manifests, 'package-lock.json'), toolchain.node.version);
	if (isInstalled(folder, stamp)) {
		return;
	}
	const waiting = () => say(`Another command is installing ${what}: waiting for it.`);
	await withLock(join(cache, 'locks', name), waiting, async () => {
		if (isInstalled(folder, stamp)) {
			return;
		}
		const started = Date.now();
		const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
		const logFile = join(cache, 'logs', `install-${name}.log`);
		say(`Installing ${what} …`);
		const progress = setInterval(() => say(`… still installing (${seconds()})`), 30_000);
		try {
			await installFresh({ ...installation, manifests, logFile }, toolchain);
			markInstalled(folder, stamp);
		} finally {
			clearInterval(progress);
		}
		say(`… done in ${seconds()}.`);
	});
}

async function installFresh({ folder, manifests, compiles, ...rest }, { env, ...toolchain }) {
	rmSync(rest.logFile, { force: true });
	rmSync(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true });
	const installIn = async (target, targetEnv) => {
		if (manifests !== target) {
			for (const file of ['package.json', 'package-lock.json']) {
				copyFileSync(join(manifests, file), join(target, file));
			}
		}
		await runSteps({ ...rest, ...toolchain, cwd: target, env: targetEnv });
	};
	if (compiles) {
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
