import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** n8n's environment variable with its public address. */
export const PUBLIC_ADDRESS_VARIABLE = 'N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL)';

/**
 * Reads the body of a webhook request as bytes, after any decompression by n8n; empty without a body, and for a form
 * with files, which n8n has read to its end.
 */
export async function readRawBody(caller: IWebhookFunctions): Promise<Buffer> {
	const request = caller.getRequestObject();
	if (request.rawBody === undefined && !request.readableEnded) {
		await request.readRawBody();
	}
	return request.rawBody ?? Buffer.alloc(0);
}

/**
 * Responds to a webhook request without starting an execution. n8n always sends `webhookResponse` with status 200, so
 * this function writes to the response directly.
 *
 * @returns the value that `webhook()` has to return
 */
export function respond(caller: IWebhookFunctions, status: number, body: string | object): IWebhookResponseData {
	caller.getResponseObject().status(status).send(body).end();
	return { noWebhookResponse: true };
}
