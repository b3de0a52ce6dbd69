import { endpointUrl, parseBaseUrl } from '../../../../nodes/shared/client/baseUrl.ts';
import fc from '../../../fastCheck.mts';

describe('The Base URL of the credential', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com/api/v1', 'https://api.example.com'],
		[' https://api.example.com/api/v1// ', 'https://api.example.com'],
		['https://example.com/calls/api/v1/', 'https://example.com/calls'],
		...['http://localhost:4010', 'http://127.0.0.1:4010', 'http://[::1]:4010'].map((local) => [local, local]),
	])('%s leads to %s', (given, expected) => {
		expect(endpointUrl(parseBaseUrl(given!), ['agents'])).toBe(`${expected}/api/v1/agents`);
	});

	test.each(['host.docker.internal', 'host.containers.internal'])(
		'leads from a container to the sandbox at %s, with the token that only a sandbox has',
		(host) => {
			const given = `http://${host}:4010`;
			expect(endpointUrl(parseBaseUrl(given, ' TOKEN '), ['agents'])).toBe(`${given}/api/v1/agents`);
			for (const token of [undefined, '', 'TOKEN-readonly', 'token', 'a-real-token']) {
				expect(() => parseBaseUrl(given, token)).toThrow('must start with https://');
			}
			expect(parseBaseUrl(`https://${host}`, 'a-real-token').hostname).toBe(host);
		},
	);

	test('names no token in its refusal', () => {
		expect(() => parseBaseUrl('http://host.docker.internal', 'a-real-token')).toThrow(
			/^(?!.*a-real-token).*only from a container, for the sandbox with its own token, TOKEN$/,
		);
		expect(() => parseBaseUrl('http://x.host.docker.internal', 'TOKEN')).toThrow('must start with https://');
	});

	test.each([
		['http on another machine', 'http://api.example.com', 'must start with https://'],
		['a host that only starts like localhost', 'http://localhost.example.com', 'must start with https://'],
		['a host that only starts like 127.0.0.1', 'http://127.0.0.1.example.com', 'must start with https://'],
		['another protocol', 'ftp://127.0.0.1:4010', 'must start with https://, not ftp://'],
		['no URL', 'api.example.com', 'is not a URL. Enter one like https://api.example.com'],
		['no scheme, with a port', 'api.example.com:443', 'is not a URL. Enter one like https://api.example.com'],
		['no scheme, on this machine', 'localhost:4010', 'is not a URL. Enter one like http://localhost:4010'],
		['no scheme, on this machine by number', '127.0.0.1:4010/api/v1', 'Enter one like http://127.0.0.1:4010'],
		['no scheme, from a container', 'host.docker.internal:4010', 'Enter one like http://host.docker.internal:4010'],
		['the token', 'secret-token', 'is not a URL. Enter one like https://api.example.com'],
		['nothing', '', 'is not a URL'],
		['a login', 'https://user:word@api.example.com', 'must have no user name'],
		['a query', 'https://api.example.com?x=1', 'must have no user name'],
	])('%s is rejected with advice', (_what, given, text) => {
		expect(() => parseBaseUrl(given)).toThrow(text);
	});
});

test('an ID stays within its path segment, whatever it contains', () => {
	const base = parseBaseUrl('https://api.example.com');
	fc.assert(
		fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
			fc.pre(id !== '.' && id !== '..');
			const url = new URL(endpointUrl(base, ['campaigns', id, 'call']));
			expect(url.origin).toBe('https://api.example.com');
			expect(url.pathname.split('/').slice(1).map(decodeURIComponent)).toEqual(['api', 'v1', 'campaigns', id, 'call']);
			expect(url.search + url.hash).toBe('');
		}),
	);
	for (const id of ['', '.', '..']) {
		expect(() => endpointUrl(base, ['agents', id])).toThrow('cannot be an ID');
	}
});
