import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../shared/errors';
import { deliveryOnce } from './deliveryOnce';
import { DEFAULT_WINDOW_SECONDS } from './settings';
import { verify } from './signature';

/** Options of the node that matter at a delivery. */
interface DeliveryOptions {
	includeDeliveryDetails?: boolean;
	signatureHeader?: unknown;
	timeWindow?: unknown;
	extraHeaders?: { values?: Array<{ name?: string }> };
}

/** Headers that are nobody's business in a stored execution. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'];

/**
 * Handles one delivery: verified and new, it starts the workflow with its body as it was sent.
 *
 * Nothing else starts it, and nothing is thrown: a throw would store a failed execution for
 * whatever a stranger sends. n8n answers the good ones itself, after it has stored the execution, so
 * that a delivery is acknowledged only when it is safe.
 */
export async function receiveDelivery(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(caller);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`A delivery to "${caller.getNode().name}" could not be checked: ${reason}`);
		// Whoever sent it: the service delivers again, and a stranger learns nothing.
		return answer(caller, 503, 'Try again');
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = caller.getRequestObject();
	const options = caller.getNodeParameter('options', {}) as DeliveryOptions;
	const { secret } = caller.getWorkflowStaticData('node') as { secret?: string };
	const rawBody = await readRawBody(caller);
	const verdict =
		secret === undefined
			? ({ authentic: false, reason: 'no signing secret is registered' } as const)
			: verify({
					rawBody,
					headers: request.headers,
					secret,
					signatureHeader: String(options.signatureHeader ?? '').trim() || undefined,
					windowSeconds: Number(options.timeWindow ?? DEFAULT_WINDOW_SECONDS),
					now: Date.now(),
				});
	if (!verdict.authentic) return refuse(caller, verdict.reason);
	const event = parseObject(rawBody);
	if (event === undefined) return refuse(caller, 'the body is not a JSON object');

	switch (deliveryOnce(caller, rawBody)) {
		case 'seen':
			return { webhookResponse: 'OK' };
		case 'in flight':
			return answer(caller, 503, 'Try again');
		case 'new':
			return { workflowData: [[{ json: withDetails(caller, event, options, verdict.header) }]] };
	}
}

async function readRawBody(caller: IWebhookFunctions): Promise<Buffer> {
	const request = caller.getRequestObject();
	if (request.rawBody === undefined) await request.readRawBody();
	return request.rawBody ?? Buffer.alloc(0);
}

function parseObject(rawBody: Buffer): IDataObject | undefined {
	try {
		const parsed: unknown = JSON.parse(rawBody.toString('utf8'));
		return isRecord(parsed) ? (parsed as IDataObject) : undefined;
	} catch {
		return undefined;
	}
}

/** 401, and one line in n8n's log that says why, without what was sent. */
function refuse(caller: IWebhookFunctions, reason: string): IWebhookResponseData {
	caller.logger.warn(`A delivery to "${caller.getNode().name}" was refused: ${reason}`, {
		workflowId: caller.getWorkflow().id,
	});
	return answer(caller, 401, 'Unauthorized');
}

/**
 * Answers the sender from here, without an execution. n8n sends what `webhookResponse` holds with
 * status 200, whatever it says; another status has to be written to the response.
 */
function answer(caller: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	caller.getResponseObject().status(status).send(text).end();
	return { noWebhookResponse: true };
}

function withDetails(
	caller: IWebhookFunctions,
	event: IDataObject,
	options: DeliveryOptions,
	signatureHeader: string,
): IDataObject {
	if (!options.includeDeliveryDetails) return event;
	const extra = (options.extraHeaders?.values ?? []).map(({ name }) => String(name).toLowerCase());
	const hidden = new Set([...SECRET_HEADERS, ...extra, signatureHeader]);
	const headers = Object.entries(caller.getHeaderData()).filter(([name]) => !hidden.has(name));
	return {
		...event,
		deliveryDetails: {
			receivedAt: new Date().toISOString(),
			method: caller.getRequestObject().method,
			headers: Object.fromEntries(headers),
		},
	};
}
