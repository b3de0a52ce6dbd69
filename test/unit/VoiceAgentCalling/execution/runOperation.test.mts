import type { IExecuteFunctions } from 'n8n-workflow';

import { runOperation } from '../../../../nodes/VoiceAgentCalling/execution/runOperation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';

const ITEMS = 600;

/** The functions of n8n for a node with these parameters. */
const callerWith = (parameters: Record<string, unknown>, more: object) =>
	({
		continueOnFail: () => false,
		getContext: () => ({}),
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1', environmentToken: 'TOKEN' }),
		getExecutionCancelSignal: () => undefined,
		getMode: () => 'trigger',
		getNode: () => ({ name: 'Node', type: 'node', parameters: {} }),
		getNodeParameter: (name: string) => parameters[name] ?? {},
		getTimezone: () => 'UTC',
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		...more,
	}) as unknown as IExecuteFunctions;

test('a run that is canceled while its items are read says that none is done', async () => {
	let asked = 0;
	const caller = callerWith(
		{ resource: 'service', operation: 'checkHealth' },
		{
			// The node asks before it reads an item.
			getExecutionCancelSignal: () => ({ aborted: ++asked > 250 }),
			getInputData: () => Array.from({ length: ITEMS }, () => ({ json: {} })),
		},
	);
	await expect(runOperation(caller, resources)).rejects.toMatchObject({
		message: 'The execution was canceled',
		description: 'No items are done.',
	});
});

test('a call counts for the next run of a tool even if n8n fails after it was placed', async () => {
	const context = {};
	let calls = 0;
	const call = (runIndex: number) =>
		callerWith(
			{ resource: 'call', operation: 'place', agent: 'a', phoneNumber: '+12025550111', testCall: 'never' },
			{
				addExecutionHints() {
					throw new Error('Out of order');
				},
				getContext: () => context,
				getInputData: () => [{ json: {} }],
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
				helpers: {
					httpRequestWithAuthentication: async (_credential: string, { method }: { method: string }) => {
						calls += method === 'POST' ? 1 : 0;
						return { statusCode: 200, headers: {}, body: { success: true, data: { id: 'a', flow_config: null } } };
					},
				},
			},
		);
	await expect(runOperation(call(0), resources)).rejects.toThrow('Out of order');
	// A tool that n8n tries again has the next run index.
	await expect(runOperation(call(1), resources)).rejects.toThrow('Out of order');
	expect(calls).toBe(1);
});
