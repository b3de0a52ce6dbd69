import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** A key for the node of a workflow in the memory of this process. A test run has another one than production. */
export function nodeKey(caller: IHookFunctions | IWebhookFunctions): string {
	const mode = caller.getMode() === 'manual' ? 'test' : 'production';
	return JSON.stringify([caller.getWorkflow().id, caller.getNode().id, mode]);
}
