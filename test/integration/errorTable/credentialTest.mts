import { closedPort, lookupCodes, withFailingLookup } from './connections.mts';
import type { Provoker } from './provoke.mts';
import type { Row, Section } from './table.mts';

const unknownAuthority =
	"n8n does not trust who signed the certificate there. If it is your own, let n8n's Node.js trust it (NODE_EXTRA_CA_CERTS); otherwise ask whoever runs the service.";

const adviceByCode: Record<string, string> = {
	ENOTFOUND: 'Look for a typing mistake in the Base URL.',
	EAI_AGAIN: 'n8n has no way to a name server: check its network.',
	EHOSTUNREACH: "Check the Base URL and n8n's network.",
	ENETUNREACH: "Check n8n's Internet connection.",
	DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
	SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
	CERT_HAS_EXPIRED: 'Whoever runs the service has to renew the certificate.',
	ERR_TLS_CERT_ALTNAME_INVALID: 'Check the host name in the Base URL: the certificate is for another one.',
};

/** The result of the credential test, after Save or Retry. */
export async function credentialTest(provoker: Provoker): Promise<Section> {
	const elsewhere = { baseUrl: 'https://api.example.com' };
	const refusal = (status: number, body: unknown = {}) => ({ kind: 'status' as const, status, body });
	const plainly =
		'n8n shows the words of the HTTP status. Try again later; if this goes on, ask whoever runs the service.';
	const rows: Row[] = [
		await provoker.credential('The token is wrong, expired or replaced', {}, refusal(401)),
		await provoker.credential('The token may not list agents', {}, refusal(403)),
		await provoker.credential('There is something else at the address', {}, refusal(404)),
		await provoker.credential(
			'The address leads to another one',
			{},
			{ ...refusal(308), headers: { location: 'https://www.example.com/' } },
		),
		await provoker.credential(
			'Something answers with success, but not the service',
			{},
			refusal(200, { hello: 'world' }),
		),
		await provoker.credential('Too many requests', {}, refusal(429), plainly),
		await provoker.credential('The service has trouble of its own', {}, refusal(500), plainly),
		await provoker.credential(
			'The Base URL is no address',
			{ baseUrl: 'api.example.com' },
			undefined,
			'Write it with https:// before it.',
		),
		await provoker.credential(
			'The Base URL is plain http on another machine',
			{ baseUrl: 'http://api.example.com' },
			undefined,
			'Use https.',
		),
		await provoker.credential(
			'Nothing listens there',
			{ baseUrl: `http://127.0.0.1:${await closedPort()}` },
			undefined,
			'Check the port. In Docker, localhost is the container itself.',
		),
		await provoker.credential(
			'The connection was cut',
			{},
			{ kind: 'drop-before' },
			'A firewall or a proxy on the way has cut the connection: try again, then look at those.',
		),
	];
	for (const [code, what] of lookupCodes) {
		const advice = adviceByCode[code];
		rows.push(await withFailingLookup(code, async () => await provoker.credential(what, elsewhere, undefined, advice)));
	}
	return {
		title: "The credential's test",
		note: "What the credential's window shows after *Save* or *Retry*. Where n8n shows a code alone, the advice is this page's.",
		rows,
	};
}
