import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { harness } from './harness.mts';
import { byId, startService } from './service.mts';
import type { Service } from './service.mts';
import { triggerNode } from './triggers.mts';

const token = ['environment', 'token', 'of-the-test'].join('-');
const secret = ['signing', 'secret', 'of-the-test'].join('-');

/** A service that sends back everything that it got, in the way that the test says. */
let server: Server;
let service: Service;
let status = 400;
let shape: (echo: string) => unknown = (echo) => ({ success: false, message: echo });
let generated: string[] = [];

beforeAll(async () => {
	service = await startService();
	server = createServer(async (request, response) => {
		const body = await read(request);
		generated.push(...(/"webhook_secret":"([^"]+)"/.exec(body)?.slice(1) ?? []));
		if (request.method === 'GET') {
			response.end('{"success":true,"data":{"webhooks":[]}}');
			return;
		}
		const echo = shape(`You sent ${request.headers.authorization} and ${body}`);
		response.statusCode = status;
		response.end(typeof echo === 'string' ? echo : JSON.stringify(echo));
	});
	harness.closeAtEnd(async () => void server.close());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

async function read(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

const credentials = () => ({
	voiceAgentCallingApi: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, environmentToken: token },
});

/** All that can be read of a value: as JSON, and every property that JSON leaves out. */
const everything = (value: unknown) => `${JSON.stringify(value)}${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })}`;

/** What a user typed into a node is in every stored execution, as part of the node; it must be nowhere else. */
const withoutNode = (error: object | undefined) => ({ ...error, node: undefined, stack: (error as Error | undefined)?.stack });

const webhook = () => ({
	resource: 'campaignWebhook',
	operation: 'create',
	campaign: byId(service.seed.campaigns.active),
	name: 'Hook',
	webhookUrl: 'https://example.com/hook',
	options: { signingSecret: secret, extraHeaders: { values: [{ name: 'X-Key', value: `header-${secret}` }] } },
});

describe.each<[string, number, (echo: string) => unknown]>([
	['a flat message', 400, (message) => ({ success: false, message })],
	['messages by field', 422, (echo) => ({ success: false, message: 'Invalid.', errors: { webhook_secret: [echo] } })],
	['a nested message', 401, (message) => ({ error: { code: 'INVALID_TOKEN', message, details: { message } } })],
	['text', 403, (echo) => echo],
	['a breakdown', 500, (message) => ({ success: false, message })],
	['a success that is not JSON', 201, (echo) => `<p>${echo}</p>`],
])('a service that sends everything back in %s', (_how, code, how) => {
	beforeEach(() => {
		status = code;
		shape = how;
		generated = [];
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)('reveals neither token nor signing secret in a failed item, On Error %s', async (onError) => {
		const { run, outputs } = await service.run(webhook(), [{}], { node: { onError }, credentials: credentials() });
		expect(everything(run)).not.toContain(token);
		if (code === 201) return;
		const items = outputs.flat().map(({ error, ...item }) => [item, withoutNode(error)]);
		expect(everything([items, withoutNode(run.error)])).not.toContain(secret);
	});

	test('reveals neither when a trigger registers', async () => {
		const instance = await harness.startInstance({ credentials: credentials() });
		const { error } = await instance.deploy({ nodes: [triggerNode(service)] }).publish();
		expect(generated).not.toEqual([]);
		for (const hidden of [token, ...generated]) expect(everything([error, harness.logLines])).not.toContain(hidden);
	});
});

test('a connection that is cut reveals neither', async () => {
	for (const kind of ['drop-before', 'drop-after', 'malformed'] as const) {
		await service.fault({ match: { method: 'POST' }, kind });
		const { run } = await service.run(webhook(), [{}], {});
		expect(everything(run)).not.toContain(`Bearer ${service.token}`);
		expect(everything(withoutNode(run.error))).not.toContain(secret);
	}
});
