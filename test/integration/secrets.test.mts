import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';
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

describe('the credential in n8n’s HTTP Request node', () => {
	/** What each request to the two servers carried. */
	let carried: Array<{ host: string; authorization: string | undefined }>;
	const listen = async (answer: { status: number; location?: string }) => {
		const own = createServer((request, response) => {
			carried.push({ host: request.headers.host ?? '', authorization: request.headers.authorization });
			response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end('{}');
		});
		harness.closeAtEnd(async () => void own.close());
		await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
		return `127.0.0.1:${(own.address() as AddressInfo).port}`;
	};
	beforeEach(() => {
		carried = [];
	});

	/** Stands in for the HTTP Request node, which n8n lets use every credential. */
	const request = async (baseUrl: string, options: object) => {
		const loaded = await harness.loadPackage();
		const nodeTypes = { httpRequest: httpRequestNode(options) };
		const credential = { voiceAgentCallingApi: { baseUrl, environmentToken: token } };
		const node = { type: 'n8n-nodes-base.httpRequest' };
		return await harness.runNode(node, [{}], { package: { ...loaded, name: 'n8n-nodes-base', nodeTypes }, credentials: credential });
	};

	test('adds the token to requests to the Base URL’s own origin', async () => {
		const own = await listen({ status: 200 });
		for (const options of [{ url: `http://${own}/api/v1/agents` }, { url: '/any', baseURL: `http://${own}` }]) await request(`http://${own}`, options);
		expect(carried).toEqual(Array(2).fill({ host: own, authorization: `Bearer ${token}` }));
	});

	test('adds nothing to requests to any other, and takes nothing there over a redirect', async () => {
		const other = await listen({ status: 200 });
		const own = await listen({ status: 307, location: `http://${other}/elsewhere` });
		await request(`http://${own}`, { url: `http://${other}/` });
		await request(`http://${own}`, { url: `http://${own}@${other}/` });
		await request(`http://${own}`, { url: `http://${own}/`, method: 'POST', body: {} });
		expect(carried.filter(({ host }) => host === other).map(({ authorization }) => authorization?.includes(token) ?? false)).toEqual([false, false, false]);
		expect(carried.filter(({ host }) => host === own)).toEqual([{ host: own, authorization: `Bearer ${token}` }]);
	});
});

function httpRequestNode(options: object): INodeType {
	return {
		description: {
			displayName: 'HTTP Request',
			name: 'httpRequest',
			group: ['output'],
			version: 1,
			description: 'Stands in',
			defaults: { name: 'HTTP Request' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'voiceAgentCallingApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const requestOptions = options as IHttpRequestOptions;
			await this.helpers.httpRequestWithAuthentication.call(this, 'voiceAgentCallingApi', requestOptions);
			return [[{ json: {} }]];
		},
	};
}
