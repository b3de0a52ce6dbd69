import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { answer, readRawBody } from '../../shared/lib/webhookResponse';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import { familyOf } from '../parameters/outputs';
import type { Source } from '../parameters/settings';
import { KEY_HEADER } from '../registration/deliveryKeys';
import { proven } from './authenticity';
import { isLate } from './callOrder';
import { answerCommand } from './commands';
import { deliveryOnce } from './deliveryOnce';
import { refuse, TAKEN, tryAgain } from './responses';
import { resumeAwaited } from './resumeAwaited';

/** Options of the node that matter at a delivery. */
interface DeliveryOptions {
	deliveryMethod?: string;
	includeDeliveryDetails?: unknown;
	signatureHeader?: unknown;
	timeWindow?: unknown;
	extraHeaders?: { values?: Array<{ name?: string }> };
	outputs?: unknown;
	startForAwaited?: unknown;
	testDeliveries?: unknown;
}

/** Headers that are nobody's business in a stored execution. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', KEY_HEADER.toLowerCase()];

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
		return tryAgain(caller);
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(caller);
	const answered = await answerCommand(caller, rawBody);
	if (answered !== undefined) {
		return answered;
	}

	const options = caller.getNodeParameter('options', {}) as DeliveryOptions;
	if (caller.getRequestObject().method !== (options.deliveryMethod ?? 'POST')) {
		return answer(caller, 404, 'Not found');
	}
	const verdict = proven(caller, rawBody, options);
	if (!verdict.authentic) {
		return refuse(caller, verdict.reason);
	}
	const event = parseObject(rawBody);
	if (event === undefined) {
		return refuse(caller, 'the body is not a JSON object');
	}

	const byHand = caller.getMode() === 'manual';
	if (isTest(event) && !byHand && options.testDeliveries !== 'start') {
		return TAKEN;
	}
	const late = isLate(caller, event);
	switch (await resumeAwaited(caller, event)) {
		case 'try again':
			return tryAgain(caller);
		case 'resumed':
			if (!isOn(options.startForAwaited)) {
				return TAKEN;
			}
	}

	switch (deliveryOnce(caller, event, rawBody)) {
		case 'seen':
			return TAKEN;
		case 'in flight':
			return tryAgain(caller);
		case 'new': {
			const details = isOn(options.includeDeliveryDetails) && {
				deliveryDetails: detailsOf(caller, options, verdict.header),
			};
			const json = { ...withoutTickets(event), ...(late && { late }), ...details };
			return { workflowData: inItsOutput(caller, options, json) };
		}
	}
}

function parseObject(rawBody: Buffer): IDataObject | undefined {
	try {
		const parsed: unknown = JSON.parse(rawBody.toString('utf8'));
		return isRecord(parsed) ? (parsed as IDataObject) : undefined;
	} catch {
		return undefined;
	}
}

/** Whether the service made the event up to test the webhook. */
function isTest({ event, test }: IDataObject): boolean {
	return event === 'webhook.test' || test === true;
}

/** Whether an option is on; an expression may give it as text. */
function isOn(option: unknown): boolean {
	return String(option) === 'true';
}

/** The event as the item of one output. */
function inItsOutput(
	caller: IWebhookFunctions,
	{ outputs }: DeliveryOptions,
	json: IDataObject,
): IWebhookResponseData['workflowData'] {
	if (outputs !== 'families') {
		return [[{ json }]];
	}
	const source = caller.getNodeParameter('source', 'campaign') as Source;
	const { index, count } = familyOf(source, json.event);
	return Array.from({ length: count }, (_, output) => (output === index ? [{ json }] : []));
}

function detailsOf(caller: IWebhookFunctions, options: DeliveryOptions, signatureHeader: string): IDataObject {
	const extra = (options.extraHeaders?.values ?? []).map(({ name }) => String(name).toLowerCase());
	const hidden = new Set([...SECRET_HEADERS, ...extra, signatureHeader]);
	const headers = Object.entries(caller.getHeaderData()).filter(([name]) => !hidden.has(name));
	return {
		receivedAt: new Date().toISOString(),
		method: caller.getRequestObject().method,
		headers: Object.fromEntries(headers),
	};
}
