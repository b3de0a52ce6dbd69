import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

import { start, TOKEN, withResult } from './runs.mts';

const open: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
	open.splice(0).map((server) => server.close());
	sockets.splice(0).map((socket) => socket.destroy());
});

/** Starts a server. @returns its address */
async function listen(server: Server): Promise<string> {
	open.push(server);
	server.on('connection', (socket) => sockets.push(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answers = (status: number, body?: string, type = 'application/json') =>
	listen(createServer((_request, response) => response.writeHead(status, { 'Content-Type': type }).end(body)));
const tcp = (handle: (socket: Socket) => void) =>
	listen(createTcpServer((socket) => handle(socket.on('error', () => undefined))));

const HUGE = JSON.stringify({ data: 'x'.repeat(6_000_000) });
const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

test.each([
	['closes every connection', () => tcp((socket) => socket.destroy())],
	['never answers', () => tcp(() => undefined)],
	['sends more than anybody reads', () => answers(200, HUGE)],
] as Array<[string, () => Promise<string>]>)('a service that %s ends the run with a report', async (_, service) => {
	const report = await start(await service(), { write: true, pace: { answerMs: 150 } }).report;
	expect(report.ended).toMatch(/^the service stopped answering/);
	expect(new Set(report.results.map(({ is }) => is))).toEqual(new Set(['notTested']));
});

test.each([
	['HTML', () => answers(200, '<html><body>Welcome</body></html>', 'text/html')],
	['lists of nothing', () => answers(200, '{"data": [null, 1, "x", {"id": 1, "voice": {"template": 3}, "name": 5}]}')],
	['a very deep value', () => answers(200, DEEP)],
	['a prototype', () => answers(200, '{"__proto__": {"id": 1}, "data": {"constructor": 1, "id": "__proto__"}}')],
] as Array<[string, () => Promise<string>]>)(
	'a service that answers everything with %s gets a report without a stack trace',
	async (_, service) => {
		const everything = { write: true, publish: true, activate: true, call: '+12025550123' };
		const run = start(await service(), { ...everything, pace: { waitMs: 30 } });
		const report = await run.report;
		expect(report.results.length).toBeGreaterThan(200);
		expect(withResult(report, 'notTested').length).toBeGreaterThan(150);
		const text = JSON.stringify([report, run.recording()]);
		expect(text).not.toMatch(/\\n {4}at |node:internal|undefined is not|Cannot read/);
		expect(text).not.toContain(TOKEN);
	},
);

test('a token that the service refuses ends the run after one request', async () => {
	const report = await start(await answers(401, '{"message": "Unauthenticated."}')).report;
	expect(report).toMatchObject({ requests: 1, ended: 'the service refuses the token (GET /agents answered 401)' });
});
