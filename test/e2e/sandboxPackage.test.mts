import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Route } from '../../sandbox/http/route.mts';
import type { Seed } from '../../sandbox/seed/index.mts';
import { oldNode } from '../../scripts/lib/oldVersions.mts';
import { npmProgram, root } from '../../scripts/lib/places.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { exchangeWith, startReceiver } from '../docs/openApi/recording.mts';
import { type Answer, type Given, tour } from '../docs/openApi/tour.mts';

const run = promisify(execFile);
const NAME = 'voice-agent-calling-sandbox';

/** The Node.js that runs the tests, and the oldest one for which the package is made. */
const PROGRAMS = {
	24: process.execPath,
	20: oldNode(20),
};

/** The paths of all files below a folder. */
const filesIn = (folder: string, filter: (path: string) => boolean = () => true) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => filter(path) && statSync(join(folder, path)).isFile())
		.sort();

let folder: string;
let tarball: string;
/** The unpacked tarball. */
let unpacked: string;
/** The folder in which the package is installed, and nothing else. */
let home: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox package '));
	const { stdout } = await run(process.execPath, [join(root, 'scripts', 'packSandbox.mts'), folder]);
	tarball = stdout.trim().split('\n').at(-1)!;
	home = join(folder, 'home');
	mkdirSync(home);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = join(folder, 'package');
	const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
	await run(process.execPath, [npmProgram(), ...install], { cwd: home });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the tarball of the sandbox's package", () => {
	const text = (path: string) => readFileSync(join(unpacked, path), 'utf8');

	it('has the compiled sandbox, the files of its pages, its documentation and its license, and nothing else', () => {
		const sources = filesIn(join(root, 'sandbox'), (path) => !path.startsWith('node_modules') && /\.mts$/.test(path));
		const pages = filesIn(join(root, 'sandbox', 'console', 'page'));
		expect(sources.length).toBeGreaterThan(100);
		expect(filesIn(unpacked)).toEqual(
			[
				'LICENSE',
				'README.md',
				'package.json',
				'docs/contributing/assumptions.md',
				'docs/contributing/contract.md',
				'docs/openapi.json',
				'docs/contributing/sandbox.md',
				...sources.map((path) => `sandbox/${path.replace(/\.mts$/, '.mjs')}`),
				...pages.map((path) => `sandbox/console/page/${path}`),
			].sort(),
		);
		expect(statSync(tarball).size).toBeLessThan(325_000);
	});

	it('names no folder of the machine that packed it and no file that it does not have', () => {
		for (const path of filesIn(unpacked)) {
			const content = text(path);
			expect([path, content.includes(root), /sourceMappingURL|'[^'\n]+\.mts'/.test(content)]).toEqual([
				path,
				false,
				false,
			]);
			const links = path.endsWith('.md') ? [...content.matchAll(/\]\((?!https?:|#)([^)#]+)/g)] : [];
			const missing = links.filter(([, link]) => !existsSync(join(unpacked, dirname(path), link!)));
			expect([path, missing.map(([, link]) => link)]).toEqual([path, []]);
		}
	});

	it('can be published, and needs each package that it imports and no other', () => {
		const manifest = JSON.parse(text('package.json')) as Record<string, unknown> & { dependencies: object };
		const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
		expect(manifest).toMatchObject({ name: NAME, version, license, bin: { [NAME]: 'sandbox/main.mjs' } });
		expect(Object.keys(manifest)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(private|devDependencies|overrides|scripts)$/)]),
		);
		const code = filesIn(unpacked, (path) => path.endsWith('.mjs')).map(text);
		const imported = code.flatMap((module) =>
			[...module.matchAll(/(?:from|resolve\(|\.js':|: )\s*'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]*)?'/g)].map(
				([, name]) => name!,
			),
		);
		const needed = Object.keys(manifest.dependencies);
		expect(needed.filter((name) => !imported.includes(name))).toEqual([]);
	});
});

