import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { respond } from '../../shared/webhookResponse';

/** The sender gets a 200, and no execution starts. */
export const ACKNOWLEDGED: IWebhookResponseData = { webhookResponse: 'OK' };

/** Responds with 503, after which the service delivers again. */
export function tryAgain(caller: IWebhookFunctions): IWebhookResponseData {
	return respond(caller, 503, 'Try again');
}

/** Responds with 401, and logs the reason without anything from the request. */
export function refuse(caller: IWebhookFunctions, reason: string): IWebhookResponseData {
	caller.logger.warn(`A delivery to "${caller.getNode().name}" was refused: ${reason}`, {
		workflowId: caller.getWorkflow().id,
	});
	return respond(caller, 401, 'Unauthorized');
}
