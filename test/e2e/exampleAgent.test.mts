import { importExample, modelFor, nodeOf } from './example.mts';
import type { Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';

const call = (Phone_Number: string, Name = 'Ada'): Turn => ({ tool: 'Place_Test_Call', args: { Phone_Number, Name } });

test('The assistant places the one test call requested, and the tool refuses the other calls of the model', async () => {
	const n8n = await Instance.share();
	const say = 'Ada is being called.';
	const wrong = '+33123456789';
	const turns = [call(wrong), call('+44 20 7946 0001'), call('+442079460002', 'Grace'), { say }];
	const { use, offered, toolAnswers } = await modelFor(n8n, turns);
	const workflowId = await importExample(n8n, 'ai-agent-test-call.json', (workflow) => {
		use(nodeOf(workflow, 'Chat Model'));
		// The fake model answers at once and not bit by bit.
		nodeOf(workflow, 'Assistant').parameters.options = { enableStreaming: false };
	});
	const json = { sessionId: 'one', action: 'sendMessage', chatInput: 'Call Ada at +44 20 7946 0001.' };
	const times = { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success', source: [null] };
	const triggerToStartFrom = { name: 'When You Write in the Chat', data: { ...times, data: { main: [[{ json }]] } } };
	const run = `/rest/workflows/${workflowId}/run`;
	const { executionId } = await n8n.editor.request<{ executionId: string }>('POST', run, { triggerToStartFrom });
	expect(await n8n.ended(executionId)).toBe('success');
	expect(await n8n.outputOf(executionId, 'Assistant')).toEqual([{ output: say }]);
	expect(await n8n.dialed()).toEqual([{ to: '+442079460001', payload: { name: 'Ada' }, is_testing: true }]);
	expect(toolAnswers).toEqual(
		[`This tool may not call ${wrong}`, '+442079460001', 'limit of 1 call per run'].map((part) =>
			expect.stringContaining(part),
		),
	);
	// The model is asked for the number and the name, and for nothing that limits it.
	expect(offered[0]?.map(({ parameters }) => Object.keys(parameters.properties ?? {}).sort())).toEqual([
		['Name', 'Phone_Number'],
	]);
});
