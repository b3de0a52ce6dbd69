import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { VoiceAgentCallingApi } from '../../../credentials/VoiceAgentCallingApi.credentials.ts';

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

const authenticate = new VoiceAgentCallingApi().authenticate as Authenticate;
const credentials = { baseUrl: 'https://api.example.com/api/v1/', environmentToken: ' TOKEN ' };

async function tokenFor(options: object, given: ICredentialDataDecryptedObject = credentials): Promise<unknown> {
	const { headers } = await authenticate(given, options as IHttpRequestOptions);
	return headers?.Authorization;
}

describe('The environment token travels', () => {
	test.each([
		['a request to the service', { url: 'https://api.example.com/api/v1/agents' }],
		['a path below the Base URL', { url: '/api/v1/agents', baseURL: 'https://api.example.com' }],
		['the HTTP Request node, which calls the address uri', { uri: 'https://api.example.com/api/v1/calls' }],
		['the same host written out with its port', { url: 'https://api.example.com:443/api/v1/agents' }],
	])('with %s', async (_what, options) => {
		expect(await tokenFor(options)).toBe('Bearer TOKEN');
	});

	test('with no redirect to another host', async () => {
		const options = await authenticate(credentials, { url: 'https://api.example.com/x' });
		expect(options.sendCredentialsOnCrossOriginRedirect).toBe(false);
	});

	test('over plain http only to this machine', async () => {
		const local = { ...credentials, baseUrl: 'http://127.0.0.1:4010' };
		expect(await tokenFor({ url: 'http://127.0.0.1:4010/api/v1/agents' }, local)).toBe('Bearer TOKEN');
		const remote = { ...credentials, baseUrl: 'http://api.example.com' };
		await expect(tokenFor({ url: 'http://api.example.com/api/v1/agents' }, remote)).rejects.toThrow('https://');
	});
});

describe('The environment token stays at home', () => {
	test.each([
		['another host', { url: 'https://evil.example/api/v1/agents' }],
		['a sub-domain', { url: 'https://x.api.example.com/' }],
		['plain http', { url: 'http://api.example.com/api/v1/agents' }],
		['another port', { url: 'https://api.example.com:8443/' }],
		['a host behind a user name', { url: 'https://api.example.com@evil.example/' }],
		['an address that leaves its base', { url: '//evil.example/x', baseURL: 'https://api.example.com' }],
		['backslashes', { url: '\\\\evil.example\\x', baseURL: 'https://api.example.com' }],
		['no address', { url: '' }],
	])('for %s', async (_what, options) => {
		expect(await tokenFor(options)).toBeUndefined();
	});
});
