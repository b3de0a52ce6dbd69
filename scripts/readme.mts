// Runs the commands in README.md, docs/ and sandbox/README.md as a reader would:
// node scripts/with.mjs project -- node scripts/readme.mts
// CI runs `npm test` in a separate step, and `npm start -- --keep` in test/e2e/keep.test.mts. An unknown command is a
// failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { cache, root } from './lib/places.mts';
import { runProcess } from './lib/process.mts';

const home = mkdtempSync(join(tmpdir(), 'readme home '));

/** The settings of the reader's own npm: its registry, its certificates, and its cache. */
const npmSettings = {
	npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
	npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
	npm_config_prefer_offline: 'true',
};

/** How long a sandbox may take to start; npx downloads its libraries first. */
const START_MS = 300_000;

/** Runs a code block in a shell with a temporary home folder. */
function shell(block: string, stdout: 'pipe' | 'inherit', folder = root) {
	return spawn('bash', ['-euo', 'pipefail', '-c', block], {
		cwd: folder,
		env: { ...process.env, ...npmSettings, HOME: home },
		stdio: ['ignore', stdout, 'inherit'],
		detached: true,
	});
}

/** Checks that the installation puts only the package into the folder that n8n reads. */
async function install(block: string): Promise<void> {
	const [status] = await once(shell(block, 'inherit'), 'exit');
	if (status !== 0) {
		throw new Error(`ended with status ${status}`);
	}
	const installed = join(home, '.n8n', 'nodes', 'node_modules');
	const packages = readdirSync(installed).filter((name) => !name.startsWith('.'));
	if (packages.join() !== 'n8n-nodes-voice-agent-calling') {
		throw new Error(`installed ${packages.join(', ')}`);
	}
	const node = join('dist', 'nodes', 'VoiceAgentCalling', 'VoiceAgentCalling.node.js');
	if (!existsSync(join(installed, packages[0], node))) {
		throw new Error(`${node} is missing`);
	}
}

/** Checks that the sandbox prints its address and is healthy. @param whileItRuns called while it runs */
async function sandbox(
	block: string,
	whileItRuns: (url: string) => Promise<void> = async () => undefined,
): Promise<void> {
	// The port may be in use; the last --port counts.
	const child = shell(`${block.trimEnd()} --port 0`, 'pipe');
	const end = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGTERM');
	const limit = setTimeout(end, START_MS);
	try {
		let output = '';
		for await (const chunk of child.stdout ?? []) {
			output += String(chunk);
			const line = /^\{"url".*$/m.exec(output)?.[0];
			if (line === undefined) {
				continue;
			}
			clearTimeout(limit);
			const { url } = JSON.parse(line) as { url: string };
			const health = await fetch(`${url}/api/v1/health`);
			if (!health.ok) {
				throw new Error(`/health returned ${health.status}`);
			}
			await whileItRuns(url);
			return;
		}
		throw new Error(`ended without saying where it listens: ${output}`);
	} finally {
		clearTimeout(limit);
		if (child.exitCode === null && child.signalCode === null) {
			end();
			await once(child, 'exit');
		}
	}
}

let packedSandbox: Promise<string> | undefined;

/** Returns a shell function that makes npx run the packed sandbox instead of the published one. */
async function npxOfPackedSandbox(): Promise<string> {
	packedSandbox ??= runProcess({
		name: 'Packing the sandbox',
		args: [join(root, 'scripts', 'packSandbox.mts'), home],
		cwd: root,
		env: process.env,
		logFile: join(cache, 'logs', 'readme.log'),
	});
	const tarball = (await packedSandbox).trimEnd().split('\n').at(-1);
	return `npx() { command npx --yes --package '${tarball}' "$@"; }\n`;
}

/** Runs a block against a running sandbox. A response of 400 or more counts as a failure. */
async function use(block: string, url: string): Promise<void> {
	const given = block
		.replaceAll('localhost:4010', url)
		.replaceAll('https://…', url)
		.replace(/TOKEN=…/, 'TOKEN=TOKEN');
	const functions = `curl() { command curl --fail "$@"; }\n${await npxOfPackedSandbox()}export VOICE_AGENT_CALLING_TOKEN=TOKEN\n`;
	// The command runs in the temporary folder, because it may write a file.
	const [status] = await once(shell(functions + given, 'pipe', home), 'exit');
	if (status !== 0) {
		throw new Error(`${block} ended with status ${status}`);
	}
}

/** Runs the commands in the README of the sandbox. */
async function sandboxReadme(blocks: string[]): Promise<void> {
	const [start = '', ...others] = blocks;
	await sandbox((await npxOfPackedSandbox()) + start, async (url) => {
		for (const block of others) {
			await use(block, url);
		}
	});
}

/** Runs a command of docs/contributing/contract.md against a sandbox instead of the service. */
async function contract(block: string): Promise<void> {
	await sandbox('npm run sandbox -- --speed 60', async (url) => await use(block, url));
}

/** Returns the code blocks of a document that are commands. */
function commandsIn(...path: string[]): string[] {
	const text = readFileSync(join(root, ...path), 'utf8');
	return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!);
}

/** Commands that CI runs elsewhere. */
const runElsewhere = ['npm start -- --keep', 'npm test'];

/** The checks for all other blocks, by their first words. */
const checks: Array<[start: string, run: (block: string) => Promise<void>]> = [
	['npm run pack:sandbox', sandbox],
	['npm run pack', install],
	['npm run sandbox', sandbox],
	['export VOICE_AGENT_CALLING_TOKEN=…', contract],
];

let passed = 0;
let failed = 0;

/** Runs and counts a check, and prints its result. */
async function count(title: string, check: () => Promise<void>): Promise<void> {
	try {
		await check();
		console.log(`✓ ${title}`);
		passed += 1;
	} catch (error) {
		console.log(`✗ ${title}: ${error instanceof Error ? error.message : String(error)}`);
		failed += 1;
	}
}

/** The pages for contributors whose commands are run. */
const RUN = ['contract.md', 'sandbox.md'];

const docs = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
	// Other guides for contributors show commands for changes that are only described.
	.filter(
		({ name, parentPath }) => name.endsWith('.md') && (!parentPath.endsWith('contributing') || RUN.includes(name)),
	)
	.map(({ parentPath, name }) => relative(root, join(parentPath, name)))
	.sort();
for (const page of ['README.md', ...docs]) {
	for (const block of commandsIn(page)) {
		const [firstLine = ''] = block.split('\n');
		if (runElsewhere.includes(firstLine)) {
			continue;
		}
		await count(`${page}: ${firstLine}`, async () => {
			const run = checks.find(([start]) => firstLine.startsWith(start))?.[1];
			if (!run) {
				throw new Error('nothing here runs it');
			}
			await run(block);
		});
	}
}
await count("The sandbox's README", async () => await sandboxReadme(commandsIn('sandbox', 'README.md')));
rmSync(home, { recursive: true, force: true });
writeFileSync(join(cache, 'readme-summary.json'), JSON.stringify({ passed, failed }));
process.exitCode = failed > 0 ? 1 : 0;
