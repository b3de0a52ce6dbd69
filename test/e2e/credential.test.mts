import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

const works = { status: 'OK', message: 'Connection successful!' };
const refused = { status: 'Error', message: expect.stringMatching(/does not accept the environment token/) };

test.each([
	['works with the right token and blanks around it', '', ' ', works],
	// The missing permission shows at the first write: the test only reads, so that it never places a call.
	['works with a token that may only read, and the path of the API after the Base URL', '/api/v1/', '-readonly', works],
	['says that a token is wrong', '', '-WRONG', refused],
])('The credential test in the editor %s', async (_what, afterUrl, afterToken, answer) => {
	const data = { baseUrl: n8n.sandbox.url + afterUrl, environmentToken: n8n.sandbox.token + afterToken };
	const [name, type] = ['Tried', 'voiceAgentCallingApi'];
	const id = await n8n.createCredential(name, type, data);
	// What "Retry" in the credential's window does, with what is entered there.
	const tried = await n8n.editor.request('POST', '/rest/credentials/test', { credentials: { id, name, type, data } });
	expect(tried).toEqual(answer);
});
