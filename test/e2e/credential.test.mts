import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

test("n8n's HTTP Request node and Make API Request get the same from endpoints that have no operation", async () => {
	const withoutOperation = [
		`/agents/${n8n.sandbox.agentId}/pricing/summary`,
		'/callback-agents/source-agents',
		'/action-integrations',
	];
	const paths = n8n.given(
		'Paths',
		withoutOperation.map((path) => ({ path })),
	);
	const own = n8n.action('Make API Request', {
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'GET',
		path: '={{ $json.path }}',
	});
	const http = n8n.node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `=${n8n.sandbox.url}/api/v1{{ $('Paths').item.json.path }}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'voiceAgentCallingApi',
	});
	http.credentials = { voiceAgentCallingApi: n8n.credential };
	const { id, status } = await n8n.runOnce([paths, own, http]);
	expect(status).toBe('success');
	const [fromOwn, fromHttp] = [await n8n.outputOf(id, own.name), await n8n.outputOf(id, http.name)];
	expect(fromHttp).toHaveLength(withoutOperation.length);
	expect(fromHttp).toEqual(fromOwn);
	// The sandbox answers 401 without the token.
	const bare = { ...http, parameters: { ...http.parameters, authentication: 'none' } };
	expect((await n8n.runOnce([paths, bare])).status).toBe('error');
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
