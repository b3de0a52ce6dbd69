import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { certificate } from '../integration/certificates.mts';
import { outputsOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { Nginx, type SecureServer, Tinyproxy } from './proxies.mts';

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const authority = certificate('Authority', { isAuthority: true });
const trusted = certificate('localhost', { issuer: authority });
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const nginx = new Nginx();
let tinyproxy: Tinyproxy;
let n8n: Instance;
/** The port of n8n's public address, and that of the service. */
let ports: { n8n: number; service: number };

beforeAll(async () => {
	const first = 35_000 + (process.pid % 600) * 20;
	ports = { n8n: await freePort(first), service: await freePort(first + 1) };
	tinyproxy = new Tinyproxy(await freePort(first + 2));
	const file = join(mkdtempSync(join(userFolders, 'e2e-authority-')), 'authority.pem');
	writeFileSync(file, authority.cert);
	const env = {
		WEBHOOK_URL: `https://localhost:${ports.n8n}/`,
		N8N_PROXY_HOPS: '1',
		NODE_EXTRA_CA_CERTS: file,
		HTTPS_PROXY: `http://127.0.0.1:${tinyproxy.port}`,
		NO_PROXY: `localhost:${ports.n8n}`,
	};
	n8n = await Instance.start({ env });
	await tinyproxy.serve();
	await before({});
	await n8n.editor.publish(await n8n.createWorkflow('Trigger', [n8n.trigger(n8n.sandbox.campaignId)]));
}, 180_000);

afterAll(async () => {
	await Promise.all([nginx.stop(), tinyproxy?.stop(), n8n?.stop()]);
}, 30_000);

/** Lets nginx stand before n8n and before the service. */
async function before(changes: { n8n?: Partial<SecureServer>; service?: Partial<SecureServer> }): Promise<void> {
	const forward = (url: string) => `proxy_pass ${url}; proxy_set_header Host $http_host;`;
	await nginx.serve(
		{ port: ports.n8n, certificate: trusted, does: forward(n8n.n8n.url), ...changes.n8n },
		{ port: ports.service, certificate: trusted, does: forward(n8n.sandbox.url), ...changes.service },
	);
}

/** Runs the node by hand. @returns its item */
async function run(parameters: object, credential = n8n.credential): Promise<Record<string, unknown> | undefined> {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const node = {
		...n8n.node('Run', NODE, 1, { ...parameters }),
		credentials: { voiceAgentCallingApi: credential },
		onError: 'continueRegularOutput',
	};
	const id = await n8n.createWorkflow('Run', [start, node], ['Start', 'Run']);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	return (await outputsOf(n8n.editor, execution.id, 'Run')).outputs[0]?.[0];
}

describe('What nginx does before n8n is named by the check of a registration:', () => {
	const check = async () =>
		await run({ resource: 'webhook', operation: 'checkRegistration', campaign: byId(n8n.sandbox.campaignId) });

	test('it lets the message pass', async () => {
		await before({});
		const item = await check();
		expect(item?.answers).toBe(true);
	});

	test.each<[string, () => Partial<SecureServer>, string]>([
		[
			'its certificate signed itself',
			() => ({ certificate: certificate('localhost') }),
			'its certificate is self-signed',
		],
		[
			'its certificate is of an authority that n8n does not know',
			() => ({ certificate: certificate('localhost', { issuer: certificate('Other', { isAuthority: true }) }) }),
			'its certificate cannot be verified',
		],
		[
			'its certificate has expired',
			() => ({ certificate: certificate('localhost', { issuer: authority, from: -9, until: -1 }) }),
			'its certificate has expired',
		],
		[
			'its certificate is for another host',
			() => ({ certificate: certificate('n8n', { issuer: authority, host: 'n8n.example.com' }) }),
			'its certificate is for another host',
		],
		['it denies the address', () => ({ does: 'deny all;' }), 'something before it answered with HTTP status 403'],
		['it wants a login', () => ({ does: 'return 401;' }), 'something before it answered with HTTP status 401'],
		[
			'it redirects',
			() => ({ does: 'return 301 https://n8n.example.com$request_uri;' }),
			'it redirects to https://n8n.example.com (HTTP status 301)',
		],
		[
			'n8n is not where it looks',
			() => ({ does: 'proxy_pass http://127.0.0.1:9;' }),
			'something before it answered with HTTP status 502',
		],
	])('%s', async (_what, change, why) => {
		await before({ n8n: change() });
		const item = await check();
		expect(item?.problems).toContainEqual(
			expect.objectContaining({
				code: 'NO_ANSWER',
				message: `n8n does not answer at the address of the webhook: ${why}`,
			}),
		);
	});
});

describe('What stands between n8n and the service is named by a node that places a call:', () => {
	let credential: Instance['credential'];
	beforeAll(async () => {
		const data = { baseUrl: `https://localhost:${ports.service}`, environmentToken: n8n.sandbox.token };
		credential = { id: await n8n.createCredential('By proxy', 'voiceAgentCallingApi', data), name: 'By proxy' };
	});

	const place = async () =>
		await run(
			{
				resource: 'call',
				operation: 'place',
				agent: byId(n8n.sandbox.agentId),
				phoneNumber: '+12025550111',
				options: { missingVariables: 'ignore', testCall: 'always' },
			},
			credential,
		);
	const calls = async () => (await n8n.service.get<unknown[]>('/_sandbox/calls')).data.length;

	test.each<[string, () => string[], string]>([
		[
			'tinyproxy does not allow the port',
			() => ['ConnectPort 443'],
			'the proxy does not allow the connection (HTTP status 403)',
		],
		['tinyproxy wants a login', () => ['BasicAuth user word'], 'the proxy asks for a login (HTTP status 407)'],
		['tinyproxy allows nobody', () => ['Allow 10.0.0.1'], 'the proxy does not allow the connection (HTTP status 403)'],
		[
			'tinyproxy cannot reach the next proxy',
			() => ['Upstream http 127.0.0.1:9'],
			'the proxy cannot connect to it (HTTP status 50',
		],
	])('%s, and nobody was called', async (_what, lines, why) => {
		await before({});
		await tinyproxy.serve(...lines());
		const called = await calls();
		const item = await place();
		expect(item).toMatchObject({ result: 'failed', message: expect.stringContaining(why) });
		expect(await calls()).toBe(called);
	});

	test.each([
		['a page for maintenance', 'return 503;', 'Something other than the service answered with HTTP status 503'],
		['an address list', 'deny all;', 'Something other than the service answered with HTTP status 403'],
		['a login page', 'default_type text/html; return 200 "<h1>Log in</h1>";', 'answered with HTTP status 200'],
	])('by a tunnel of tinyproxy, nginx answers with %s', async (_what, does, why) => {
		await before({ service: { does } });
		await tinyproxy.serve();
		expect(await place()).toMatchObject({ result: 'unknown', message: expect.stringContaining(why) });
	});

	test('a redirect of nginx', async () => {
		await before({ service: { does: 'return 308 https://www.example.com/login?token=1;' } });
		await tinyproxy.serve();
		expect(await place()).toMatchObject({
			result: 'failed',
			message: expect.stringContaining('redirects to https://www.example.com (HTTP status 308)'),
		});
	});

	test('nothing that refuses: the call is placed, once', async () => {
		await before({});
		await tinyproxy.serve();
		const called = await calls();
		expect(await place()).toMatchObject({ id: expect.any(String) });
		expect(await calls()).toBe(called + 1);
	});
});
