import { CONSOLE_FILES } from '../../../sandbox/console/consoleRoutes.mts';
import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { routes } from '../../../sandbox/resources/index.mts';
import { useService } from '../use.mts';
import { rawRequest } from './rawRequest.mts';

/** Every route of every kind, and paths that no route has. */
const REQUESTS = [
	...routes.map(({ method, path }) => [method, path]),
	...CONTROLS.map(({ method, path }) => [method, `/_sandbox/${path}`]),
	...[...CONSOLE_FILES.keys()].map((path) => ['GET', path]),
	...['/docs', '/openapi.json', '/docs/start.js', '/docs/scalar.js'].map((path) => ['GET', path]),
	...['/nothing', '/%zz', '/api/v1/%zz', '/_sandbox/nothing', '/%5Fsandbox/seed'].map((path) => ['GET', path]),
	['DELETE', '/api/v1/agents'],
	['OPTIONS', '/api/v1/agents'],
	['PROPFIND', '/api/v1/agents'],
].map(([method = '', path = '']) => [method, path.replace(/:\w+/g, 'x')] as const);

describe('who may use the sandbox', () => {
	const service = useService();
	let port: string;
	beforeEach(() => {
		port = new URL(service.url).port;
	});

	/** Sends a request with these headers and the token. */
	const send = async (method: string, path: string, headers: string[], version = '1.1') => {
		const own = ['Authorization: Bearer TOKEN', 'Content-Type: application/json', 'Content-Length: 2'];
		const head = [`${method} ${path} HTTP/${version}`, ...headers, ...own, 'Connection: close', '\r\n{}'];
		const { status, body } = await rawRequest(service.url, head.join('\r\n'));
		return { status, body };
	};
	const refusal = (who: string) => {
		const message = `The sandbox is not for ${who}`;
		return { status: 403, body: JSON.stringify({ success: false, message }) };
	};
	const advice = 'Use http://127.0.0.1 or http://localhost, with its port.';

	it('is asked by every route', () => {
		expect(REQUESTS.length).toBeGreaterThan(150);
	});

	it.each(REQUESTS)('%s %s refuses other hosts and pages of websites, and does nothing', async (method, path) => {
		const before = await service.control('requests');
		const own = `Host: 127.0.0.1:${port}`;
		for (const [headers, who] of [
			[['Host: evil.example'], `the host "evil.example". ${advice}`],
			[[own, 'Origin: https://evil.example'], 'pages of https://evil.example.'],
			[[own, 'Origin: null'], 'pages of an unknown origin.'],
		] as const) {
			expect(await send(method, path, [...headers])).toEqual(refusal(who));
		}
		expect(await service.control('requests')).toEqual(before);
	});

	it.each([
		['a page of another server on this machine', ['Host: 127.0.0.1:4010', 'Origin: http://127.0.0.1:1']],
		['a page of the same name by https', ['Host: localhost:4010', 'Origin: https://localhost:4010']],
		['a name that begins like one of this machine', ['Host: 127.0.0.1.evil.example:4010']],
		['a name that ends like one of this machine', ['Host: evil.localhost:4010']],
		['a name with a user in front', ['Host: localhost@evil.example']],
		['a name that a website points to this machine', ['Host: evil.example', 'Origin: http://evil.example']],
		['another address', ['Host: 0.0.0.0:4010']],
		['another address of this machine', ['Host: [::ffff:127.0.0.1]:4010']],
		['an empty host', ['Host: ']],
		['a port that is no number', ['Host: localhost:x']],
	])('is not %s', async (_who, headers) => {
		for (const path of ['/api/v1/agents', '/_sandbox/seed', '/', '/docs', '/nothing']) {
			expect((await send('GET', path, headers)).status).toBe(403);
		}
	});

	it('is a program on this machine, by any of its names and over forwarded ports', async () => {
		const names = '127.0.0.1 localhost LOCALHOST [::1] host.docker.internal host.containers.internal'.split(' ');
		for (const host of names.flatMap((name) => [`${name}:${port}`, `${name}:1`, name])) {
			for (const path of ['/api/v1/agents', '/_sandbox/seed', '/', '/docs']) {
				expect([host, path, (await send('GET', path, [`Host: ${host}`])).status]).toEqual([host, path, 200]);
			}
		}
	});

	it('is a page of the sandbox itself, by the name in its address', async () => {
		for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
			const own = [`Host: ${host}:${port}`, `Origin: http://${host}:${port}`];
			expect((await send('POST', '/_sandbox/reset', own)).status).toBe(200);
			expect((await send('GET', '/api/v1/agents', own)).status).toBe(200);
		}
		const other = [`Host: localhost:${port}`, `Origin: ${service.url}`];
		expect((await send('GET', '/api/v1/agents', other)).status).toBe(403);
	});

	it('says its host: without one, a request is refused', async () => {
		const refused = refusal(`requests without a Host header. ${advice}`);
		expect(await send('GET', '/api/v1/health', [], '1.0')).toEqual(refused);
		expect((await send('GET', '/api/v1/health', [], '1.1')).status).toBe(400);
		expect((await send('GET', '/api/v1/health', [`Host: localhost:${port}`], '1.0')).status).toBe(200);
	});

	it('gets no way around by a whole address in the request line, or by headers of proxies', async () => {
		const host = `Host: 127.0.0.1:${port}`;
		expect((await send('GET', 'http://evil.example/_sandbox/seed', [host])).status).toBe(403);
		expect((await send('GET', 'http://localhost/_sandbox/seed', ['Host: evil.example'])).status).toBe(200);
		for (const name of ['X-Forwarded-Host', 'X-Forwarded-For', 'Forwarded']) {
			expect((await send('GET', '/_sandbox/seed', ['Host: evil.example', `${name}: localhost`])).status).toBe(403);
		}
		expect((await send('GET', '/_sandbox/seed', ['Host: evil.example', host])).status).toBeGreaterThanOrEqual(400);
	});
});
