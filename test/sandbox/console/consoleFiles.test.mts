import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { useService } from '../use.mts';

const folder = join(root, 'sandbox', 'console', 'page');
const own = readdirSync(folder).filter((name) => name !== 'index.html');
const served = ['/', ...[...own, 'preact.js'].map((name) => `/console/${name}`)];
const others = ['', 'index.html', '../server.mts', '..%2fserver.mts', '%2e%2e/consoleRoutes.mts', 'app.js%00.css'];
const service = useService();

/** Sends a path unchanged, without normalizing it as HTTP clients do. */
async function get(path: string, headers: Record<string, string> = {}) {
	const { hostname, port } = new URL(service.url);
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		request({ hostname, port, path, headers }, resolve).on('error', reject).end();
	});
	return {
		statusCode: response.statusCode,
		headers: response.headers,
		text: Buffer.concat(await response.toArray()).toString('latin1'),
	};
}

test.each(served)('%s is served without a token, with a type and a strict policy', async (path) => {
	const { statusCode, headers, text } = await get(path);
	expect([statusCode, text.length > 100]).toEqual([200, true]);
	expect(headers['content-type']).toMatch(/^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/);
	expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
	expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
	expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*|data:/);
});

test.each(own)('%s imports nothing that is not served, and inserts no text as HTML', (name) => {
	const text = readFileSync(join(folder, name), 'utf8');
	const imported = [...text.matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)].map(([, path = '']) => path);
	expect(imported.filter((path) => !served.includes(path.replace('./', '/console/')))).toEqual([]);
	expect(text).not.toMatch(/[Ii]nnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
});

test('the page uses nothing that is not served, and has no script or style of its own', async () => {
	const { text } = await get('/');
	const used = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
	expect([used.length > 2, used.filter((path) => !served.includes(path))]).toEqual([true, []]);
	expect(text).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
});

test('the files are sent again only after a change, stand in no journal, and count against no rate limit', async () => {
	const { headers } = await get('/console/app.js');
	expect(await get('/console/app.js', { 'If-None-Match': headers.etag! })).toMatchObject({ statusCode: 304, text: '' });
	expect((await get('/console/app.js', { 'If-None-Match': '"other"' })).statusCode).toBe(200);
	expect([await service.control('requests'), headers['x-ratelimit-limit']]).toEqual([[], undefined]);
});

test.each([...others.map((name) => `/console/${name}`), '/console/..\\consoleRoutes.mts', '/console//etc/passwd'])(
	'%s is not served',
	async (path) => expect((await get(path, { Authorization: `Bearer ${service.token}` })).statusCode).toBe(404),
);
