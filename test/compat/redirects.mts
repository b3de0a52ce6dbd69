import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { Editor } from '../../scripts/lib/editor.mts';
import type { Check } from '../../scripts/lib/outcome.mts';
import { until } from '../../scripts/lib/process.mts';
import { certificate } from '../integration/certificates.mts';

const STATUSES = [301, 302, 303, 307, 308];
const METHODS = ['GET', 'POST'];

/** Sent with every request. */
const PROBE = { name: 'x-probe', value: 'sent' };

/** A version of n8n's HTTP Request node, with the parameters that make it follow every redirect. */
interface HttpNode {
	typeVersion: number;
	parameters: object;
}

const method = '={{ $json.method }}';
const sendProbe = { sendHeaders: true, headerParameters: { parameters: [PROBE] } };
const allowUnauthorizedCerts = true;
const redirect = { redirect: { followRedirects: true, maxRedirects: 5 } };

/** Versions of the node that every n8n has. */
const HTTP_NODES: readonly HttpNode[] = [
	{
		typeVersion: 2,
		parameters: {
			requestMethod: method,
			headerParametersUi: { parameter: [PROBE] },
			allowUnauthorizedCerts,
			options: { followRedirect: true, followAllRedirects: true },
		},
	},
	{ typeVersion: 3, parameters: { method, ...sendProbe, options: { allowUnauthorizedCerts, redirect } } },
	{ typeVersion: 4.2, parameters: { method, ...sendProbe, options: { allowUnauthorizedCerts } } },
];

/** A request that arrived at an origin by the protocol and the header `Host`, such as `http://service.localhost:4711`. */
interface Arrival {
	origin: string;
	path: string;
	headers: Record<string, string | string[] | undefined>;
}

/** Starts servers that redirect `/redirect?status=307&to=URL` to the URL, and answer everything else with `{}`. */
async function startServers(arrivals: Arrival[]) {
	const listener =
		(protocol: string): RequestListener =>
		(request, response) => {
			const origin = `${protocol}//${request.headers.host}`;
			const { url: path = '', headers } = request;
			arrivals.push({ origin, path, headers });
			request.resume();
			const { pathname, searchParams } = new URL(path, origin);
			if (pathname === '/redirect') {
				response.writeHead(Number(searchParams.get('status')), { location: searchParams.get('to') ?? '/' }).end();
			} else {
				response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
			}
		};
	const https = createHttpsServer(certificate('Service'), listener('https:'));
	const servers: Server[] = [createHttpServer(listener('http:')), createHttpServer(listener('http:')), https];
	await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))));
	const close = () => {
		for (const server of servers) {
			server.closeAllConnections();
			server.close();
		}
	};
	return { ports: servers.map((server) => (server.address() as AddressInfo).port), close };
}

/** Redirects of an origin to others, with each status, for each method. */
const requestsTo = (base: string, targets: readonly string[]) =>
	targets.flatMap((target) =>
		STATUSES.flatMap((status) => {
			const query = new URLSearchParams({ status: String(status), to: `${target}/landed` });
			return METHODS.map((method) => ({ url: `${base}/redirect?${query}`, method }));
		}),
	);

/** Sends requests with one HTTP Request node. */
async function send(editor: Editor, asked: object[], { typeVersion, parameters }: HttpNode, credential?: object) {
	const own = 'voiceAgentCallingApi';
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		id: randomUUID(),
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	});
	const login = credential && { authentication: 'predefinedCredentialType', nodeCredentialType: own };
	const nodes = [
		node('Start', 'manualTrigger', 1, {}),
		node('Requests', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ asked }), options: {} }),
		node('Each', 'splitOut', 1, { fieldToSplitOut: 'asked', options: {} }),
		{
			...node('Send', 'httpRequest', typeVersion, { url: '={{ $json.url }}', ...parameters, ...login }),
			onError: 'continueRegularOutput',
			...(credential && { credentials: { [own]: credential } }),
		},
	];
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
	// Older versions of n8n need `active`.
	const workflow = { name: `Redirects ${typeVersion}`, active: false, nodes, connections, settings: {} };
	const { id } = await editor.request<{ id: string }>('POST', '/rest/workflows', workflow);
	const execution = await editor.run(id, 'Start');
	const end = async () => {
		const { status } = await editor.execution(execution);
		return ['new', 'running'].includes(status) ? undefined : status;
	};
	const otherwise = () => new Error(`Execution ${execution} does not end`);
	const status = await until(end, { seconds: 120, otherwise });
	if (status !== 'success') {
		throw new Error(`Execution ${execution} of the HTTP Request node ${typeVersion} ended as ${status}`);
	}
}

/**
 * Lets n8n's own HTTP Request node use the credential where the service redirects: to its own origin, another port,
 * host, subdomain, parent domain and protocol. Real servers record which headers arrive where.
 */
export async function redirectChecks(editor: Editor): Promise<Check[]> {
	const arrivals: Arrival[] = [];
	const { ports, close } = await startServers(arrivals);
	const [http, https] = [`http://service.localhost:${ports[0]}`, `https://service.localhost:${ports[2]}`];
	const others = [
		`http://service.localhost:${ports[1]}`,
		...['sub.service.localhost', 'other.localhost', 'localhost', '127.0.0.1'].map(
			(host) => `http://${host}:${ports[0]}`,
		),
	];
	const checks: Check[] = [];
	const check = (text: string, passed: boolean) => checks.push({ text, passed });
	try {
		for (const httpNode of HTTP_NODES) {
			const name = `HTTP Request node ${httpNode.typeVersion}`;
			await send(editor, requestsTo(http, [...others, https]), httpNode);
			const landed = arrivals
				.splice(0)
				.filter(({ path, headers }) => path === '/landed' && headers[PROBE.name] === PROBE.value);
			const origins = new Set(landed.map(({ origin }) => origin));
			check(`${name}: without the credential it follows these redirects`, origins.size === others.length + 1);

			for (const base of [http, https]) {
				const token = randomUUID();
				const data = { baseUrl: base, environmentToken: token };
				const credential = { name: `${name} ${base}`, type: 'voiceAgentCallingApi', data };
				const { id } = await editor.request<{ id: string }>('POST', '/rest/credentials', credential);
				const asked = requestsTo(base, [base, base === http ? https : http, ...others]);
				await send(editor, asked, httpNode, { id, name: credential.name });
				const came = arrivals.splice(0);
				const first = came.filter(({ origin, path }) => origin === base && path.startsWith('/redirect'));
				const authorized = first.filter(({ headers }) => headers.authorization === `Bearer ${token}`);
				const lost = came.filter(({ origin, headers }) => origin !== base && JSON.stringify(headers).includes(token));
				const where = [...new Set(lost.map(({ origin }) => origin))].join(', ');
				const of = `${name}, ${new URL(base).protocol}`;
				check(`${of} each request arrives with the token`, authorized.length === asked.length);
				check(`${of} the token reaches no other origin${where && `, but ${where}`}`, lost.length === 0);
				check(`${of} no redirect is followed`, came.length === asked.length);
			}
		}
	} finally {
		close();
	}
	return checks;
}
