import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { harness, type Instance, type LoadedPackage } from './harness.mts';
import { startService, until } from './service.mts';
import { writeStandInPackage } from './standIn.mts';

const folder = writeStandInPackage();
let standIn: LoadedPackage;
let server: Server;
let url: string;
let received: Array<{ token: unknown; text: unknown }>;

beforeAll(async () => {
	standIn = await harness.loadPackage(folder);
	server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) {
			body += String(chunk);
		}
		const token = request.headers.authorization;
		if (body) {
			received.push({ token, ...(JSON.parse(body) as { text: unknown }) });
		}
		response.statusCode = token === 'wrong' ? 401 : 200;
		response.setHeader('content-type', 'application/json').end(body || '{}');
	});
	harness.closeAtEnd(async () => void server.close());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
	received = [];
});

afterAll(() => rmSync(folder, { recursive: true }));

const credentials = () => ({ standInApi: { url, token: 'a token' } });
const node = { type: 'n8n-nodes-stand-in.standIn', parameters: { text: '={{ $json.text }}' } };
const texts = (...all: string[]) => all.map((text) => ({ text }));

test('an unbuilt package gives an error that says what to run', async () => {
	const empty = mkdtempSync(join(tmpdir(), 'not-built-'));
	writeFileSync(join(empty, 'package.json'), '{"name":"n8n-nodes-x","n8n":{"nodes":["dist/X.node.js"]}}');
	await expect(harness.loadPackage(empty)).rejects.toThrow(
		'n8n-nodes-x is not built (dist/X.node.js missing): run "npm run build" first',
	);
	rmSync(empty, { recursive: true });
});

test('a node runs in n8n’s engine and sends real requests with its credential', async () => {
	const result = await harness.runNode(node, texts('one', 'two', 'three'), {
		package: standIn,
		credentials: credentials(),
		mode: 'manual',
	});
	expect(result.outputs[0]).toEqual(
		['one', 'two', 'three'].map((text, item) => ({ json: { text, mode: 'manual' }, pairedItem: { item } })),
	);
	expect(received.map(({ token }) => token)).toEqual(['a token', 'a token', 'a token']);
});

test('Retry On Fail runs the whole node again, with its context data', async () => {
	const retried = { ...node, retryOnFail: true, waitBetweenTries: 1 };
	const result = await harness.runNode(retried, texts('one', 'throw once'), {
		package: standIn,
		credentials: credentials(),
	});
	expect(result).toMatchObject({ status: 'success', tries: 2 });
	expect(received.map(({ text }) => text)).toEqual(['one', 'one', 'throw once']);
});

test('n8n’s Retry runs the node that has failed again, with its input and its context data', async () => {
	const nodes = [harness.sourceOf(texts('one', 'throw once')), { name: 'Node', ...node }];
	const spec = { nodes, credentials: credentials() };
	const failed = await harness.runWorkflow(spec, { package: standIn });
	expect(failed.status).toBe('error');
	const retried = await harness.retryWorkflow(spec, failed, { package: standIn });
	expect(retried).toMatchObject({ status: 'success', nodes: { Source: [{}], Node: [{ status: 'success' }] } });
	expect(received.map(({ text }) => text)).toEqual(['one', 'one', 'throw once']);
});

