import { gzipSync } from 'node:zlib';

import { routes } from '../../../sandbox/resources/index.mts';
import { asList } from '../client.mts';
import { useService } from '../use.mts';

const service = useService();
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) =>
	fetch(service.url + path, { method, headers: { Authorization: 'Bearer TOKEN', ...headers }, body });
const lastRequest = async () => asList(await service.control('requests')).at(-1);

describe('what tools for HTTP rely on', () => {
	it('HEAD responds like GET, without the body: it needs a token, and a read-only one suffices', async () => {
		const paths = ['agents', 'agents/unknown', 'voice-demos/x.mp3'].map((path) => `/api/v1/${path}`);
		const others = ['/nothing', '/_sandbox/health', '/_sandbox/nothing', '/docs', '/openapi.json', '/'];
		for (const path of [...paths, ...others]) {
			const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
			const shown = ({ status, headers }: Response) => [
				status,
				...['content-type', 'content-length', 'x-ratelimit-limit'].map((name) => headers.get(name)),
			];
			expect([path, ...shown(head), await head.text()]).toEqual([path, ...shown(get), '']);
		}
		expect((await fetch(`${service.url}/api/v1/agents`, { method: 'HEAD' })).status).toBe(401);
		expect((await ask('HEAD', '/api/v1/agents', { Authorization: 'Bearer TOKEN-readonly' })).status).toBe(200);
		expect(await (await ask('HEAD', '/_sandbox/events')).text()).toBe('');
	});

	it('the health checks need no token', async () => {
		for (const path of ['/_sandbox/health', '/api/v1/health']) {
			const response = await fetch(service.url + path, { headers: { Authorization: 'Bearer wrong' } });
			expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
		}
	});

	it('a 405 names in Allow the methods that the path has, and an unknown path is a 404', async () => {
		for (const path of new Set(routes.map((route) => route.path))) {
			const own = routes.filter((route) => route.path === path).map(({ method }) => method as string);
			const expected = own.includes('GET') ? [...own, 'HEAD'] : own;
			const response = await ask('OPTIONS', path.replace(/:\w+/g, 'x'));
			const allowed = response.headers.get('allow')?.split(', ') ?? [];
			expect([path, response.status, allowed.sort()]).toEqual([path, 405, expected.sort()]);
		}
		const unknown = await ask('OPTIONS', '/api/v1/nothing-here');
		expect([unknown.status, await unknown.json()]).toEqual([404, { success: false, message: expect.any(String) }]);
	});

	it('a 401 says that it wants a bearer token; other forms of the header are no token', async () => {
		const wrong = ['', 'Basic VE9LRU4=', 'TOKEN', 'Bearer', 'Bearer TOKEN and more', 'BearerTOKEN', 'Bearer token'];
		for (const authorization of ['Bearer TOKEN-expired', ...wrong]) {
			for (const path of ['/api/v1/agents', '/api/v1/calendars', '/nothing']) {
				const response = await ask('GET', path, { Authorization: authorization });
				const challenge = response.headers.get('www-authenticate');
				expect([authorization, path, response.status, challenge]).toEqual([authorization, path, 401, 'Bearer']);
			}
		}
		expect((await service.api('POST', '/campaigns/unknown/call', '{broken', 'wrong')).status).toBe(401);
	});

	it.each<[what: string, headers: Record<string, string>, body: string | Buffer]>([
		['compressed', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync('{}')],
		['in another charset', { 'Content-Type': 'application/json; charset=utf-16' }, Buffer.from('{}', 'utf16le')],
		['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'to=%2B12025550001'],
		['text', { 'Content-Type': 'text/plain;charset=UTF-8' }, '{}'],
	])(
		'a body that is %s is refused with 415 in the format of its route, and stands in the journal',
		async (...given) => {
			const [, headers, body] = given;
			const call = `/api/v1/agents/${service.seed.agents.published}/call`;
			const response = await ask('POST', call, headers, body);
			const { error } = (await response.json()) as { error: { code: string } };
			expect([response.status, error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
			expect(await lastRequest()).toMatchObject({ path: call, status: 415 });
			expect(await (await ask('POST', '/api/v1/campaigns', headers, body)).json()).toMatchObject({ success: false });
		},
	);

	it('control routes take JSON with any content type, as fetch and curl send it, but not compressed', async () => {
		const text = '{"seconds": 1}';
		expect((await ask('POST', '/_sandbox/advance', { 'Content-Type': 'text/plain' }, text)).status).toBe(200);
		expect((await ask('POST', '/_sandbox/advance', { 'Content-Encoding': 'gzip' }, gzipSync(text))).status).toBe(415);
	});
});