describe.each(Object.entries(PROGRAMS))(
	'the package, installed in an empty folder, on Node.js %s',
	(major, program) => {
		/** The program as npm links it, which takes its Node.js from the path. */
		const start = (...args: string[]) => {
			const env = { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) };
			return spawn(join(home, 'node_modules', '.bin', NAME), args, { cwd: home, env });
		};
		const started = async (...args: string[]) => {
			const child = start('--port', '0', ...args);
			const ended = once(child, 'close');
			let stderr = '';
			child.stderr.on('data', (chunk) => (stderr += String(chunk)));
			let stdout = '';
			const line = new Promise<string>((resolve, reject) => {
				child.stdout.on('data', (chunk) => {
					stdout += String(chunk);
					if (stdout.endsWith('\n')) {
						resolve(stdout);
					}
				});
				child.on('close', () => reject(new Error(`ended: ${stderr}`)));
			});
			const { url, token, seed } = JSON.parse(await line) as { url: string; token: string; seed: Seed };
			/** Sends a request. @returns status and parsed body */
			const send = async (method: string, path: string, body?: unknown) => {
				const response = await fetch(url + path, {
					method,
					headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
					...(body ? { body: JSON.stringify(body) } : {}),
				});
				return { status: response.status, data: (await response.json()) as Answer };
			};
			return { child, ended, url, seed, send, stderr: () => stderr };
		};
		/** The only process of a test that runs on. */
		let sandbox: Awaited<ReturnType<typeof started>> | undefined;
		afterEach(async () => {
			sandbox?.child.kill('SIGKILL');
			await sandbox?.ended;
			sandbox = undefined;
		});

		it('says how to use it, and its version', async () => {
			const { stdout: nodeVersion } = await run(program, ['--version']);
			expect(nodeVersion).toMatch(new RegExp(`^v${major}\\.`));
			const printed = async (option: string) => {
				const child = start(option);
				let stdout = '';
				child.stdout.on('data', (chunk) => (stdout += String(chunk)));
				expect(await once(child, 'close')).toEqual([0, null]);
				return stdout;
			};
			const { version } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as { version: string };
			expect(await printed('--version')).toBe(`${version}\n`);
			expect(await printed('--help')).toContain(`Usage: ${NAME} [options]`);
		});

		it('places a call that is completed when the clock has moved on, and ends with 0', async () => {
			sandbox = await started('--speed', '0');
			const { send, seed, url, ended, child, stderr } = sandbox;
			expect(await send('GET', '/api/v1/health')).toEqual({ status: 200, data: { status: 'ok' } });
			expect((await fetch(`${url}/api/v1/agents`)).status).toBe(401);
			expect((await send('GET', '/api/v1/agents')).data.data.length).toBeGreaterThan(0);
			const { status, data } = await send('POST', `/api/v1/agents/${seed.agents.published}/call`, {
				to: '+12025550001',
			});
			expect(status).toBe(200);
			const path = `/_sandbox/calls/${data.data.id}`;
			expect((await send('GET', path)).data).toMatchObject({ status: 'initiated' });
			await send('POST', '/_sandbox/advance', { seconds: 60 });
			expect((await send('GET', path)).data).toMatchObject({ status: 'completed', duration: 30 });
			child.kill('SIGTERM');
			expect(await ended).toEqual([0, null]);
			expect(stderr()).toBe('');
		});

		it('answers every operation with success', async () => {
			const document = readFileSync(join(unpacked, 'docs', 'openapi.json'), 'utf8');
			const { paths } = JSON.parse(document) as { paths: Record<string, object> };
			/** The operations by the names that the tour has for them. */
			const operations = new Map(
				Object.entries(paths).flatMap(([documented, methods]) => {
					const path = documented.replaceAll(/\{(\w+)\}/g, ':$1');
					return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
						.filter((method) => Object.hasOwn(methods, method.toLowerCase()))
						.map((method): [string, Route] => [`${method} ${path.replace('/api/v1', '')}`, { method, path } as Route]);
				}),
			);
			expect(operations.size).toBeGreaterThan(80);
			sandbox = await started('--speed', '0');
			const { send, seed, stderr, url } = sandbox;
			const receiver = await startReceiver();
			const used = new Set<string>();
			const guide = {
				seed,
				receiver: receiver.url,
				advance: async (seconds: number) => {
					await send('POST', '/_sandbox/advance', { seconds });
				},
				async send(name: string, given: Given = {}) {
					used.add(name);
					const { status, answer } = await exchangeWith(url, operations.get(name)!, given);
					expect([name, status < 300 ? '' : answer]).toEqual([name, '']);
					return answer as Answer;
				},
			};
			try {
				await tour(guide);
			} finally {
				await receiver.close();
			}
			expect([...operations.keys()].filter((name) => !used.has(name))).toEqual([]);
			expect(stderr()).toBe('');
		});

		it('serves the console with every file that it asks for, and the API reference with its document', async () => {
			sandbox = await started();
			const { url } = sandbox;
			const seen = new Set<string>();
			const visit = async (address: string): Promise<void> => {
				const { pathname } = new URL(address, url);
				if (seen.has(pathname)) {
					return;
				}
				seen.add(pathname);
				const response = await fetch(url + pathname);
				const content = await response.text();
				expect([pathname, response.status, content.length > 20]).toEqual([pathname, 200, true]);
				const asked = pathname.endsWith('scalar.js')
					? []
					: content.matchAll(/(?:(?:src|href)="|(?:from|import)\s*\(?\s*['"])([^"']+\.(?:js|css|svg))["']/g);
				for (const [, file] of asked) {
					await visit(new URL(file!, url + pathname).href);
				}
			};
			await visit('/');
			const own = filesIn(join(unpacked, 'sandbox', 'console', 'page'), (path) => path !== 'index.html');
			expect([...seen].sort()).toEqual(
				['/', ...[...own, 'dagre.js', 'preact.js'].map((name) => `/console/${name}`)].sort(),
			);
			await visit('/docs');
			expect(seen).toContain('/docs/scalar.js');
			expect(await (await fetch(`${url}/docs/openapi.json`)).json()).toEqual({
				...(JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as object),
				servers: [{ url, description: 'The sandbox' }],
			});
		});

		it('keeps its data in a file, also when it is killed', async () => {
			const stateFile = join(folder, `state-${major}.json`);
			sandbox = await started('--speed', '0', '--state', stateFile);
			await sandbox.send('POST', '/_sandbox/credits', { credits: 3 });
			await until(async () => existsSync(stateFile) || undefined, {
				...{ seconds: 30, every: 20, otherwise: () => new Error('nothing was saved') },
			});
			const second = start('--port', '0', '--state', stateFile);
			expect(await once(second, 'close')).toEqual([2, null]);
			sandbox.child.kill('SIGKILL');
			await sandbox.ended;
			sandbox = await started('--speed', '0', '--state', stateFile);
			expect((await sandbox.send('GET', '/_sandbox/status')).data).toMatchObject({ credits: 3 });
		});
	},
);
