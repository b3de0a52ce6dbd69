import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { VoiceAgentCallingApi } from '../../../credentials/VoiceAgentCallingApi.credentials.ts';

type Data = ICredentialDataDecryptedObject;
type Authenticate = (data: Data, options: IHttpRequestOptions) => Promise<IHttpRequestOptions>;
const authenticate = new VoiceAgentCallingApi().authenticate as Authenticate;
const credentials = { baseUrl: 'https://api.example.com/api/v1/', environmentToken: ' TOKEN ' };

async function tokenFor(options: object, data: Data = credentials): Promise<unknown> {
	const { headers } = await authenticate(data, options as IHttpRequestOptions);
	return headers?.Authorization;
}

describe('The environment token is sent', () => {
	test.each([
		['a request to the service', { url: 'https://api.example.com/api/v1/agents' }],
		['a path below the Base URL', { url: '/api/v1/agents', baseURL: 'https://api.example.com' }],
		['a request of the HTTP Request node, which has an uri', { uri: 'https://api.example.com/api/v1/calls' }],
		['the same host with an explicit port', { url: 'https://api.example.com:443/api/v1/agents' }],
	])('with %s', async (_what, options) => {
		expect(await tokenFor(options)).toBe('Bearer TOKEN');
	});

	test('and n8n follows no redirect with it, whatever the node asks for', async () => {
		const asked = { followRedirect: true, followAllRedirects: true, maxRedirects: 5 };
		const options = await authenticate(credentials, { uri: 'https://api.example.com/x', ...asked } as object as never);
		const followed = { followRedirect: false, followAllRedirects: false, maxRedirects: 0 };
		expect(options).toMatchObject({ disableFollowRedirect: true, ...followed });
	});

	test('over plain http only on this machine', async () => {
		const local = { ...credentials, baseUrl: 'http://127.0.0.1:4010' };
		expect(await tokenFor({ url: 'http://127.0.0.1:4010/api/v1/agents' }, local)).toBe('Bearer TOKEN');
		const fromContainer = { ...credentials, baseUrl: 'http://host.docker.internal:4010' };
		const request = { url: 'http://host.docker.internal:4010/api/v1/agents' };
		expect(await tokenFor(request, fromContainer)).toBe('Bearer TOKEN');
		await expect(tokenFor(request, { ...fromContainer, environmentToken: 'a-real-token' })).rejects.toThrow('https://');
		const remote = { ...credentials, baseUrl: 'http://api.example.com' };
		await expect(tokenFor({ url: 'http://api.example.com/api/v1/agents' }, remote)).rejects.toThrow('https://');
	});
});

describe('The environment token is not sent', () => {
	test.each([
		['another host', { url: 'https://evil.example/api/v1/agents' }],
		['a subdomain', { url: 'https://x.api.example.com/' }],
		['plain http', { url: 'http://api.example.com/api/v1/agents' }],
		['another port', { url: 'https://api.example.com:8443/' }],
		['a host after a user name', { url: 'https://api.example.com@evil.example/' }],
		['a URL that leaves its base URL', { url: '//evil.example/x', baseURL: 'https://api.example.com' }],
		['backslashes', { url: '\\\\evil.example\\x', baseURL: 'https://api.example.com' }],
		['no address', { url: '' }],
	])('to %s', async (_what, options) => {
		expect(await tokenFor(options)).toBeUndefined();
	});
});
