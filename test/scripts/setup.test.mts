import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'set up with blanks '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a piece of script that may import from scripts/setup. */
async function run(script: string, args: string[] = []): Promise<{ status: number | null; output: string }> {
	const file = join(folder, 'script.mjs');
	const setup = pathToFileURL(join(root, 'scripts', 'setup')).href;
	writeFileSync(file, script.replaceAll('setup:', `${setup}/`));
	return await finish([file, ...args]);
}

async function finish(args: string[]): Promise<{ status: number | null; output: string }> {
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}
	const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
	return { status, output };
}

const lockScript = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from 'setup:lock.mjs';
const [lock, log] = process.argv.slice(2);
await withLock(lock, () => {}, async () => {
	appendFileSync(log, 'in ');
	await sleep(300);
	appendFileSync(log, 'out ');
});
`;

test('of several commands at once only one holds a lock, and it is free afterwards', async () => {
	const [lock, log] = [join(folder, 'locks', 'one'), join(folder, 'log')];
	await Promise.all([1, 2, 3].map(() => run(lockScript, [lock, log])));
	expect(readFileSync(log, 'utf8')).toBe('in out in out in out ');
	expect(existsSync(lock)).toBe(false);
});

test('a lock that a crashed command left is taken over', async () => {
	const [lock, log] = [join(folder, 'left'), join(folder, 'log')];
	writeFileSync(lock, '');
	// Ten times as fast: a lock counts as left after ten seconds.
	const faster = "import { performance } from 'node:perf_hooks'; const now = performance.now.bind(performance);";
	await run(`${faster} performance.now = () => now() * 10; ${lockScript}`, [lock, log]);
	expect(readFileSync(log, 'utf8')).toBe('in out ');
});

test('a folder counts as installed only for the lock file and the Node.js it was installed with', async () => {
	const { status, output } = await run(
		`
import { mkdirSync, writeFileSync } from 'node:fs';
import { isInstalled, markInstalled, stampOf } from 'setup:places.mjs';
const [folder] = process.argv.slice(2);
const lock = folder + '/package-lock.json';
mkdirSync(folder + '/node_modules');
writeFileSync(lock, '{}');
const before = stampOf(lock, '24.1.0');
const answers = [isInstalled(folder, before)];
markInstalled(folder, before);
answers.push(isInstalled(folder, stampOf(lock, '24.9.9')), isInstalled(folder, stampOf(lock, '26.0.0')));
writeFileSync(lock, '{"changed": true}');
answers.push(isInstalled(folder, stampOf(lock, '24.1.0')));
console.log(JSON.stringify(answers));
`,
		[folder],
	);
	expect({ status, output: output.trim() }).toEqual({ status: 0, output: '[false,true,false,false]' });
});

test('a set-up step that cannot start ends with a status and says why in its log', async () => {
	const log = join(folder, 'step.log');
	const { output } = await run(
		`
import { runStep } from 'setup:process.mjs';
const [cwd, logFile] = process.argv.slice(2);
console.log(await runStep(cwd + '/no such program', [], { cwd, logFile }));
`,
		[folder, log],
	);
	expect(output.trim()).toBe('127');
	expect(readFileSync(log, 'utf8')).toContain('ENOENT');
});

test('what is compiled is compiled in a path without blanks, and arrives in its folder', async () => {
	const { output } = await run(
		`
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withCompilerSafePath } from 'setup:workshop.mjs';
const [folder] = process.argv.slice(2);
await withCompilerSafePath(folder, { npm_config_nodedir: folder }, async (place, env) => {
	console.log(/\\s/.test(place + env.npm_config_nodedir));
	mkdirSync(place + '/node_modules');
	writeFileSync(place + '/node_modules/made', 'yes');
});
console.log(readFileSync(folder + '/node_modules/made', 'utf8'));
`,
		[folder],
	);
	expect(output.trim().split('\n')).toEqual(['false', 'yes']);
});

test('an unknown task is refused with the names of the tasks', async () => {
	const { status, output } = await finish([join(root, 'scripts', 'run.mjs'), 'dance']);
	expect(status).toBe(1);
	expect(output).toMatch(/^There is no task "dance"\. Tasks: .*sandbox.*start/);
});
