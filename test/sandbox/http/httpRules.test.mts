import { gzipSync } from 'node:zlib';

import { routes } from '../../../sandbox/resources/index.mts';
import { asList, type SandboxClient, startClient } from '../client.mts';

describe('what tools for HTTP rely on', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient({ speed: 0 });
	});
	afterAll(() => service.close());

	const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) =>
		fetch(service.url + path, { method, headers: { Authorization: 'Bearer TOKEN', ...headers }, body });

	it.each([
		'/api/v1/agents',
		'/api/v1/agents/unknown',
		'/api/v1/voice-demos/x.mp3',
		'/nothing',
		'/_sandbox/health',
		'/_sandbox/nothing',
		'/docs',
		'/docs/openapi.json',
		'/',
	])('HEAD of %s answers as GET does, without the body', async (path) => {
		const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
		const shown = ({ status, headers }: Response) => [
			status,
			...['content-type', 'content-length', 'x-ratelimit-limit'].map((name) => headers.get(name)),
		];
		expect(shown(head)).toEqual(shown(get));
		expect(await head.text()).toBe('');
	});

	it('HEAD is a read: it needs a token, a read-only one suffices, and the stream of changes ends at once', async () => {
		expect((await fetch(`${service.url}/api/v1/agents`, { method: 'HEAD' })).status).toBe(401);
		expect((await ask('HEAD', '/api/v1/agents', { Authorization: 'Bearer TOKEN-readonly' })).status).toBe(200);
		expect(await (await ask('HEAD', '/_sandbox/events')).text()).toBe('');
	});

	it('/_sandbox/health says that the sandbox has started, without a token', async () => {
		const response = await fetch(`${service.url}/_sandbox/health`);
		expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
	});

	it('a 405 names in Allow the methods that the path has', async () => {
		const paths = [...new Set(routes.map(({ path }) => path))];
		for (const path of paths) {
			const own = routes.filter((route) => route.path === path).map(({ method }) => method as string);
			const expected = own.includes('GET') ? [...own, 'HEAD'] : own;
			const response = await ask('OPTIONS', path.replace(/:\w+/g, 'x'));
			const allowed = response.headers.get('allow')?.split(', ') ?? [];
			expect([path, response.status, allowed.sort()]).toEqual([path, 405, expected.sort()]);
		}
	});

	it('a 401 says that it wants a bearer token', async () => {
		for (const authorization of ['', 'Bearer TOKEN-expired', 'Bearer wrong', 'Basic eDp5']) {
			for (const path of ['/api/v1/agents', '/api/v1/calendars', '/nothing']) {
				const response = await ask('GET', path, { Authorization: authorization });
				expect([path, response.status, response.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
			}
		}
	});

	it.each<[what: string, headers: Record<string, string>, body: string | Buffer]>([
		['compressed', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, gzipSync('{}')],
		['in another charset', { 'Content-Type': 'application/json; charset=utf-16' }, Buffer.from('{}', 'utf16le')],
		['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'to=%2B12025550001'],
		['text', { 'Content-Type': 'text/plain;charset=UTF-8' }, '{}'],
	])(
		'a body that is %s is refused with 415 in the format of its route, and stands in the journal',
		async (...given) => {
			const [, headers, body] = given;
			const message = 'The body has to be JSON in UTF-8, not compressed. Send Content-Type: application/json.';
			const call = `/api/v1/agents/${service.seed.agents.published}/call`;
			const response = await ask('POST', call, headers, body);
			expect([response.status, await response.json()]).toEqual([
				415,
				{ error: { code: 'UNSUPPORTED_MEDIA_TYPE', message } },
			]);
			expect(asList(await service.control('requests')).at(-1)).toMatchObject({ path: call, status: 415 });
			expect(await (await ask('POST', '/api/v1/campaigns', headers, body)).json()).toEqual({ success: false, message });
		},
	);

	it.each(['application/json', 'application/json; charset="UTF-8"', 'application/vnd.api+json', 'Application/JSON'])(
		'a body is read with the content type %s',
		async (type) => {
			const path = `/api/v1/agents/${service.seed.agents.published}/flow/validate`;
			const response = await ask('POST', path, { 'Content-Type': type, 'Content-Encoding': 'identity' }, '{');
			expect([response.status, await response.json()]).toMatchObject([
				400,
				{ message: 'The request body is not valid JSON.' },
			]);
		},
	);

	it('control routes take JSON with any content type, as fetch and curl send it, but not compressed', async () => {
		const advance = (headers: Record<string, string>, body: string | Buffer) =>
			ask('POST', '/_sandbox/advance', headers, body);
		expect((await advance({ 'Content-Type': 'text/plain' }, '{"seconds": 1}')).status).toBe(200);
		expect((await advance({ 'Content-Encoding': 'gzip' }, gzipSync('{"seconds": 1}'))).status).toBe(415);
	});

	it('a browser takes no answer of a control route for anything else than it is', async () => {
		for (const path of ['seed', 'deliveries/unknown', 'nothing', 'snapshot']) {
			expect((await ask('GET', `/_sandbox/${path}`)).headers.get('x-content-type-options')).toBe('nosniff');
		}
		expect((await ask('HEAD', '/_sandbox/events')).headers.get('x-content-type-options')).toBe('nosniff');
	});

	it('a slash at the end of a path makes no difference', async () => {
		for (const path of ['/api/v1/agents', `/api/v1/agents/${service.seed.agents.draft}`, '/docs', '/_sandbox/seed']) {
			const [without, slash] = [await ask('GET', path), await ask('GET', `${path}/`)];
			expect([path, slash.status, await slash.text()]).toEqual([path, 200, await without.text()]);
		}
	});

	it('a body null is no object: it is refused as a whole, not field by field', async () => {
		const response = await ask('POST', '/api/v1/campaigns', { 'Content-Type': 'application/json' }, 'null');
		const message = 'The body field must be of type object.';
		expect([response.status, await response.json()]).toEqual([
			422,
			{ success: false, message, errors: { body: [message] } },
		]);
	});

	it('a long segment of a path is looked at as any other: token, rate limit and journal', async () => {
		const path = `/api/v1/agents/${'x'.repeat(15_000)}`;
		expect((await fetch(service.url + path)).status).toBe(401);
		const response = await ask('GET', path);
		expect([response.status, await response.json()]).toEqual([404, { success: false, message: 'Agent not found.' }]);
		expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
		expect(asList(await service.control('requests')).at(-1)).toMatchObject({ path, status: 404 });
	});
});
