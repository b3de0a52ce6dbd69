import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
	// A file of its own: another run may read its file now.
	const file = join(folder, `${randomUUID()}.mjs`);
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

test('a folder counts as installed once npm has listed there what the lock file asks for on this platform', async () => {
	const { status, output } = await run(
		`
import { mkdirSync, writeFileSync } from 'node:fs';
import { isInstalled } from 'setup:places.mjs';
const [folder] = process.argv.slice(2);
const write = (file, packages) => writeFileSync(folder + '/' + file, JSON.stringify({ packages }));
const { platform: os, arch: cpu } = process;
const [here, there] = [{ version: '2.0.0', optional: true, os: [os], cpu: [cpu] }, { optional: true, os: ['none'] }];
const [tool, library] = [{ version: '3.0.0', dev: true }, { version: '1.0.0' }];
const paths = (...entries) => Object.fromEntries(entries.map(([name, entry]) => ['node_modules/' + name, entry]));
write('package-lock.json', { '': {}, ...paths(['library', library], ['here', here], ['there', there], ['tool', tool]) });
const answers = [];
const look = (only) => answers.push(isInstalled(folder, folder, only));
look();
mkdirSync(folder + '/node_modules');
const install = (...entries) => write('node_modules/.package-lock.json', paths(...entries));
install(['library', library], ['here', here], ['tool', tool]);
look();
install(['library', { version: '1.0.1' }], ['here', here], ['tool', tool]);
look();
install(['library', library], ['tool', tool]);
look();
install(['library', library], ['here', here]);
look();
look(({ dev }) => !dev);
console.log(JSON.stringify(answers));
`,
		[folder],
	);
	expect({ status, output: output.trim() }).toEqual({ status: 0, output: '[false,true,false,false,false,true]' });
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

test('an unknown need is refused before anything is installed, with the names of those that exist', async () => {
	const { status, output } = await finish([join(root, 'scripts', 'with.mjs'), 'dance', '--', 'node', 'file.mts']);
	expect(status).toBe(1);
	expect(output).toMatch(/^There is no need "dance"\. Needs: project, sandbox, /);
});

test('each npm script names needs that exist, and a file that exists', () => {
	const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const commands = Object.values(scripts).filter((script) => script.includes('with.mjs'));
	expect(commands.length).toBeGreaterThan(10);
	for (const command of commands) {
		const [, needs, file] = /^node scripts\/with\.mjs ?(.*) -- node (\S+)/.exec(command) ?? [];
		const known = readFileSync(join(root, 'scripts', 'setup', 'needs.mjs'), 'utf8');
		const unknown = (needs ?? '').split(' ').filter((need) => need !== '' && !known.includes(`\t${need}: `));
		expect({ command, unknown, exists: existsSync(join(root, file ?? '')) }).toEqual({
			command,
			unknown: [],
			exists: true,
		});
	}
});
