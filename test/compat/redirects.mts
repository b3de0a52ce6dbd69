import { randomUUID } from 'node:crypto';

import { until } from '../../scripts/lib/waiting.mts';
import type { Editor } from '../../scripts/n8n/editor.mts';
import type { Check } from '../../scripts/quickstart/outcome.mts';
import { type Arrival, startRedirectServers } from './redirectServers.mts';

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

/** What the HTTP Request node is asked for. */
interface Asked {
	url: string;
	method: string;
}

/** Redirects of an origin to itself and to all others, with each status, for each method. */
function requestsTo(base: string, targets: readonly string[]): Asked[] {
	return targets.flatMap((target) =>
		STATUSES.flatMap((status) =>
			METHODS.map((method) => ({
				url: `${base}/redirect?${new URLSearchParams({ status: String(status), to: `${target}/landed` })}`,
				method,
			})),
		),
	);
}

/** Sends requests with one HTTP Request node. */
async function send(
	editor: Editor,
	asked: readonly Asked[],
	{ typeVersion, parameters }: HttpNode,
	credential?: { id: string; name: string },
): Promise<void> {
	const own = 'voiceAgentCallingApi';
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		...{ id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
	});
	const nodes = [
		node('Start', 'manualTrigger', 1, {}),
		node('Requests', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ asked }), options: {} }),
		node('Each', 'splitOut', 1, { fieldToSplitOut: 'asked', options: {} }),
		{
			...node('Send', 'httpRequest', typeVersion, {
				url: '={{ $json.url }}',
				...parameters,
				...(credential && { authentication: 'predefinedCredentialType', nodeCredentialType: own }),
			}),
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

/** The requests with a token that arrived anywhere else than at the origin that the token is for. */
function strayed(arrivals: readonly Arrival[], token: string, base: string): Arrival[] {
	return arrivals.filter(({ origin, headers }) => origin !== base && JSON.stringify(headers).includes(token));
}

/**
 * Lets n8n's own HTTP Request node use the credential where the service redirects: to its own origin, another port,
 * host, subdomain, parent domain and protocol. Real servers record which headers arrive where.
 */
export async function redirectChecks(editor: Editor): Promise<Check[]> {
	const servers = await startRedirectServers();
	const { ports, arrivals } = servers;
	const http = `http://service.localhost:${ports.http}`;
	const https = `https://service.localhost:${ports.https}`;
	const others = [
		`http://service.localhost:${ports.otherHttp}`,
		`http://sub.service.localhost:${ports.http}`,
		`http://other.localhost:${ports.http}`,
		`http://localhost:${ports.http}`,
		`http://127.0.0.1:${ports.http}`,
	];
	const checks: Check[] = [];
	const check = (text: string, passed: boolean) => checks.push({ text, passed });
	const taken = () => arrivals.splice(0);
	try {
		for (const httpNode of HTTP_NODES) {
			const name = `HTTP Request node ${httpNode.typeVersion}`;
			await send(editor, requestsTo(http, [...others, https]), httpNode);
			const landed = new Set(
				taken()
					.filter(({ path, headers }) => path === '/landed' && headers[PROBE.name] === PROBE.value)
					.map(({ origin }) => origin),
			);
			check(`${name}: without the credential it follows these redirects`, landed.size === others.length + 1);

			for (const base of [http, https]) {
				const token = randomUUID();
				const data = { baseUrl: base, environmentToken: token };
				const credential = { name: `${name} ${base}`, type: 'voiceAgentCallingApi', data };
				const { id } = await editor.request<{ id: string }>('POST', '/rest/credentials', credential);
				const targets = [base, base === http ? https : http, ...others];
				const asked = requestsTo(base, targets);
				await send(editor, asked, httpNode, { id, name: credential.name });
				const came = taken();
				const first = came.filter(({ origin, path }) => origin === base && path.startsWith('/redirect'));
				const authorized = first.filter(({ headers }) => headers.authorization === `Bearer ${token}`);
				const protocol = new URL(base).protocol;
				check(`${name}, ${protocol} each request arrives with the token`, authorized.length === asked.length);
				const lost = strayed(came, token, base);
				const where = [...new Set(lost.map(({ origin, method }) => `${method} ${origin}`))].join(', ');
				check(`${name}, ${protocol} the token reaches no other origin${where && `, but ${where}`}`, lost.length === 0);
				check(`${name}, ${protocol} no redirect is followed`, came.length === asked.length);
			}
		}
	} finally {
		servers.close();
	}
	return checks;
}
