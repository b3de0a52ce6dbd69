import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

/** Presses "Retry" in the credential's window, with what is entered there; gives what the window says. */
async function testCredential(baseUrl: string, environmentToken: string): Promise<unknown> {
	const [name, type, data] = ['Tried', 'voiceAgentCallingApi', { baseUrl, environmentToken }];
	const id = await n8n.createCredential(name, type, data);
	return await n8n.editor.request('POST', '/rest/credentials/test', { credentials: { id, name, type, data } });
}

const works = { status: 'OK', message: 'Connection successful!' };
const says = (text: RegExp) => ({ status: 'Error', message: expect.stringMatching(text) as string });

test.each([
	['works with the right token and blanks around it', '', ' ', works],
	// The missing permission shows at the first write: the test only reads, so that it never places a call.
	['works with a token that may only read, and the path of the API after the Base URL', '/api/v1/', '-readonly', works],
	['says that a token is wrong', '', '-WRONG', says(/does not accept the environment token/)],
])('The credential test in the editor %s', async (_what, afterUrl, afterToken, answer) => {
	expect(await testCredential(n8n.sandbox.url + afterUrl, n8n.sandbox.token + afterToken)).toEqual(answer);
});

test('The credential test in the editor sends its token to no other machine without TLS, follows no redirect, and sends it once', async () => {
	/** The `Authorization` header of each request to a server that redirects. */
	const received: Array<string | undefined> = [];
	const redirecting = createServer(({ headers }, response) => {
		received.push(headers.authorization);
		response.writeHead(302, { location: `${n8n.sandbox.url}/api/v1/agents` }).end();
	});
	await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
	redirecting.unref();
	const unencrypted = await testCredential('http://api.example.com', n8n.sandbox.token);
	expect(unencrypted).toEqual(says(/must start with https:/));
	const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
	expect(await testCredential(url, n8n.sandbox.token)).toEqual(says(/^The Base URL redirects to /));
	expect(received).toEqual([`Bearer ${n8n.sandbox.token}`]);
});
