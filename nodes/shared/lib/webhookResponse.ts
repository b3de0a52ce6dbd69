import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** The body of a request to a webhook, byte for byte. */
export async function readRawBody(caller: IWebhookFunctions): Promise<Buffer> {
	const request = caller.getRequestObject();
	if (request.rawBody === undefined) {
		await request.readRawBody();
	}
	return request.rawBody ?? Buffer.alloc(0);
}

/**
 * Answers the sender from here, without an execution. n8n sends what `webhookResponse` holds with
 * status 200, whatever it says; another status has to be written to the response.
 */
export function answer(caller: IWebhookFunctions, status: number, body: string | object): IWebhookResponseData {
	caller.getResponseObject().status(status).send(body).end();
	return { noWebhookResponse: true };
}
