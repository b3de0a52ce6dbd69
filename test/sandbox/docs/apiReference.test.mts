import { useService } from '../use.mts';

describe('the API reference at /docs', () => {
	const service = useService({ token: 'another-token', rateLimit: 0 });
	const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

	it('needs no token, counts against no limit, and loads nothing from elsewhere', async () => {
		const page = await get('/docs');
		expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
		const html = await page.text();
		expect(await (await get('/docs/')).text()).toBe(html);
		const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
		expect(loaded).toEqual(['data:,', '/docs/scalar.js', '/docs/start.js']);
		for (const path of ['/docs/scalar.js', '/docs/start.js']) {
			const script = await get(path);
			expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8']);
		}
	});

	it('lets the browser run no inline script and contact no other server', async () => {
		const policy = (await get('/docs')).headers.get('Content-Security-Policy') ?? '';
		const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ', 1)[0], rule]));
		const own = { 'script-src': "script-src 'self'", 'connect-src': "connect-src 'self'" };
		expect(rules).toMatchObject({ 'default-src': "default-src 'none'", ...own });
		expect(policy).not.toMatch(/https?:/);
	});

	it('shows /openapi.json, which has the address of this sandbox', async () => {
		expect(await (await get('/docs/start.js')).text()).toContain('"url":"/openapi.json"');
		const shown = await (await get('/openapi.json')).json();
		const { document } = globalThis.sandbox;
		expect(shown).toEqual({ ...document, servers: [{ url: service.url, description: 'The sandbox' }] });
	});

	it('fills in the token of this sandbox, which no page of another site can read', async () => {
		const script = await get('/docs/start.js');
		expect(await script.text()).toContain('"token":"another-token"');
		expect(script.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
		expect((await get('/docs/start.js', { Origin: 'https://example.com' })).status).toBe(403);
		expect((await get('/docs', { Origin: 'https://example.com' })).status).toBe(403);
	});
});
