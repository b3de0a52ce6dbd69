import { waitFor } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf } from './example.mts';
import { outputOf } from './executionData.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Writes to the assistant, whose model does what `turns` says; gives what it answers, and what the tool told it. */
async function chat(text: string, turns: Turn[]) {
	const model = await startFakeModel(turns);
	const { id, name } = await n8n.editor.request<{ id: string; name: string }>('POST', '/rest/credentials', {
		name: 'Fake model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
	const workflowId = await importExample(n8n, 'ai-agent-test-call.json', (workflow) => {
		nodeOf(workflow, 'Chat Model').credentials = { openAiApi: { id, name } };
		// The fake model answers at once and not bit by bit.
		nodeOf(workflow, 'Assistant').parameters.options = { enableStreaming: false };
	});
	const message = { sessionId: 'one', action: 'sendMessage', chatInput: text };
	const data = {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [null],
		data: { main: [[{ json: message }]] },
	};
	const { executionId } = await n8n.editor.request<{ executionId: string }>(
		'POST',
		`/rest/workflows/${workflowId}/run`,
		{
			triggerToStartFrom: { name: 'When You Write in the Chat', data },
		},
	);
	const isOver = async () => {
		const { status } = await n8n.editor.execution(executionId);
		return ['success', 'error', 'crashed', 'canceled'].includes(status) ? status : undefined;
	};
	expect(await waitFor(isOver, { seconds: 30 })).toBe('success');
	await model.close();
	const [answer] = await outputOf(n8n.editor, executionId, 'Assistant');
	return { ...model, answer };
}

/** What the service was asked to call. */
async function dialed() {
	return (await n8n.requests())
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'))
		.map(({ body }) => body);
}

const call = (Phone_Number: string, Name = 'Ada'): Turn => ({ tool: 'Place_Test_Call', args: { Phone_Number, Name } });

test('The assistant places the one test call requested, and the tool refuses the other calls of the model', async () => {
	const { offered, toolAnswers, answer } = await chat('Call Ada at +44 20 7946 0001.', [
		call('+33123456789'),
		call('+44 20 7946 0001'),
		call('+442079460002', 'Grace'),
		{ say: 'Ada is being called.' },
	]);
	expect(await dialed()).toEqual([{ to: '+442079460001', payload: { name: 'Ada' }, is_testing: true }]);
	expect(answer).toEqual({ output: 'Ada is being called.' });
	expect(toolAnswers).toHaveLength(3);
	expect(toolAnswers[0]).toContain('This tool may not call +33123456789');
	expect(toolAnswers[1]).toContain('+442079460001');
	expect(toolAnswers[2]).toContain('limit of 1 call per run');
	// The model is asked for the number and the name, and for nothing that limits it.
	expect(offered[0]).toHaveLength(1);
	expect(Object.keys(offered[0][0].parameters.properties ?? {}).sort()).toEqual(['Name', 'Phone_Number']);
}, 90_000);
