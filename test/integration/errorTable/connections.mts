import dns from 'node:dns';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { harness } from '../harness.mts';
import { listen } from '../listen.mts';
import { answer, type Case, type Operations, type Provoker } from './provoke.mts';
import type { Row, Section } from './table.mts';

/** A host whose name cannot be looked up while {@link withFailingLookups} works. @param code the code of the error */
const hostThatFails = (code: string) => `https://${code.toLowerCase()}.example.com`;

/** The system call that fails with a code; a certificate is no system call. */
const syscalls: Readonly<Record<string, string>> = {
	ENOTFOUND: 'getaddrinfo',
	EAI_AGAIN: 'getaddrinfo',
	EHOSTUNREACH: 'connect',
	ENETUNREACH: 'connect',
};

/** Lets each look-up of a {@link hostThatFails} fail with its code while `work` runs. */
export async function withFailingLookups<Result>(work: () => Promise<Result>): Promise<Result> {
	const { lookup } = dns;
	const failing = ((name: string, ...rest: unknown[]) => {
		const [code = ''] = name.toUpperCase().split('.');
		if (!lookupCodes.some(([known]) => known === code)) {
			return (lookup as (...all: unknown[]) => void)(name, ...rest);
		}
		const done = rest.at(-1) as (error: Error) => void;
		done(Object.assign(new Error(code), { code, syscall: syscalls[code] }));
	}) as typeof dns.lookup;
	const spy = jest.spyOn(dns, 'lookup').mockImplementation(failing);
	try {
		return await work();
	} finally {
		spy.mockRestore();
	}
}

/** An address at which no server listens. The system gives this port to no server of a test that runs meanwhile. */
const CLOSED = 'http://127.0.0.1:9';

const lookupCodes: Array<[code: string, what: string]> = [
	['ENOTFOUND', 'The host name does not exist: a typing mistake, for example'],
	['EAI_AGAIN', 'The host name cannot be looked up: n8n cannot reach a name server'],
	['EHOSTUNREACH', 'There is no route to the host'],
	['ENETUNREACH', 'There is no route to the network: n8n has no Internet connection, for example'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate is self-signed'],
];

/** Refusals of a proxy to open a tunnel to the service. They change the environment of n8n while they run. */
export async function refusedTunnels(provoker: Provoker, { getCampaign }: Operations): Promise<Row[]> {
	const proxy = createServer().on('connect', (_request: IncomingMessage, socket: Duplex) => {
		socket.end('HTTP/1.1 403 No\r\n\r\n');
	});
	harness.setEnvironment({ HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` });
	try {
		const host = (status: number) => ({ credential: { baseUrl: `https://${status}.example.com` } });
		return await provoker.rows([['The proxy of HTTPS_PROXY does not allow the address', getCampaign(), host(403)]]);
	} finally {
		harness.restoreEnvironment();
	}
}

/** Errors of the connection while something is read. @param tunnels the rows of {@link refusedTunnels} */
export async function connections(
	provoker: Provoker,
	{ getCampaign, getByApiRequest }: Operations,
	tunnels: Row[],
): Promise<Section> {
	const slow = { sending: { requestTimeout: 1 } };
	const rows = await provoker.rows([
		[
			'Nothing listens there: the service is down, the port is wrong, or n8n runs in Docker, where `localhost` is the container itself',
			getCampaign(),
			{ credential: { baseUrl: CLOSED } },
		],
		...lookupCodes.map(([code, what]): Case => [what, getCampaign(), { credential: { baseUrl: hostThatFails(code) } }]),
		['No answer comes in time', getByApiRequest(slow), { fault: { kind: 'latency', ms: 1200 } }],
		['The connection is cut', getCampaign(), { fault: { kind: 'drop-before' } }],
		['A proxy, a firewall or a login page answers', getCampaign(), answer(504, '<html>Gateway Timeout</html>')],
		['Another server is at the Base URL', getCampaign(), answer(404, { message: 'no Route matched' })],
		['The address redirects to another one', getCampaign(), answer(302, '', { location: 'https://www.example.com/' })],
		['A success that is not JSON: a web page answers, for example', getCampaign(), { fault: { kind: 'malformed' } }],
		['A success without what belongs in it', getCampaign(), answer(200, { success: true })],
	]);
	return {
		title: 'The connection to the service',
		note: 'For a call, see [outcome unknown](#outcome-unknown).',
		rows: [...rows, ...tunnels],
	};
}

/** Requests that were sent and whose outcome is unknown. */
export async function outcomes(provoker: Provoker, { place, setStatus, createHook }: Operations): Promise<Section> {
	const many = { items: [{ to: '+12025550111' }, { to: '+12025550112' }, { to: '+12025550113' }], explains: false };
	const rows = await provoker.rows([
		['A call: the connection was cut before the service answered', place(), { fault: { kind: 'drop-after' } }],
		['A call: the service broke down, or a proxy gave up', place(), answer(504, '<html>Gateway Timeout</html>')],
		[
			'Retry On Fail: the try before was never answered',
			place(),
			{ fault: { kind: 'drop-after' }, node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		],
		['Something other than a call: the connection was cut', createHook(), { fault: { kind: 'drop-after' } }],
		[
			'Several items, of which the first failed',
			place({ phoneNumber: '={{ $json.to }}' }),
			{ ...answer(402, { error: { code: 'INSUFFICIENT_CREDITS', message: 'The account lacks credits.' } }), ...many },
		],
		['A change that may be repeated: setting a status', setStatus(), { ...answer(503, ''), explains: false }],
	]);
	return {
		title: 'Outcome unknown',
		note: 'The node does not send such a call again. Look at the calls in the service before you call the number again.',
		rows,
	};
}
