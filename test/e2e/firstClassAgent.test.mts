import { randomUUID } from 'node:crypto';

import { waitFor } from '../../scripts/lib/waiting.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
let agent: string;
let agents: string;
let credential: string;
let turns: Turn[];
let model: Awaited<ReturnType<typeof startFakeModel>>;

beforeAll(async () => {
	// The n8n that other test files use has no agents.
	n8n = await Instance.start({ env: { N8N_DISABLED_MODULES: '' } });
	agent = (await n8n.service.get('/_sandbox/seed')).data.agents.published;
	const project = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	agents = `/rest/projects/${project.id}/agents/v2`;
	model = await startFakeModel(() => turns.shift() ?? { say: 'Done.' });
	credential = await n8n.createCredential('Model', 'openAiApi', { apiKey: 'none', url: model.url });
}, 120_000);
beforeEach(async () => await n8n.service.post('/_sandbox/reset'));
afterAll(async () => {
	await model?.close();
	await n8n?.stop();
}, 30_000);

/** Creates an agent of n8n with the node as its tool, as the editor of agents does; gives its ID. */
async function createAgent(more: Record<string, unknown> = {}): Promise<string> {
	const { type, typeVersion, parameters, credentials } = n8n.placing(agent, {
		phoneNumber: "={{ $fromAI('phone', 'The number to call', 'string') }}",
		...more,
	});
	const node = { nodeType: type, nodeTypeVersion: typeVersion, nodeParameters: parameters, credentials };
	const schema = {
		...{ name: 'Caller', model: 'openai/fake', credential, instructions: 'Call the customer.' },
		tools: [{ type: 'node', name: 'Phone', node }],
	};
	const { id } = await n8n.editor.request<{ id: string }>('POST', agents, { name: 'Caller', schema });
	return id;
}

/** Says something in the preview of an agent. */
async function preview(id: string): Promise<void> {
	const response = await fetch(`${n8n.n8n.url}${agents}/${id}/chat`, {
		method: 'POST',
		headers: { cookie: n8n.editor.cookie, 'content-type': 'application/json' },
		body: JSON.stringify({ message: 'Call the customer.' }),
	});
	expect(await response.text()).toContain('"type":"done"');
}

/** Publishes an agent and lets a published workflow talk to it, started by a webhook. */
async function production(id: string): Promise<void> {
	await n8n.editor.request('POST', `${agents}/${id}/publish`, {});
	const path = randomUUID();
	const hook = { ...n8n.node('Hook', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST' }), webhookId: path };
	const talk = n8n.node('Talk', 'n8n-nodes-base.messageAnAgent', 3.1, {
		agentId: { __rl: true, mode: 'id', value: id },
		message: 'Call the customer.',
	});
	const workflowId = await n8n.createWorkflow('Production', [hook, talk], ['Hook', 'Talk']);
	await n8n.editor.publish(workflowId);
	const answered = async () =>
		(await fetch(`${n8n.n8n.url}/webhook/${path}`, { method: 'POST' })).ok ? true : undefined;
	await waitFor(answered, { seconds: 20 });
	const [execution] = await n8n.finished(workflowId, 1);
	expect(execution?.status).toBe('success');
	await n8n.unpublish(workflowId);
}

const phone = (number = '+12025550111'): Turn => ({ tool: 'Phone', args: { phone: number } });

/** The number and whether it is a test call, of each call that was sent. */
const sent = async () => (await n8n.placed()).map(({ body }) => [body?.to, body?.is_testing]);

test.each([
	['In the preview', preview],
	['Published', production],
])(
	'%s, an agent of n8n places no call by Automatic, and the model is told what to choose',
	async (_, talk) => {
		turns = [phone(), { say: 'Done.' }];
		await talk(await createAgent());
		expect(model.toolAnswers.join()).toContain('Test Call');
		expect(await sent()).toEqual([]);
	},
	90_000,
);

test.each([
	['In the preview', preview, 'always', true],
	['Published', production, 'always', true],
	['Published', production, 'never', false],
] as const)(
	'%s, an agent of n8n places the call where Test Call is %s',
	async (_, talk, testCall, isTest) => {
		turns = [phone(), { say: 'Done.' }];
		await talk(await createAgent({ testCall }));
		expect(await sent()).toEqual([['+12025550111', isTest]]);
	},
	90_000,
);

test('Max Calls per Hour holds an agent of n8n; Max Calls per Run does not, because each tool call is a run', async () => {
	// The calls of the other tests count for their own credential.
	const data = { baseUrl: n8n.sandbox.url, environmentToken: n8n.sandbox.token };
	n8n.credential.id = await n8n.createCredential('Another', 'voiceAgentCallingApi', data);
	const numbers = ['+12025550111', '+12025550122', '+12025550133'];
	turns = [...numbers.map(phone), { say: 'Done.' }];
	await preview(await createAgent({ testCall: 'always', maxCalls: 1, maxCallsPerHour: 2 }));
	expect(await sent()).toEqual(numbers.slice(0, 2).map((number) => [number, true]));
	expect(model.toolAnswers.join()).toContain('limit of 2 calls per hour');
}, 90_000);
