import { CLOSED, hostThatFails, lookupCodes } from './connections.mts';
import type { Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** The messages of the credential's window after Save or Retry. */
export async function credentialTest(provoker: Provoker): Promise<Section> {
	const refusal = (status: number, body: unknown = {}) => ({ kind: 'status' as const, status, body });
	const expired = { success: false, message: 'The token has expired.', code: 'TOKEN_EXPIRED' };
	const rows = await Promise.all([
		provoker.credential('The token is wrong or was replaced', {}, refusal(401)),
		provoker.credential('The token has expired', {}, refusal(401, expired)),
		provoker.credential('There is no token', { environmentToken: ' ' }),
		provoker.credential('The token may not list agents', {}, refusal(403)),
		provoker.credential('There is something else at the address', {}, refusal(404)),
		provoker.credential(
			'The address redirects to another one',
			{},
			{ ...refusal(308), headers: { location: 'https://www.example.com/' } },
		),
		provoker.credential('A web page answers', {}, refusal(200, '<html>Welcome</html>')),
		provoker.credential('Another service answers', {}, refusal(200, { hello: 'world' })),
		provoker.credential('Too many requests', {}, refusal(429)),
		provoker.credential('The service has an internal error', {}, refusal(500)),
		provoker.credential('The Base URL is not a URL', { baseUrl: 'api.example.com' }),
		provoker.credential('The Base URL is plain http on another machine', { baseUrl: 'http://api.example.com' }),
		provoker.credential('The Base URL is the sandbox outside of the container, with another token', {
			...{ baseUrl: 'http://host.docker.internal:4010', environmentToken: 'another' },
		}),
		provoker.credential('Nothing listens there', { baseUrl: CLOSED }),
		provoker.credential('The connection was closed', {}, { kind: 'drop-before' }),
		provoker.credential('There is no answer in time', {}, { kind: 'latency', ms: 10_500 }),
		...lookupCodes.map(([code, what]) => provoker.credential(what, { baseUrl: hostThatFails(code) })),
	]);
	return {
		title: "The credential's test",
		rows,
	};
}
