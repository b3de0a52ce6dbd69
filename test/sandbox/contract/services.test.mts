import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import { readPage } from '../../../sandbox/contract/report.mts';
import { CALLER, type Step } from '../../../sandbox/contract/step.mts';
import { groups } from '../../../sandbox/contract/steps/index.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { listening } from '../listening.mts';
import { NUMBER, start, startService, TOKEN, testEverything, withResult } from './runs.mts';

const steps: readonly Step[] = groups.flatMap((group) => group.steps);
const questions = new Set(steps.flatMap(({ confirms }) => Object.keys(confirms ?? {})));

describe('the table of steps', () => {
	it('names its assumptions as docs/contributing/assumptions.md does', () => {
		const known = readPage(join(root, 'docs', 'contributing', 'assumptions.md')).map(({ question }) => question);
		expect([...questions].filter((question) => !known.includes(question))).toEqual([]);
	});

	it('changes only what the run created, and uses an agent of the account for test calls alone', () => {
		const made = new Set(
			steps.filter(({ request }) => request.startsWith('POST')).flatMap(({ keeps }) => Object.keys(keeps ?? {})),
		);
		const isOwn = ({ request }: Step) => {
			const [, name] = /\{([\w ]+)\}/.exec(request) ?? [];
			return name === undefined ? /^POST \/([\w-]+|agents\/0{8}.*\/call)$/.test(request) : made.has(name);
		};
		const changes = steps.filter(({ request }) => !/^(GET|HEAD|OPTIONS) /.test(request));
		expect(changes.length).toBeGreaterThan(50);
		expect(changes.filter((step) => !isOwn(step)).map(({ request }) => request)).toEqual([
			`POST /agents/{${CALLER}}/call`,
			`POST /agents/{${CALLER}}/end-call`,
			`POST /agents/{${CALLER}}/end-call`,
		]);
	});
});

describe('a service that breaks an assumption is reported with this assumption', () => {
	/** These variants change responses that the steps of their questions do not judge. */
	const elsewhere = ['call-id-as-call-id', 'campaign-call-without-campaign'];
	const noticed = variants.filter(({ name, question }) => questions.has(question) && !elsewhere.includes(name));
	/** The first variant of each section that a step can detect. */
	const seen = noticed.filter(({ section }, at) => noticed.findIndex((other) => other.section === section) === at);

	it('is tested with a variant of most sections', () => expect(seen.length).toBeGreaterThan(8));

	test.each(seen)('$name', async ({ name, question }) => {
		const service = await startService({ variants: [name] });
		expect(withResult(await testEverything(service.url), 'otherwise')).toContain(question);
		await service.close();
	});
});

test('a response that differs from the document is listed with its operation and its field', async () => {
	const service = await startService();
	const body = { success: true, data: { extra: 1 } };
	await service.control('faults', {
		match: { method: 'GET', path: '/api/v1/calendars' },
		kind: 'status',
		status: 200,
		body,
	});
	const { differences } = await start(service.url).report;
	expect(differences).toContainEqual({
		operation: 'GET /api/v1/calendars',
		status: 200,
		difference: '/data must be array',
		times: 1,
	});
	await service.close();
});

const open: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
	open.splice(0).map((server) => server.close());
	sockets.splice(0).map((socket) => socket.destroy());
});

async function listen(server: Server): Promise<string> {
	open.push(server.on('connection', (socket) => sockets.push(socket)));
	return await listening(server);
}
const responds = (status: number, body: string, type = 'application/json') =>
	listen(createServer((_request, response) => response.writeHead(status, { 'Content-Type': type }).end(body)));
const tcp = (handle: (socket: Socket) => void) =>
	listen(createTcpServer((socket) => handle(socket.on('error', () => undefined))));

test.each([
	['closes every connection', (socket: Socket) => void socket.destroy()],
	['never responds', () => undefined],
])('a service that %s ends the run with a report', async (_, handle) => {
	const report = await start(await tcp(handle), { write: true, pace: { responseMs: 150 } }).report;
	expect(report.ended).toMatch(/^the service stopped responding/);
	expect(new Set(report.results.map(({ is }) => is))).toEqual(new Set(['notTested']));
});

test.each([
	['HTML', '<html><body>Welcome</body></html>', 'text/html'],
	['lists of nothing', '{"data": [null, 1, "x", {"id": 1, "voice": {"template": 3}, "name": 5}]}', 'application/json'],
	['a very deep value', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'application/json'],
	['a prototype', '{"__proto__": {"id": 1}, "data": {"constructor": 1, "id": "__proto__"}}', 'application/json'],
])('a service that responds to everything with %s gets a report without a stack trace', async (_, body, type) => {
	const report = await start(await responds(200, body, type), { write: true, call: NUMBER, pace: { waitMs: 30 } })
		.report;
	expect(report.ended).toBeNull();
	expect(report.requests).toBeGreaterThan(20);
	const text = JSON.stringify(report);
	expect(text).not.toMatch(/\\n {4}at |node:internal|undefined is not|Cannot read/);
	expect(text).not.toContain(TOKEN);
});

test('a token that the service refuses ends the run after one request', async () => {
	const report = await start(await responds(401, '{"message": "Unauthenticated."}')).report;
	expect(report).toMatchObject({ requests: 1, ended: 'the service refuses the token (GET /agents returned 401)' });
});

test('a run that meets the rate limit tests what comes before', async () => {
	const service = await startService({ rateLimit: 8, rateWindow: 3600 });
	const report = await start(service.url).report;
	expect([withResult(report, 'otherwise'), withResult(report, 'confirmed').length]).toEqual([[], expect.any(Number)]);
	expect(withResult(report, 'confirmed')).toContain('Order of lists');
	await service.close();
});