test('each On Error setting has the effect that it has in n8n', async () => {
	const run = async (onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput', text: string) =>
		await harness.runNode({ ...node, onError }, texts('one', text), { package: standIn, credentials: credentials() });
	expect((await run('stopWorkflow', 'throw once')).run).toMatchObject({
		status: 'error',
		error: { message: 'Thrown once' },
	});
	expect((await run('continueRegularOutput', 'throw once')).outputs[0]).toHaveLength(2);
	expect((await run('continueErrorOutput', 'fail')).outputs.map((items) => items.length)).toEqual([1, 1]);
	// n8n replaces the json of an item with an error.
	expect((await run('continueRegularOutput', 'fail')).outputs[0]?.[1]?.json).toEqual({ error: 'Failed item' });
});

test('a loop runs its body once for each round', async () => {
	const spec = {
		nodes: [
			harness.sourceOf(texts('a', 'b')),
			{ name: 'Loop', type: 'harness.loop' },
			{ name: 'Body', ...node },
			{ name: 'End', type: 'harness.noOp' },
		],
		connections: { Source: [['Loop']], Loop: [['End'], ['Body']], Body: [['Loop']] },
		credentials: credentials(),
	};
	const { nodes } = await harness.runWorkflow(spec, { package: standIn });
	expect(nodes.Body).toHaveLength(3);
	expect(received.map(({ text }) => text).join('')).toBe('ababab');
	expect(nodes.End?.[0]?.outputs[0]).toHaveLength(2);
});

test('locator lists and credential tests go through n8n’s own code', async () => {
	const search = { type: node.type, method: 'things', credentials: credentials(), filter: '?x', package: standIn };
	await expect(harness.listSearch(search)).resolves.toEqual({
		results: [{ name: `${url}?x`, value: 'first' }],
		paginationToken: '2',
	});
	await expect(harness.testCredential('standInApi', { url, token: 'right' }, standIn)).resolves.toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	await expect(harness.testCredential('standInApi', { url, token: 'wrong' }, standIn)).resolves.toEqual({
		status: 'Error',
		message: 'Wrong token',
	});
});

describe('a trigger', () => {
	let instance: Instance;
	beforeEach(async () => {
		instance = await harness.startInstance({ credentials: credentials(), package: standIn, secondInMs: 0.1 });
	});

	const deploy = (fails = 0) =>
		instance.deploy({
			nodes: [
				{ name: 'Trigger', type: 'n8n-nodes-stand-in.standInTrigger', parameters: { fails } },
				{ name: 'Next', type: 'harness.noOp' },
			],
		});
	const post = async (to: string, body: string) => {
		const response = await fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
		return { status: response.status, text: await response.text() };
	};

	test('is registered when its workflow is published and responds to deliveries', async () => {
		const deployment = deploy();
		await expect(deployment.publish()).resolves.toEqual({ calls: ['checkExists', 'create'] });
		const to = deployment.webhookUrl();
		await expect(post(to, '{ "n": 1 }')).resolves.toMatchObject({ status: 200 });
		const [execution] = instance.executions;
		await expect(execution?.run).resolves.toMatchObject({
			nodes: { Next: [{ outputs: [[{ json: { raw: '{ "n": 1 }', url: to } }]] }] },
		});
		await expect(post(to, '{"kind":"refuse"}')).resolves.toEqual({ status: 401, text: 'Unauthorized' });
		await expect(post(to, '{"kind":"ping"}')).resolves.toEqual({ status: 200, text: 'pong' });
		await expect(post(to, '{"kind":')).resolves.toMatchObject({ status: 422 });
		expect(instance.executions).toHaveLength(1);
		await expect(post(to, '{"kind":"throw"}')).resolves.toMatchObject({ status: 500 });
		expect(instance.executions).toMatchObject([{}, { error: { message: 'Thrown in webhook()' } }]);
		// The first delivery started an execution, and another one threw: n8n saves no static data of webhook() for either.
		expect(deployment.storedStaticData()).toEqual({ 'node:Trigger': { tried: 1, url: to, deliveries: 2 } });
	});

	test('is registered again only when a parameter or the name changed', async () => {
		const deployment = deploy();
		await deployment.publish();
		await expect(deployment.edit('Next', { position: [9, 9] })).resolves.toEqual({ calls: [] });
		await expect(deployment.edit('Trigger', { parameters: { fails: 1 } })).resolves.toMatchObject({
			calls: ['delete', 'checkExists', 'create'],
		});
		await expect(deployment.rename('Trigger', 'Other')).resolves.toMatchObject({
			calls: ['delete', 'checkExists', 'create', 'delete', 'checkExists', 'create'],
		});
		expect(Object.keys(deployment.storedStaticData())).toEqual(['node:Trigger', 'node:Other']);
		await expect(deployment.unpublish()).resolves.toEqual({ calls: ['delete'] });
	});

	test('is looked for when n8n starts', async () => {
		const deployment = deploy();
		await deployment.publish();
		await expect(deployment.start()).resolves.toEqual({ calls: ['checkExists'] });
	});

	test('is tried five times, then fails', async () => {
		const { error, calls } = await deploy(9).publish();
		expect(error?.message).toBe('Not yet');
		expect(calls.filter((call) => call === 'create')).toHaveLength(5);
		expect(calls.filter((call) => call === 'delete')).toHaveLength(5);
		expect(instance.routes.size).toBe(0);
	});

	test('listens for one test delivery at a separate address, with separate static data', async () => {
		const deployment = deploy();
		await deployment.publish();
		await deployment.listenForTest();
		const test = deployment.webhookUrl().replace('/webhook/', '/webhook-test/');
		await expect(post(test, '{"kind":"refuse"}')).resolves.toMatchObject({ status: 401 });
		await expect(post(test, '{}')).resolves.toMatchObject({ status: 200 });
		await instance.settled();
		await expect(post(test, '{}')).resolves.toMatchObject({ status: 404 });
		expect(instance.executions).toMatchObject([{ mode: 'manual', items: [{ url: test }] }]);
		await expect(post(deployment.webhookUrl(), '{}')).resolves.toMatchObject({ status: 200 });
	});
});

test('a loop that waits cannot use up the rate limit: it asks /_sandbox only', async () => {
	const service = await startService();
	const { active } = service.seed.campaigns;
	await expect(until(async () => (await service.webhooks(active)).length > 0)).rejects.toThrow(
		'counts against the rate limit',
	);
	await until(async () => (await service.requests()).length === 0);
	expect((await service.api('GET', `campaigns/${active}`)).status).toBe(200);
});
