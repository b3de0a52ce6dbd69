import { comes } from './eventually.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { postJson } from './handmade.mts';
import { byId, Instance } from './instance.mts';

const phones = ['+12025550111', '+12025550122', '+12025550133'];

let n8n: Instance;
let agents: string;
let credential: string;
let turns: Turn[] = [];
let model: Awaited<ReturnType<typeof startFakeModel>>;

beforeAll(async () => {
	// The n8n that other test files use has no agents.
	n8n = await Instance.start({ env: { N8N_DISABLED_MODULES: '' } });
	const project = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	agents = `/rest/projects/${project.id}/agents/v2`;
	model = await startFakeModel(() => turns.shift() ?? { say: 'Done.' });
	credential = await n8n.createCredential('Model', 'openAiApi', { apiKey: 'none', url: model.url });
});

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
	turns = [ask(), { say: 'Done.' }];
});

const ask = (phone = phones[0]): Turn => ({ tool: 'Phone', args: { phone } });

/** Creates an agent of n8n with the node as its tool, as the editor of agents does; gives its ID. */
async function createAgent(more: Record<string, unknown> = {}, requireApproval = false): Promise<string> {
	const phoneNumber = "={{ $fromAI('phone', 'The number to call', 'string') }}";
	const call = n8n.placing(n8n.sandbox.agentId, { phoneNumber, ...more });
	const node = {
		nodeType: call.type,
		nodeTypeVersion: call.typeVersion,
		nodeParameters: call.parameters,
		credentials: call.credentials,
	};
	const schema = {
		name: 'Caller',
		model: 'openai/fake',
		credential,
		instructions: 'Call the customer.',
		tools: [{ type: 'node', name: 'Phone', node, requireApproval }],
	};
	return (await n8n.editor.request<{ id: string }>('POST', agents, { name: 'Caller', schema })).id;
}

/** Sends something to the preview of an agent; gives its last event. */
async function chat(path: string, body: object) {
	const { text } = await postJson(`${n8n.n8n.url}${agents}/${path}`, body, { cookie: n8n.editor.cookie });
	const last = text.split('\n').findLast((line) => line.startsWith('data: {'));
	const event = JSON.parse(String(last).slice('data: '.length)) as { type: string; payload: Record<string, unknown> };
	expect(['done', 'tool-call-suspended']).toContain(event.type);
	return event;
}

/** Says something in the preview of an agent. */
const preview = async (id: string) => await chat(`${id}/chat`, { message: 'Call the customer.' });

/** Publishes an agent and lets a published workflow talk to it, started by a webhook. */
async function production(id: string): Promise<void> {
	await n8n.editor.request('POST', `${agents}/${id}/publish`, {});
	const hook = n8n.webhook();
	const parameters = { agentId: byId(id), message: 'Call the customer.' };
	const talk = n8n.node('Talk', 'n8n-nodes-base.messageAnAgent', 3.1, parameters);
	const workflowId = await n8n.published('Production', [hook, talk]);
	const url = `${n8n.n8n.url}/webhook/${hook.parameters.path}`;
	await comes(async () => (await fetch(url, { method: 'POST' })).ok, 'an answer of the webhook');
	expect(await n8n.finished(workflowId, 1)).toMatchObject([{ status: 'success' }]);
	await n8n.editor.unpublish(workflowId);
}

/** The number and whether it is a test call, of each call that was sent. */
const sent = async () => (await n8n.dialed()).map(({ to, is_testing }) => [to, is_testing]);

test.each([
	['In the preview', 'always', preview, [true]],
	['Published', 'never', production, [false]],
	['In the preview', 'automatic', preview, []],
	['Published', 'automatic', production, []],
] as const)('%s, an agent of n8n calls as Test Call says: %s', async (_, testCall, talk, calls) => {
	const isChosen = testCall !== 'automatic';
	await talk(await createAgent(isChosen ? { testCall } : {}));
	expect(await sent()).toEqual(calls.map((isTest) => [phones[0], isTest]));
	// Where n8n does not tell what it is, nothing is sent, and the model learns what to choose.
	expect(model.toolAnswers.join()).toContain(isChosen ? phones[0] : 'Test Call');
});

test('Max Calls per Hour holds an agent of n8n; Max Calls per Run does not, because each tool call is a run', async () => {
	// The calls of the other tests count for their own credential.
	const data = { baseUrl: n8n.sandbox.url, environmentToken: n8n.sandbox.token };
	n8n.credential.id = await n8n.createCredential('Another', 'voiceAgentCallingApi', data);
	turns = [...phones.map(ask), { say: 'Done.' }];
	await preview(await createAgent({ testCall: 'always', maxCalls: 1, maxCallsPerHour: 2 }));
	expect(await sent()).toEqual(phones.slice(0, 2).map((number) => [number, true]));
	expect(model.toolAnswers.join()).toContain('limit of 2 calls per hour');
});

test.each([true, false])(
	'A tool that requires approval calls nobody before a person has decided: %s',
	async (approved) => {
		const id = await createAgent({ testCall: 'always' }, true);
		const { runId, toolCallId } = (await preview(id)).payload;
		expect(await sent()).toEqual([]);
		await chat(`${id}/chat/resume`, { runId, toolCallId, resumeData: { approved } });
		expect(await sent()).toEqual(approved ? [[phones[0], true]] : []);
	},
);
