import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { NodeSpec } from '../harness.mts';
import type { Circumstances, Operations, Provoker } from './provoke.mts';
import { answer } from './provoke.mts';
import type { Row, Section } from './table.mts';

/** Makes every DNS lookup fail with a Node.js error code while `work` runs. */
export async function withFailingLookup<Result>(code: string, work: () => Promise<Result>): Promise<Result> {
	const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((_name: string, ...rest: unknown[]) => {
		const done = rest.at(-1) as (error: Error) => void;
		done(Object.assign(new Error(code), { code }));
	}) as unknown as typeof dns.lookup);
	try {
		return await work();
	} finally {
		lookup.mockRestore();
	}
}

/** The port of a closed server. */
export async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

export const lookupCodes: Array<[code: string, what: string]> = [
	['ENOTFOUND', 'The host name does not exist: a typing mistake, for example'],
	['EAI_AGAIN', 'The host name cannot be looked up: n8n has no way to a name server'],
	['EHOSTUNREACH', 'There is no way to the host'],
	['ENETUNREACH', 'There is no way to the network: n8n has no Internet connection, for example'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate is signed by itself'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'The certificate comes from an authority that n8n does not know'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'A certificate of the chain is missing'],
	['CERT_HAS_EXPIRED', 'The certificate has expired'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate belongs to another host'],
];

/** Connection errors of reads. */
export async function connections(provoker: Provoker, { getCampaign }: Operations): Promise<Section> {
	const { service } = provoker;
	const elsewhere = { credentials: service.credentials({ baseUrl: 'https://api.example.com' }) };
	const gone = { credentials: service.credentials({ baseUrl: `http://127.0.0.1:${await closedPort()}` }) };
	const rows: Row[] = [
		await provoker.node(
			'Nothing listens there: the service is down, the port is wrong, or n8n runs in Docker, where `localhost` is the container itself',
			getCampaign(),
			gone,
		),
	];
	for (const [code, what] of lookupCodes) {
		rows.push(await withFailingLookup(code, async () => await provoker.node(what, getCampaign(), elsewhere)));
	}
	const slow = { sending: { requestTimeout: 1 } };
	const faults: Array<[what: string, given: Circumstances, more?: NodeSpec['parameters']]> = [
		['No answer comes in time', { fault: { kind: 'latency', ms: 1200 } }, slow],
		['The connection is cut', { fault: { kind: 'drop-before' } }],
		['A proxy gives up', answer(504, '<html>Gateway Timeout</html>')],
		['The address leads to another one', answer(302, '', { location: 'https://www.example.com/' })],
		['A success that is not JSON: a web page answers, for example', { fault: { kind: 'malformed' } }],
		['A success without what belongs in it', answer(200, { success: true })],
	];
	for (const [what, given, more] of faults) {
		rows.push(await provoker.node(what, getCampaign(more), given));
	}
	return {
		title: 'The way to the service',
		note: 'For what makes a phone ring, see also [outcome unknown](#outcome-unknown). The refused connection, the time-out, the cut connection, the redirect and the unreadable answers are real; for the other codes a look-up fails with this code.',
		rows,
	};
}

/** Requests with an unknown outcome. */
export async function outcomes(
	provoker: Provoker,
	{ place, setStatus, createHook, getCampaign }: Operations,
): Promise<Section> {
	const sending = { requestTimeout: 1 };
	const many = { items: [{ to: '+12025550111' }, { to: '+12025550112' }, { to: '+12025550113' }], anchor: '' };
	const rows = [
		await provoker.node('A call: the connection was cut before the service answered', place(), {
			fault: { kind: 'drop-after' },
		}),
		await provoker.node('A call: no answer came in time', place({ sending }), { fault: { kind: 'latency', ms: 1200 } }),
		await provoker.node(
			'A call: the service broke down, or a proxy gave up',
			place(),
			answer(504, '<html>Gateway Timeout</html>'),
		),
		await provoker.node('A call: the answer cannot be read', place(), { fault: { kind: 'malformed' } }),
		await provoker.node('A call: the success has no call in it', place(), answer(200, { success: true })),
		await provoker.node('Retry On Fail: the try before was never answered', place(), {
			fault: { kind: 'drop-after' },
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		}),
		await provoker.node('Something other than a call: the connection was cut', createHook(), {
			fault: { kind: 'drop-after' },
		}),
		await provoker.node('Several items, of which the first failed', place({ phoneNumber: '={{ $json.to }}' }), {
			...answer(402, { error: { code: 'INSUFFICIENT_CREDITS', message: 'The account lacks credits.' } }),
			...many,
		}),
		await provoker.node('What can be repeated without harm is not unknown: setting a status', setStatus(), {
			...answer(503, ''),
			anchor: '',
		}),
		await provoker.node('The same for whatever only reads', getCampaign(), { ...answer(503, ''), anchor: '' }),
	];
	return {
		title: 'Outcome unknown',
		note: 'A call that was sent and not clearly answered is not sent again, by no retry of the node. Before you call that number again, look at the calls in the service.',
		rows,
	};
}
