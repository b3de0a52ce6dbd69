import type { IWebhookFunctions } from 'n8n-workflow';

import type { SendRequest } from '../../shared/client/request';
import { connect, send } from '../../shared/client/transport';

/** Less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** Sends requests to the service with the credential of a node that waits, which the first of them reads. */
export function serviceRequests(caller: IWebhookFunctions): SendRequest {
	let connection: ReturnType<typeof connect> | undefined;
	return async (request) => {
		connection ??= connect(caller);
		return await send(caller, await connection, request, TIMEOUT_SECONDS);
	};
}
