import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

/** Hands an event that a waiting execution needs to this execution. */
export async function resumeAwaited(
	...[]: [caller: IWebhookFunctions, event: IDataObject]
): Promise<'not awaited' | 'resumed' | 'try again'> {
	return 'not awaited';
}
