import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { isTooDeep, TOO_DEEP } from '../../shared/lib/nesting';
import { findTicket, withoutTickets } from '../../shared/nodeLink/ticket';
import { answerMessage } from './answerMessage';
import { verifyDelivery } from './authenticity';
import { deliveryOnce } from './deliveryOnce';
import { type Incoming, readIncoming } from './incoming';
import { ACKNOWLEDGED, refuse, tryAgain } from './responses';
import { resumeAwaited } from './resumeAwaited';

/** The node's options that are read at a delivery. */
interface DeliveryOptions {
	signatureHeader?: unknown;
	startForAwaited?: unknown;
	testDeliveries?: unknown;
}

/**
 * Handles a request to the webhook. An authentic, new delivery starts the workflow with its body as the item.
 *
 * Never throws: n8n would store a failed execution for any invalid request. n8n itself responds to a delivery that
 * starts an execution, after it has stored the execution.
 */
export async function receiveDelivery(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await answerRequest(await readIncoming(caller));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`A delivery to "${caller.getNode().name}" could not be checked: ${reason}`);
		// The service will deliver again. The response does not reveal the reason to other senders.
		return tryAgain(caller);
	}
}

async function answerRequest(incoming: Incoming): Promise<IWebhookResponseData> {
	const answer = await answerMessage(incoming);
	if (answer !== undefined) {
		return answer;
	}

	const { caller, isTest, rawBody } = incoming;
	const options = caller.getNodeParameter('options', {}) as DeliveryOptions;
	const verdict = await verifyDelivery(incoming, options.signatureHeader);
	if ('refused' in verdict) {
		return refuse(caller, verdict.refused);
	}
	const { owner } = verdict;
	const event = parseObject(rawBody);
	if (event === undefined) {
		return refuse(caller, 'the body is not a JSON object');
	}
	if (isTooDeep(event)) {
		return refuse(caller, `the body ${TOO_DEEP}`);
	}

	const ticket = findTicket(event);
	const json = withoutTickets(event);
	// A test run shows its event. The published trigger, without which nothing waits, has the same event.
	if (ticket !== undefined && !isTest) {
		const resumption = await resumeAwaited(caller, ticket, json);
		if (resumption === 'try again') {
			return tryAgain(caller);
		}
		if (resumption === 'resumed' && !isOn(options.startForAwaited)) {
			return ACKNOWLEDGED;
		}
	}

	if (isMadeUp(event) && !isTest && options.testDeliveries !== 'start') {
		caller.logger.info(`A test event of the service started nothing, as 'Test Deliveries' of "${incoming.name}" says`);
		return ACKNOWLEDGED;
	}

	switch (deliveryOnce(incoming.node, owner, caller.getResponseObject(), event, rawBody)) {
		case 'seen':
			return ACKNOWLEDGED;
		case 'in flight':
			return tryAgain(caller);
		case 'new': {
			const webhookOwner = { source: owner.source, id: owner.ownerId };
			return { workflowData: [[{ json: { ...json, webhookOwner } }]] };
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
function isMadeUp({ event, test }: IDataObject): boolean {
	return event === 'webhook.test' || test === true;
}

/** Whether an option is on; an expression may return it as text. */
function isOn(option: unknown): boolean {
	return String(option) === 'true';
}
