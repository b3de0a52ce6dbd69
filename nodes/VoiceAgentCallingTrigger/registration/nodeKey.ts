import type { IWebhookFunctions } from 'n8n-workflow';

/** A node of a workflow, as the memory of a process names it: a test run and the published workflow apart. */
export function placeOf(caller: IWebhookFunctions): string {
	const mode = caller.getMode() === 'manual' ? 'test' : 'production';
	return JSON.stringify([caller.getWorkflow().id, caller.getNode().id, mode]);
}
