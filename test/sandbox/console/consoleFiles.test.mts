import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { type SandboxClient, startClient } from '../client.mts';

interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

const folder = join(root, 'sandbox', 'console', 'page');
const own = readdirSync(folder).filter((name) => name !== 'index.html');

describe('the files of the console', () => {
	let service: SandboxClient;

	beforeAll(async () => {
		service = await startClient();
	});

	afterAll(() => service.close());

	/** Sends a path as it is: no client cleans it up. */
	const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		new Promise<Answer>((resolve, reject) => {
			const { hostname, port } = new URL(service.url);
			request({ hostname, port, path, method, headers }, (response) => {
				const parts: Buffer[] = [];
				response.on('data', (part: Buffer) => parts.push(part));
				response.on('end', () =>
					resolve({
						status: response.statusCode ?? 0,
						headers: response.headers as Record<string, string>,
						body: Buffer.concat(parts),
					}),
				);
			})
				.on('error', reject)
				.end();
		});

	it.each([['/'], ...[...own, 'preact.js', 'dagre.js'].map((name) => [`/console/${name}`])])(
		'%s is served without a token, with a type and a strict policy',
		async (path) => {
			const { status, headers, body } = await get(path);
			expect(status).toBe(200);
			expect(body.length).toBeGreaterThan(100);
			expect(headers['content-type']).toMatch(/^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/);
			expect(headers['x-content-type-options']).toBe('nosniff');
			expect(headers['cache-control']).toBe('no-cache');
			const policy = headers['content-security-policy'] ?? '';
			expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
			expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
		},
	);

	it('import nothing that is not served, and come from nowhere else', async () => {
		for (const name of own.filter((file) => file.endsWith('.js'))) {
			const text = readFileSync(join(folder, name), 'utf8');
			for (const [, imported] of text.matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)) {
				expect({ name, imported }).toEqual({ name, imported: expect.stringMatching(/^\.\/\w+\.js$/) });
				expect((await get(`/console/${imported!.slice(2)}`)).status).toBe(200);
			}
		}
		const page = (await get('/')).body.toString();
		const used = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
		expect(used.length).toBeGreaterThan(3);
		for (const path of used) {
			expect((await get(path)).status).toBe(200);
		}
		expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
	});

	it('are sent again only after a change', async () => {
		const { headers } = await get('/console/app.js');
		const again = await get('/console/app.js', { 'If-None-Match': headers.etag! });
		expect([again.status, again.body.length]).toEqual([304, 0]);
		expect((await get('/console/app.js', { 'If-None-Match': '"other"' })).status).toBe(200);
	});

	it.each([
		'/console/',
		'/console/index.html',
		'/console/../server.mts',
		'/console/..%2fserver.mts',
		'/console/%2e%2e/consoleRoutes.mts',
		'/console/..\\consoleRoutes.mts',
		'/console//etc/passwd',
		'/console/app.js%00.css',
		'/console/app.mjs',
		'/page/app.js',
	])('are all that is served: %s is not', async (path) => {
		expect((await get(path, { Authorization: `Bearer ${service.token}` })).status).toBe(404);
	});

	it.each([
		['another website', { Origin: 'https://example.com' }],
		['a name that a website points to this machine', { Host: 'example.com' }],
	])('are not for %s', async (_who, headers) => {
		expect((await get('/', headers)).status).toBe(403);
		expect((await get('/console/app.js', headers)).status).toBe(403);
	});

	it('do not appear in the journal of requests, and count against no rate limit', async () => {
		const before = (await service.control('requests')).length;
		await get('/');
		await get('/console/app.js');
		expect((await service.control('requests')).length).toBe(before);
	});

	it('use no way to insert text as HTML', () => {
		for (const name of own) {
			const text = readFileSync(join(folder, name), 'utf8');
			expect({
				name,
				found: /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/.exec(text)?.[0],
			}).toEqual({
				name,
				found: undefined,
			});
		}
	});

	it('have the size that the documentation states', async () => {
		const sizes = await Promise.all(
			['/', ...[...own, 'preact.js', 'dagre.js'].map((name) => `/console/${name}`)].map(
				async (path) => [path, (await get(path)).body.length] as const,
			),
		);
		const sum = (some: (path: string) => boolean) =>
			sizes.filter(([path]) => some(path)).reduce((total, [, size]) => total + size, 0);
		const library = (path: string) => /preact|dagre/.test(path);
		const guide = readFileSync(join(root, 'docs', 'contributing', 'sandbox.md'), 'utf8');
		const stated = /own files are (\d+) KB, Preact with htm is (\d+) KB, and dagre[^.]*? is (\d+) KB/.exec(guide);
		const [ownKb, preact, dagre] = stated!.slice(1).map(Number);
		expect(Math.abs(sum((path) => !library(path)) / 1000 - ownKb!)).toBeLessThan(10);
		expect(Math.round(sum((path) => path.includes('preact')) / 1000)).toBe(preact);
		expect(Math.round(sum((path) => path.includes('dagre')) / 1000)).toBe(dagre);
	});
});
