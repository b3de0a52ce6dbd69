import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';

import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { harness } from './harness.mts';
import { listen } from './listen.mts';
import { byId, inFastTime, type Service, useService } from './service.mts';
import { triggerNode } from './triggers.mts';

const token = ['environment', 'token', 'of-the-test'].join('-');
const secret = ['signing', 'secret', 'of-the-test'].join('-');

/** The address of a service that echoes each request, in the shape that the test sets. */
let baseUrl: string;
const service = useService();
let status = 400;
let shape: (echo: string) => unknown = (echo) => ({ success: false, message: echo });
let generated: string[] = [];

beforeAll(async () => {
	const server = createServer(async (request, response) => {
		const body = await text(request);
		generated.push(...(/"webhook_secret":"([^"]+)"/.exec(body)?.slice(1) ?? []));
		if (request.method === 'GET') {
			response.end('{"success":true,"data":{"webhooks":[]}}');
			return;
		}
		const echo = shape(`You sent ${request.headers.authorization} and ${body}`);
		response.statusCode = status;
		response.end(typeof echo === 'string' ? echo : JSON.stringify(echo));
	});
	baseUrl = `http://127.0.0.1:${await listen(server)}`;
});

const credentials = () => ({ voiceAgentCallingApi: { baseUrl, environmentToken: token } });

/** A value as text: as JSON, and with the properties that JSON omits. */
const everything = (value: unknown) =>
	`${JSON.stringify(value)}${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })}`;

/** An error without its node, whose parameters hold what the user typed. */
const withoutNode = (error: object | undefined) => ({
	...error,
	node: undefined,
	stack: (error as Error | undefined)?.stack,
});

/** What n8n stores of a run and passes on, without the node's own parameters: these hold what the user typed. */
const withoutTyped = ({ run, outputs }: Awaited<ReturnType<Service['run']>>) => [
	JSON.stringify([run, outputs], (key, value: unknown) => (key === 'parameters' ? undefined : value)),
	everything([withoutNode(run.error), outputs.flat().map(({ error, ...item }) => [item, withoutNode(error)])]),
];

