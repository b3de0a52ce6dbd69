import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'set up with blanks '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a piece of script that may import from scripts/setup, until it ends. */
async function run(script: string, args: string[]): Promise<void> {
	// A file of its own: another run may read its file now.
	const file = join(folder, `${randomUUID()}.mjs`);
	const setup = pathToFileURL(join(root, 'scripts', 'setup')).href;
	writeFileSync(file, script.replaceAll('setup:', `${setup}/`));
	await once(spawn(process.execPath, [file, ...args], { stdio: 'inherit' }), 'close');
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
	writeFileSync(lock, '999999999');
	await run(lockScript, [lock, log]);
	expect(readFileSync(log, 'utf8')).toBe('in out ');
});

test('a lock without a heartbeat is taken over, although its process ID belongs to a process', async () => {
	const [lock, log] = [join(folder, 'left'), join(folder, 'log')];
	writeFileSync(lock, String(process.pid));
	utimesSync(lock, Date.now() / 1000 - 120, Date.now() / 1000 - 120);
	await run(lockScript, [lock, log]);
	expect(readFileSync(log, 'utf8')).toBe('in out ');
});

test('each npm script names needs that exist, and a file that exists', () => {
	const known = ['install.mjs', 'programs.mjs']
		.map((file) => readFileSync(join(root, 'scripts', 'setup', file), 'utf8'))
		.join('');
	const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
	const commands = Object.values(scripts).flatMap((script: string) => [
		...script.matchAll(/^node scripts\/with\.mjs ?(.*) -- node (\S+)/g),
	]);
	expect(commands.length).toBeGreaterThan(10);
	for (const [, needs, file] of commands) {
		expect(needs.split(' ').filter((need) => need !== '' && !known.includes(`\t${need}: `))).toEqual([]);
		expect(existsSync(join(root, file))).toBe(true);
	}
});
