import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

import { listening } from '../listening.mts';
import { newHome, start } from './runs.mts';

beforeAll(() => {
	process.env.HOME = newHome();
});

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
	return await listening(server);
}

const answers = (status: number, body: string) =>
	listen(createServer((_request, response) => response.writeHead(status).end(body)));
const tcp = (handle: (socket: Socket) => void) =>
	listen(createTcpServer((socket) => handle(socket.on('error', () => undefined))));

const HUGE = JSON.stringify({ data: 'x'.repeat(6_000_000) });

test.each([
	['closes every connection', () => tcp((socket) => socket.destroy())],
	['never answers', () => tcp(() => undefined)],
	['sends more than anybody reads', () => answers(200, HUGE)],
] as Array<[string, () => Promise<string>]>)('a service that %s ends the run with a report', async (_, service) => {
	const report = await start(await service(), { write: true, pace: { answerMs: 150 } }).report;
	expect(report.ended).toMatch(/^the service stopped answering/);
	expect(new Set(report.results.map(({ is }) => is))).toEqual(new Set(['notTested']));
});

test('a token that the service refuses ends the run after one request', async () => {
	const report = await start(await answers(401, '{"message": "Unauthenticated."}')).report;
	expect(report).toMatchObject({ requests: 1, ended: 'the service refuses the token (GET /agents answered 401)' });
});