const { privateKey } = generateKeyPairSync('rsa', {
	modulusLength: 1024,
	publicKeyEncoding: { type: 'spki', format: 'pem' },
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
/** The lines of the key without its markers, and without a last line that is too short to search for. */
const linesOfKey = privateKey.split('\n').filter((line) => line.length >= 12 && !line.startsWith('-----'));

/** Every operation that takes a secret, with all its secret parameters. */
function carriers() {
	const agent = byId(service.seed.agents.published);
	const campaign = byId(service.seed.campaigns.active);
	const sipTrunk = byId(service.seed.sipTrunk);
	const webhook = byId(service.seed.user);
	const keys = { extraHeaders: { values: [{ name: 'X-Key', value: `header-${secret}` }] } };
	const signed = { ...keys, signingSecret: secret };
	const hook = { name: 'Hook', webhookUrl: 'https://example.com/hook' };
	const trunk = { name: 'Carrier', providerName: 'example', domain: 'sip.example.com', username: 'ada' };
	const login = { host: 'sftp.example.com', username: 'ada' };
	const withKey = { ...login, authType: 'private_key', privateKey };
	const passphrase = { privateKeyPassphrase: `pass-${secret}` };
	const body = JSON.stringify({
		...login,
		private_key: privateKey,
		password: secret,
		custom_headers: { 'X-Key': `header-${secret}` },
	});
	return {
		'agentAction/upsert': {
			agent,
			nodeId: 'ask',
			name: 'ask',
			description: 'Asks',
			url: 'https://example.com/ask',
			options: keys,
		},
		'campaignSftp/create': { campaign, ...withKey, options: passphrase },
		'campaignSftp/update': { campaign, updateFields: { ...withKey, ...passphrase } },
		'service/makeApiRequest': { method: 'POST', path: 'anything', options: { body } },
		'sipTrunk/create': { ...trunk, password: secret },
		'sipTrunk/update': { sipTrunk, updateFields: { password: secret } },
		'webhook/create': { campaign, ...hook, options: signed },
		'webhook/update': { source: 'agent', agent, webhook, updateFields: signed },
	};
}

const run = async (carrier: string, parameters: object, node: object = {}) => {
	const [resource, operation] = carrier.split('/');
	return await service.run({ ...parameters, resource, operation }, [{}], { node, credentials: credentials() });
};

test('every operation that takes a secret is covered by these tests', () => {
	const masked = (operation: Operation) =>
		/"password":true/.test(
			JSON.stringify(
				[...operation.fields, ...operation.updates, ...operation.options].map(({ properties }) => properties),
			),
		);
	const all = resources.flatMap(({ value, operations }) =>
		operations.filter(masked).map((operation) => `${value}/${operation.value}`),
	);
	expect(Object.keys(carriers()).filter((name) => name !== 'service/makeApiRequest')).toEqual(all.sort());
});

const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

describe.each<[string, number, (echo: string) => unknown]>([
	['a flat message', 400, (message) => ({ success: false, message })],
	['messages by field', 422, (echo) => ({ success: false, message: 'Invalid.', errors: { webhook_secret: [echo] } })],
	['the names of fields', 422, (echo) => ({ success: false, message: 'Invalid.', errors: { [echo]: ['is odd.'] } })],
	['a list of messages', 409, (echo) => ({ success: false, errors: [echo, echo] })],
	['single lines', 422, (echo) => ({ success: false, errors: echo.split(/\\n|\n/) })],
	['a nested message', 401, (message) => ({ error: { code: 'INVALID_TOKEN', message, details: { message } } })],
	['a code', 404, (code) => ({ success: false, message: 'Not found.', code })],
	['text', 403, (echo) => echo],
	['a breakdown', 500, (message) => ({ success: false, message })],
	['a redirect', 307, (echo) => echo],
	['a success', 200, (echo) => ({ success: true, message: echo, data: { id: 'a1', echo, [echo]: [echo] } })],
	['a success that is not JSON', 201, (echo) => `<p>${echo}</p>`],
])('a service that echoes the request in %s', (_how, code, how) => {
	beforeEach(() => {
		status = code;
		shape = how;
		generated = [];
	});

	test('reveals neither token nor secret in a failed item, whatever On Error is', async () => {
		for (const [index, [carrier, parameters]] of Object.entries(carriers()).entries()) {
			const ran = await run(carrier, parameters, { onError: settings[(index + code) % 3] });
			expect(everything(ran.run)).not.toContain(token);
			const shown = withoutTyped(ran).join();
			// n8n has stored something of the answer.
			expect({ carrier, shown: shown.length > 100 }).toEqual({ carrier, shown: true });
			for (const hidden of [secret, ...linesOfKey]) {
				expect({ carrier, shows: shown.includes(hidden) }).toEqual({ carrier, shows: false });
			}
		}
	});

	test('reveals neither when a trigger registers', async () => {
		const instance = await harness.startInstance({ credentials: credentials() });
		const { error } = await instance.deploy({ nodes: [triggerNode(service)] }).publish();
		expect(generated).not.toEqual([]);
		for (const hidden of [token, ...generated]) {
			expect(everything([error, harness.logLines])).not.toContain(hidden);
		}
	});
});

test.each(['drop-before', 'malformed'] as const)('a connection that is cut reveals neither: %s', async (kind) => {
	await service.fault({ kind, times: 200 });
	const all = Object.entries<object>(carriers());
	const runs = await inFastTime(
		async () =>
			await Promise.all(
				all.map(async ([carrier, parameters]) => {
					const [resource, operation] = carrier.split('/');
					return await service.run({ ...parameters, resource, operation });
				}),
			),
	);
	expect(runs.map(({ run }) => run.status)).toEqual(all.map(() => 'error'));
	for (const ran of runs) {
		expect(everything(ran.run)).not.toContain(`Bearer ${service.token}`);
		for (const hidden of [secret, ...linesOfKey]) {
			expect(withoutTyped(ran).join()).not.toContain(hidden);
		}
	}
});
