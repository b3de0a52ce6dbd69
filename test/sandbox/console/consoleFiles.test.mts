import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { useService } from '../use.mts';

const folder = join(root, 'sandbox', 'console', 'page');
const own = readdirSync(folder).filter((name) => name !== 'index.html');
const served = ['/', ...[...own, 'preact.js', 'dagre.js'].map((name) => `/console/${name}`)];

describe('the files of the console', () => {
	const service = useService();

	/** Sends a path as it is: no client cleans it up. */
	const get = (path: string, headers: Record<string, string> = {}) =>
		new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
			const { hostname, port } = new URL(service.url);
			const asked = request({ hostname, port, path, headers }, async (response) => {
				const { statusCode: status = 0, headers: answered } = response;
				const text = Buffer.concat(await response.toArray()).toString('latin1');
				resolve({ status, headers: answered as Record<string, string>, text });
			});
			asked.on('error', reject).end();
		});

	it.each(served)('%s is served without a token, with a type and a strict policy', async (path) => {
		const { status, headers, text } = await get(path);
		expect([status, text.length > 100]).toEqual([200, true]);
		expect(headers).toMatchObject({
			'content-type': expect.stringMatching(/^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/),
			'x-content-type-options': 'nosniff',
			'cache-control': 'no-cache',
		});
		const policy = headers['content-security-policy'];
		expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
		expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
	});

	it('import nothing that is not served, come from nowhere else, and insert no text as HTML', async () => {
		for (const name of own) {
			const text = readFileSync(join(folder, name), 'utf8');
			for (const [, imported = ''] of text.matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)) {
				expect([name, imported, served.includes(imported.replace('./', '/console/'))]).toEqual([name, imported, true]);
			}
			const found = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/.exec(text)?.[0];
			expect([name, found]).toEqual([name, undefined]);
		}
		const page = (await get('/')).text;
		const used = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
		expect(used.length).toBeGreaterThan(3);
		expect(used.filter((path) => !served.includes(path))).toEqual([]);
		expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
	});

	it('are sent again only after a change, stand in no journal, and count against no rate limit', async () => {
		const { headers } = await get('/console/app.js');
		const again = await get('/console/app.js', { 'If-None-Match': headers.etag! });
		expect([again.status, again.text]).toEqual([304, '']);
		expect((await get('/console/app.js', { 'If-None-Match': '"other"' })).status).toBe(200);
		expect([await service.control('requests'), headers['x-ratelimit-limit']]).toEqual([[], undefined]);
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
});
