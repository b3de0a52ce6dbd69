import { CONSOLE_FILES } from '../../../sandbox/console/consoleRoutes.mts';
import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { routes } from '../../../sandbox/resources/index.mts';
import { useService } from '../use.mts';
import { rawRequest } from './rawRequest.mts';

const PAGES = ['/docs', '/openapi.json', '/docs/start.js', '/docs/scalar.js'];
const NOTHING = ['/nothing', '/%zz', '/api/v1/%zz', '/_sandbox/nothing', '/%5Fsandbox/seed'];
/** Every route, and unknown paths. */
const REQUESTS = [
	...routes.map(({ method, path }) => `${method} ${path}`),
	...CONTROLS.map(({ method, path }) => `${method} /_sandbox/${path}`),
	...[...CONSOLE_FILES.keys(), ...PAGES, ...NOTHING].map((path) => `GET ${path}`),
	...['DELETE', 'OPTIONS', 'PROPFIND'].map((method) => `${method} /api/v1/agents`),
].map((request) => request.replace(/:\w+/g, 'x'));

describe('who may use the sandbox', () => {
	const service = useService();
	/** Sends a request with these headers and the token. `PORT` stands for the port of the sandbox. */
	const send = async (request: string, headers: string[], version = '1.1') => {
		const own = ['Authorization: Bearer TOKEN', 'Content-Type: application/json', 'Content-Length: 2'];
		const lines = [`${request} HTTP/${version}`, ...headers, ...own, 'Connection: close', '\r\n{}'];
		return await rawRequest(service.url, lines.join('\r\n').replaceAll('PORT', new URL(service.url).port));
	};
	const refused = (who: string) => ({
		status: 403,
		body: JSON.stringify({ success: false, message: `The sandbox is not for ${who}` }),
	});
	const ADVICE = 'Use http://127.0.0.1 or http://localhost, with its port.';

	it('is asked by every route: other hosts and pages of websites are refused, and nothing is done', async () => {
		expect(REQUESTS.length).toBeGreaterThan(150);
		const before = await service.control('requests');
		for (const request of REQUESTS) {
			for (const [headers, who] of [
				[['Host: evil.example'], `the host "evil.example". ${ADVICE}`],
				[['Host: 127.0.0.1:PORT', 'Origin: https://evil.example'], 'pages of https://evil.example.'],
				[['Host: 127.0.0.1:PORT', 'Origin: null'], 'pages of an unknown origin.'],
			] as const) {
				expect([request, await send(request, [...headers])]).toEqual([request, expect.objectContaining(refused(who))]);
			}
		}
		expect(await service.control('requests')).toEqual(before);
	});

	const NAMES = '127.0.0.1 localhost LOCALHOST [::1] host.docker.internal host.containers.internal'.split(' ');
	it.each<[who: string, status: number, ...headers: string[]]>([
		['a page of another server on this machine', 403, 'Host: 127.0.0.1:4010', 'Origin: http://127.0.0.1:1'],
		['a page of the same name by https', 403, 'Host: localhost:PORT', 'Origin: https://localhost:PORT'],
		['a page of this machine by another name', 403, 'Host: localhost:PORT', 'Origin: http://127.0.0.1:PORT'],
		['a name that begins like one of this machine', 403, 'Host: 127.0.0.1.evil.example:4010'],
		['a name that ends like one of this machine', 403, 'Host: evil.localhost:4010'],
		['a name with a user in front', 403, 'Host: localhost@evil.example'],
		['a name that a website points to this machine', 403, 'Host: evil.example', 'Origin: http://evil.example'],
		['another address', 403, 'Host: 0.0.0.0:4010'],
		['another address of this machine', 403, 'Host: [::ffff:127.0.0.1]:4010'],
		['an empty host', 403, 'Host: '],
		['a port that is no number', 403, 'Host: localhost:x'],
		['a name that a proxy has passed on', 403, 'Host: evil.example', 'X-Forwarded-Host: localhost'],
		['an address that a proxy has passed on', 403, 'Host: evil.example', 'Forwarded: host=localhost'],
		...NAMES.flatMap((name) =>
			[name, `${name}:1`, `${name}:PORT`].map((host): [string, number, string] => [host, 200, `Host: ${host}`]),
		),
		...['127.0.0.1', 'localhost', '[::1]'].map((name): [string, number, string, string] => [
			`a page of the sandbox at ${name}`,
			200,
			`Host: ${name}:PORT`,
			`Origin: http://${name}:PORT`,
		]),
	])('%s gives %i', async (_who, status, ...headers) => {
		for (const request of ['GET /api/v1/agents', 'POST /_sandbox/reset', 'GET /', 'GET /docs']) {
			expect([request, (await send(request, headers)).status]).toEqual([request, status]);
		}
	});

	it('says its host once: in a header, or in a whole address in the request line', async () => {
		const host = 'Host: 127.0.0.1:PORT';
		for (const [status, request, headers, version] of [
			[403, 'GET /api/v1/health', [], '1.0'],
			[400, 'GET /api/v1/health', [], '1.1'],
			[200, 'GET /api/v1/health', [host], '1.0'],
			[403, 'GET http://evil.example/_sandbox/seed', [host], '1.1'],
			[200, 'GET http://localhost/_sandbox/seed', ['Host: evil.example'], '1.1'],
			[403, 'GET /_sandbox/seed', ['Host: evil.example', host], '1.1'],
		] as const) {
			expect([request, headers, (await send(request, [...headers], version)).status]).toEqual([
				request,
				headers,
				status,
			]);
		}
		const missing = refused(`requests without a Host header. ${ADVICE}`);
		expect(await send('GET /api/v1/health', [], '1.0')).toMatchObject(missing);
	});
});
