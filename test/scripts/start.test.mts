import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { readKept, writeKept } from '../../scripts/lib/kept.mts';
import { onFreePorts, until } from '../../scripts/lib/process.mts';

const root = join(__dirname, '..', '..');
const scripts = pathToFileURL(join(root, 'scripts')).href;
const running: ChildProcess[] = [];
let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'start with blanks '));
});
afterEach(() => {
	for (const child of running.splice(0)) {
		child.kill('SIGKILL');
	}
	rmSync(folder, { recursive: true, force: true });
});

/** The home folder of the processes is the test's. */
const env = () => ({ ...process.env, HOME: folder, USERPROFILE: folder });

function start(args: string[], more: NodeJS.ProcessEnv = {}) {
	return spawnSync(process.execPath, [join(root, 'scripts', 'start.mjs'), ...args], {
		encoding: 'utf8',
		env: { ...env(), ...more },
		// Of one that starts all the same.
		timeout: 60_000,
	});
}

/** Starts a piece of script that may import from scripts/. */
function run(name: string, script: string): { child: ChildProcess; line(): Promise<string> } {
	const file = join(folder, `${name}.mts`);
	writeFileSync(file, script.replaceAll('scripts:', `${scripts}/`));
	const child = spawn(process.execPath, [file], { env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
	running.push(child);
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
	const otherwise = () => new Error(`${name} has written nothing`);
	return { child, line: () => until(async () => /^(.*)\n/.exec(output)?.[1], { seconds: 30, otherwise }) };
}

async function killed(child: ChildProcess): Promise<void> {
	const exit = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGKILL');
	await exit;
}

test.each([
	['an option that does not exist', ['--kepp'], {}, "unknown option '--kepp'"],
	['a word that is no option', ['keep'], {}, "unexpected argument 'keep'"],
	['a value for an option that has none', ['--keep=yes'], {}, "option '--keep' does not take an argument"],
	['--reset alone', ['--reset'], {}, 'npm start -- --keep --reset'],
	['an option that npm has taken for itself', [], { npm_config_keep: 'true' }, 'write npm start -- --keep'],
])('%s is refused in one line that lists the options, before anything starts', (_what, args, more, said) => {
	const { status, stdout, stderr } = start(args, more);
	expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(said)]);
	expect(stderr).toContain('Options: --keep, --reset, --once, --help.');
	expect({ status, stdout, home: readdirSync(folder) }).toEqual({ status: 2, stdout: '', home: [] });
});

test('a process ends in an orderly way when the one that started it is killed', async () => {
	const saved = join(folder, 'saved');
	writeFileSync(
		join(folder, 'child.mjs'),
		`import { writeFileSync } from 'node:fs';
		process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(saved)}, ''); process.exit(); });
		setInterval(() => {}, 1000);
		console.log(process.pid);`,
	);
	const log = join(folder, 'child.log');
	const { child, line } = run(
		'parent',
		`import { startProcess } from 'scripts:lib/process.mts';
		const cwd = ${JSON.stringify(folder)};
		startProcess({ name: 'child', args: ['child.mjs'], cwd, env: process.env, logFile: ${JSON.stringify(log)} });
		console.log('started');`,
	);
	await line();
	const pid = await until(async () => Number(existsSync(log) && readFileSync(log, 'utf8')) || undefined, {
		seconds: 30,
		otherwise: () => new Error('The child did not start'),
	});
	await killed(child);
	const isOver = async () => {
		try {
			process.kill(pid, 0);
			return undefined;
		} catch {
			return true;
		}
	};
	await until(isOver, { seconds: 10, otherwise: () => new Error('The child runs on') });
	expect(existsSync(saved)).toBe(true);
});

test('one start at a time has the kept folder, and a killed one does not hold it', async () => {
	const [kept, mark] = [join(folder, 'kept'), join(folder, 'kept.running')];
	const claim = (name: string) =>
		run(
			name,
			`import { claimKeptFolder } from 'scripts:lib/quickStart.mts';
			console.log(await claimKeptFolder(${JSON.stringify(kept)}));
			setInterval(() => {}, 1000);`,
		);
	writeFileSync(mark, '999999999');
	const claims = ['first', 'second', 'third'].map(claim);
	const results = await Promise.all(claims.map(({ line }) => line()));
	expect(results.sort()).toEqual(['false', 'false', 'true']);
	const owner = claims.find(({ child }) => child.pid === Number.parseInt(readFileSync(mark, 'utf8'), 10))!;
	await killed(owner.child);
	expect(await claim('fourth').line()).toBe('true');
}, 60_000);

test('what was kept is read as it was written, by its owner only; a broken file is named with the way out', () => {
	expect(readKept(folder)).toBeUndefined();
	const owner = { email: 'ada@example.com', password: 'Local-1', firstName: 'Ada', lastName: 'Owner' };
	const kept = { n8nPort: 5778, sandboxPort: 4110, owner };
	writeKept(folder, kept);
	expect(readKept(folder)).toEqual(kept);
	expect(statSync(join(folder, 'kept.json')).mode & 0o077).toBe(0);
	for (const broken of ['', '{', '[]', '{"n8nPort": "5778"}']) {
		writeFileSync(join(folder, 'kept.json'), broken);
		expect(() => readKept(folder)).toThrow(/kept\.json is broken: npm start -- --keep --reset starts over/);
	}
});

test('a server starts on other ports if another program takes one of its ports first, and fails for other reasons', async () => {
	const others: Server[] = [];
	const tried: number[][] = [];
	const start = async (...ports: number[]) => {
		tried.push(ports);
		if (others.length > 0) {
			return 'started';
		}
		others.push(createServer().listen(ports[1], '127.0.0.1'));
		await once(others[0], 'listening');
		throw new Error('Taken');
	};
	try {
		expect(await onFreePorts(39_200, 2, start)).toBe('started');
		expect(Math.min(...tried[1])).toBeGreaterThan(Math.max(...tried[0]));
	} finally {
		others.forEach((other) => other.close());
	}
	await expect(onFreePorts(39_300, 1, () => Promise.reject(new Error('Broken')))).rejects.toThrow('Broken');
});
