// Runs the commands in README.md as a reader would: node scripts/run.mjs readme
// CI runs `npm start` and `npm test` in separate steps. An unknown command is a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cache, root } from './lib/places.mts';

const home = mkdtempSync(join(tmpdir(), 'readme home '));

/** Runs a code block in a shell with a temporary home folder. */
function shell(block: string, stdout: 'pipe' | 'inherit') {
	return spawn('bash', ['-euo', 'pipefail', '-c', block], {
		cwd: root,
		env: { ...process.env, HOME: home },
		stdio: ['ignore', stdout, 'inherit'],
		detached: true,
	});
}

/** Checks that the installation puts the package, and nothing else, where n8n looks for it. */
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

/** Checks that the sandbox prints its address and is healthy. */
async function sandbox(block: string): Promise<void> {
	// The port may be in use.
	const child = shell(block.replace(/--port \d+/, '--port 0'), 'pipe');
	try {
		let output = '';
		for await (const chunk of child.stdout ?? []) {
			output += String(chunk);
			const line = /^\{"url".*$/m.exec(output)?.[0];
			if (line === undefined) {
				continue;
			}
			const { url } = JSON.parse(line) as { url: string };
			const health = await fetch(`${url}/api/v1/health`);
			if (!health.ok) {
				throw new Error(`/health answered ${health.status}`);
			}
			return;
		}
		throw new Error(`ended without saying where it listens: ${output}`);
	} finally {
		if (child.pid !== undefined) {
			process.kill(-child.pid, 'SIGTERM');
		}
		await once(child, 'exit');
	}
}

/** Commands that CI runs in separate steps. */
const separateSteps = ['npm start', 'npm test'];

/** How to check each other block, by its first words. */
const checks: Array<[start: string, run: (block: string) => Promise<void>]> = [
	['npm run pack', install],
	['npm run sandbox', sandbox],
];

let passed = 0;
let failed = 0;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
for (const [, block] of readme.matchAll(/^```sh\n(.*?)^```/gms)) {
	const [firstLine] = block.split('\n');
	if (separateSteps.includes(firstLine)) {
		continue;
	}
	try {
		const run = checks.find(([start]) => firstLine.startsWith(start))?.[1];
		if (!run) {
			throw new Error('nothing here runs it');
		}
		await run(block);
		console.log(`✓ README: ${firstLine}`);
		passed += 1;
	} catch (error) {
		console.log(`✗ README: ${firstLine}: ${error instanceof Error ? error.message : String(error)}`);
		failed += 1;
	}
}
rmSync(home, { recursive: true, force: true });
writeFileSync(join(cache, 'readme-summary.json'), JSON.stringify({ passed, failed }));
process.exitCode = failed > 0 ? 1 : 0;
