import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { readRawBody } from '../../shared/lib/webhookResponse';
import { ownerIn, type Source } from '../../shared/nodeLink/owner';
import { findTicket, withoutTickets } from '../../shared/nodeLink/ticket';
import { KEY_HEADER } from '../parameters/options';
import { familyOf } from '../parameters/outputs';
import { nodeKey } from '../registration/nodeKey';
import { checkAuthenticity } from './authenticity';
import { isLate } from './callOrder';
import { handleCommand } from './commands';
import { deliveryOnce } from './deliveryOnce';
import { ACKNOWLEDGED, refuse, tryAgain } from './responses';
import { resumeAwaited } from './resumeAwaited';

/** The node's options that are read at a delivery. */
interface DeliveryOptions {
	deliveryMethod?: string;
	deliveryTimeout?: unknown;
	includeDeliveryDetails?: unknown;
	signatureHeader?: unknown;
	timeWindow?: unknown;
	extraHeaders?: { values?: Array<{ name?: string }> };
	outputs?: unknown;
	startForAwaited?: unknown;
	testDeliveries?: unknown;
}

/** Headers that must not be stored with an execution. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', KEY_HEADER.toLowerCase()];

/**
 * Handles a request to the webhook. An authentic, new delivery starts the workflow with its body as the item.
 *
 * Never throws: n8n would store a failed execution for any invalid request. n8n itself responds to a delivery that
 * starts an execution, after it has stored the execution.
 */
export async function receiveDelivery(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(caller);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`A delivery to "${caller.getNode().name}" could not be checked: ${reason}`);
		// The service will deliver again. The response does not reveal the reason to other senders.
		return tryAgain(caller);
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(caller);
	const commandResponse = await handleCommand(caller, rawBody);
	if (commandResponse !== undefined) {
		return commandResponse;
	}

	const options = caller.getNodeParameter('options', {}) as DeliveryOptions;
	if (caller.getRequestObject().method !== (options.deliveryMethod ?? 'POST')) {
		return refuse(caller, 'the method is not the registered one', { status: 404, text: 'Not found' });
	}
	const node = nodeKey(caller);
	const owner = ownerIn(caller.getQueryData() as IDataObject);
	if (owner === undefined) {
		return refuse(caller, 'its URL does not name one campaign or agent');
	}
	const authenticity = await checkAuthenticity(caller, node, owner, rawBody, options);
	if (!authenticity.authentic) {
		return refuse(caller, authenticity.reason);
	}
	const event = parseObject(rawBody);
	if (event === undefined) {
		return refuse(caller, 'the body is not a JSON object');
	}

	if (isTest(event) && caller.getMode() !== 'manual' && options.testDeliveries !== 'start') {
		return ACKNOWLEDGED;
	}
	const late = isLate(node, event);
	const ticket = findTicket(event);
	const json = withoutTickets(event);
	// A test run shows its event. The published trigger, without which nothing waits, has the same event.
	if (ticket !== undefined && caller.getMode() !== 'manual') {
		const resumption = await resumeAwaited(caller, ticket, json, 1000 * Number(options.deliveryTimeout ?? 30));
		if (resumption === 'try again') {
			return tryAgain(caller);
		}
		if (resumption === 'resumed' && !isOn(options.startForAwaited)) {
			return ACKNOWLEDGED;
		}
	}

	switch (deliveryOnce(node, owner, caller.getResponseObject(), event, rawBody)) {
		case 'seen':
			return ACKNOWLEDGED;
		case 'in flight':
			return tryAgain(caller);
		case 'new': {
			const details = isOn(options.includeDeliveryDetails) && {
				deliveryDetails: detailsOf(caller, options, authenticity.header),
			};
			const webhookOwner = { source: owner.source, id: owner.ownerId };
			return { workflowData: toOutputs(caller, options, { ...json, webhookOwner, ...(late && { late }), ...details }) };
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

/** Whether an option is on; an expression may return it as text. */
function isOn(option: unknown): boolean {
	return String(option) === 'true';
}

/** The event as the only item of its output, and the other outputs empty. */
function toOutputs(
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

/** When and how an event arrived, without the headers that must not be stored. */
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
