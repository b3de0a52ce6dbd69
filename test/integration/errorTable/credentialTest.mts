import { CLOSED, hostThatFails, lookupCodes } from './connections.mts';
import type { Provoker } from './provoke.mts';
import type { Section } from './table.mts';

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

/** The messages of the credential's window after Save or Retry. */
export async function credentialTest(provoker: Provoker): Promise<Section> {
	const refusal = (status: number, body: unknown = {}) => ({ kind: 'status' as const, status, body });
	const plainly =
		'n8n shows the words of the HTTP status. Try again later; if this goes on, ask whoever runs the service.';
	const rows = await Promise.all([
		provoker.credential('The token is wrong, expired or replaced', {}, refusal(401)),
		provoker.credential('The token may not list agents', {}, refusal(403)),
		provoker.credential('There is something else at the address', {}, refusal(404)),
		provoker.credential(
			'The address leads to another one',
			{},
			{ ...refusal(308), headers: { location: 'https://www.example.com/' } },
		),
		provoker.credential('Something answers with success, but not the service', {}, refusal(200, { hello: 'world' })),
		provoker.credential('Too many requests', {}, refusal(429), plainly),
		provoker.credential('The service has trouble of its own', {}, refusal(500), plainly),
		provoker.credential(
			'The Base URL is no address',
			{ baseUrl: 'api.example.com' },
			undefined,
			'Write it with https:// before it.',
		),
		provoker.credential(
			'The Base URL is plain http on another machine',
			{ baseUrl: 'http://api.example.com' },
			undefined,
			'Use https.',
		),
		provoker.credential(
			'Nothing listens there',
			{ baseUrl: CLOSED },
			undefined,
			'Check the port. In Docker, localhost is the container itself.',
		),
		provoker.credential(
			'The connection was cut',
			{},
			{ kind: 'drop-before' },
			'A firewall or a proxy on the way has cut the connection: try again, then look at those.',
		),
		...lookupCodes.map(([code, what]) =>
			provoker.credential(what, { baseUrl: hostThatFails(code) }, undefined, adviceByCode[code]),
		),
	]);
	return {
		title: "The credential's test",
		note: "What the credential's window shows after *Save* or *Retry*. Where n8n shows a code alone, the advice is this page's.",
		rows,
	};
}
