import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { answer } from '../../shared/lib/webhookResponse';

/** The sender gets a 200, and no execution is started. */
export const TAKEN: IWebhookResponseData = { webhookResponse: 'OK' };

/** Asks the sender to come again. */
export function tryAgain(caller: IWebhookFunctions): IWebhookResponseData {
	return answer(caller, 503, 'Try again');
}

/** 401, and one line in n8n's log that says why, without what was sent. */
export function refuse(caller: IWebhookFunctions, reason: string): IWebhookResponseData {
	caller.logger.warn(`A delivery to "${caller.getNode().name}" was refused: ${reason}`, {
		workflowId: caller.getWorkflow().id,
	});
	return answer(caller, 401, 'Unauthorized');
}
