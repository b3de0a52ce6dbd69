import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { ResponseValue } from '../../sandbox/openApi/play.mts';
import type { Seed } from '../../sandbox/seed/index.mts';
import { oldNode } from '../../scripts/lib/oldVersions.mts';
import { npmProgram, root } from '../../scripts/lib/places.mts';
import { comes } from './eventually.mts';

const run = promisify(execFile);
const NAME = 'voice-agent-calling-sandbox';

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
const text = (path: string) => readFileSync(join(unpacked, path), 'utf8');
const json = (content: string) => JSON.parse(content) as Record<string, unknown>;

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
	it('has the compiled sandbox, the files of its pages, its documentation and its license, and nothing else', () => {
		const sources = filesIn(join(root, 'sandbox'), (path) => !path.startsWith('node_modules') && /\.mts$/.test(path));
		expect(sources.length).toBeGreaterThan(100);
		expect(filesIn(unpacked)).toEqual(
			[
				'LICENSE',
				'README.md',
				'package.json',
				'docs/openapi.json',
				...['assumptions', 'contract', 'sandbox'].map((page) => `docs/contributing/${page}.md`),
				...sources.map((path) => `sandbox/${path.replace(/\.mts$/, '.mjs')}`),
				...filesIn(join(root, 'sandbox', 'console', 'page')).map((path) => `sandbox/console/page/${path}`),
			].sort(),
		);
		expect(statSync(tarball).size).toBeLessThan(330_000);
	});

	it('names no folder of the machine that packed it and no file that it does not have', () => {
		for (const path of filesIn(unpacked)) {
			const content = text(path);
			const isForeign = content.includes(root) || /sourceMappingURL|'[^'\n]+\.mts'/.test(content);
			const links = path.endsWith('.md') ? [...content.matchAll(/\]\((?!https?:|#)([^)#]+)/g)] : [];
			const missing = links.filter(([, link]) => !existsSync(join(unpacked, dirname(path), link!)));
			expect([path, isForeign, missing.map(([, link]) => link)]).toEqual([path, false, []]);
		}
		expect(json(text('package.json'))).toMatchObject({ name: NAME, bin: { [NAME]: 'sandbox/main.mjs' } });
		expect(json(text('package.json'))).not.toHaveProperty('private');
	});
});

/** Starts the program as npm links it, which takes its Node.js from the path. */
function start(program: string, ...args: string[]) {
	const env = { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) };
	const child = spawn(join(home, 'node_modules', '.bin', NAME), args, { cwd: home, env });
	const output = { stdout: '', stderr: '' };
	for (const stream of ['stdout', 'stderr'] as const) {
		child[stream].on('data', (chunk) => (output[stream] += String(chunk)));
	}
	return { child, output, ended: once(child, 'close') };
}

/** The only process of a test that runs on. */
let sandbox: ReturnType<typeof start> | undefined;

afterEach(async () => {
	sandbox?.child.kill('SIGKILL');
	await sandbox?.ended;
	sandbox = undefined;
});

/** Starts a sandbox; gives its address and a way to send it requests. */
async function started(program: string, ...args: string[]) {
	const own = start(program, '--port', '0', ...args);
	sandbox = own;
	await comes(async () => own.output.stdout.endsWith('\n'), 'the address of the sandbox');
	const { url, token, seed } = json(own.output.stdout) as unknown as { url: string; token: string; seed: Seed };
	const send = async (method: string, path: string, body?: unknown) => {
		const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
		const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
		return { status: response.status, data: (await response.json()) as ResponseValue };
	};
	return { ...own, url, seed, send };
}

/** The operations of an OpenAPI document with an example of what they answer, or with a file. */
function operationsWithExamples({ paths }: Record<string, unknown>): string[] {
	return Object.entries(paths as Record<string, Record<string, { responses: object }>>).flatMap(([path, methods]) =>
		Object.entries(methods)
			.filter(([, { responses }]) => /"(examples?"|audio\/mpeg")/.test(JSON.stringify(Object.values(responses)[0])))
			.map(([method]) => `${method} ${path}`),
	);
}

describe('the package, installed in an empty folder', () => {
	/** The oldest Node.js for which the package is made. */
	const oldest = oldNode(20);

	it.each([
		['20', oldest],
		['24', process.execPath],
	])(
		'says its version on Node.js %s, completes a call when the clock has moved on, and ends with 0',
		async (major, program) => {
			expect((await run(program, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`));
			const printed = start(program, '--version');
			await printed.ended;
			expect(printed.output.stdout).toBe(`${String(json(text('package.json')).version)}\n`);
			const { send, seed, url, ended, child, output } = await started(program, '--speed', '0');
			expect((await fetch(`${url}/api/v1/agents`)).status).toBe(401);
			const called = await send('POST', `/api/v1/agents/${seed.agents.published}/call`, { to: '+12025550001' });
			expect(called.status).toBe(200);
			await send('POST', '/_sandbox/advance', { seconds: 60 });
			expect((await send('GET', `/_sandbox/calls/${called.data.data.id}`)).data).toMatchObject({ status: 'completed' });
			child.kill('SIGTERM');
			expect(await ended).toEqual([0, null]);
			expect(output.stderr).toBe('');
		},
	);

	it('serves the files of the console, and the API reference with its document, which is packed as a file too', async () => {
		const { url, output } = await started(oldest);
		const own = filesIn(join(unpacked, 'sandbox', 'console', 'page'), (path) => path !== 'index.html');
		const files = [...own, 'preact.js'].map((name) => `/console/${name}`);
		for (const path of ['/', '/docs', '/docs/scalar.js', ...files]) {
			const response = await fetch(url + path);
			expect([path, response.status, (await response.text()).length > 20]).toEqual([path, 200, true]);
		}
		const served = json(await (await fetch(`${url}/openapi.json`)).text());
		// Every operation has answered with success, or the document would lack its example.
		expect(operationsWithExamples(served).length).toBeGreaterThanOrEqual(99);
		expect(operationsWithExamples(json(text('docs/openapi.json')))).toEqual(operationsWithExamples(served));
		expect(output.stderr).toBe('');
	});
});
