import type { IExecuteFunctions } from 'n8n-workflow';

import { runOperation } from '../../../../nodes/VoiceAgentCalling/execution/runOperation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';

const ITEMS = 600;

test('a run that is canceled while its items are read lists all of them as not tried, also those that were not read', async () => {
	let asked = 0;
	const caller = {
		continueOnFail: () => false,
		getContext: () => ({}),
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1', environmentToken: 'TOKEN' }),
		// The node asks before it reads an item.
		getExecutionCancelSignal: () => ({ aborted: ++asked > 250 }),
		getInputData: () => Array.from({ length: ITEMS }, () => ({ json: {} })),
		getMode: () => 'trigger',
		getNode: () => ({ name: 'Node', type: 'node', parameters: {} }),
		getNodeParameter: (name: string) => ({ resource: 'service', operation: 'checkHealth' })[name] ?? {},
		getTimezone: () => 'UTC',
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	};
	await expect(runOperation(caller as unknown as IExecuteFunctions, resources)).rejects.toMatchObject({
		message: 'The execution was canceled',
		description: `Items: Not tried: 0-${ITEMS - 1}.`,
	});
});
