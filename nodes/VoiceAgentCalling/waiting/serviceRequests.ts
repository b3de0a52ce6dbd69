import type { IWebhookFunctions } from 'n8n-workflow';

import type { SendRequest } from '../../shared/service/request';
import { connect, send } from '../../shared/service/transport';

/** Less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** Sends requests to the service with the credential of a node that waits. @throws ServiceError */
export async function serviceRequests(caller: IWebhookFunctions): Promise<SendRequest> {
	const connection = await connect(caller);
	return async (request) => await send(caller, connection, request, TIMEOUT_SECONDS);
}
