import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	envelopesOf,
	eventsIn,
	idsInHeaders,
	readEvent,
	type ServiceEvent,
	typeInHeaders,
	valuesIn,
} from '../../shared/events/event';
import { inBatches } from '../../shared/lib/collections';
import { fromJsonBytes, isTooDeep, TOO_DEEP } from '../../shared/lib/json';
import { endsWithin } from '../../shared/lib/time';
import { eventJson } from '../../shared/outputJson';
import { respond } from '../../shared/webhookResponse';
import { readDeliveryOptions } from '../parameters/settings';
import { verifyDelivery } from './authenticity';
import { type Arrival, identify, newEvents } from './deliveryOnce';
import { handleMessage } from './handleMessage';
import { type Incoming, readIncoming, refuse } from './incoming';
import { type Resumption, resumeAwaited } from './resumeAwaited';

/** How many events of a delivery are sent to waiting executions at the same time. */
const RESUMED_AT_ONCE = 20;

/** Responds with 503, after which the service delivers again. */
function tryAgain(caller: IWebhookFunctions): IWebhookResponseData {
	return respond(caller, 503, 'Try again');
}

/**
 * Handles a request to the webhook. The new events of an authentic delivery start the workflow, each as an item.
 *
 * Never throws: n8n would store a failed execution for any invalid request. n8n itself responds to a delivery that
 * starts an execution, after it has stored the execution.
 */
export async function receiveDelivery(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handleRequest(await readIncoming(caller));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`A delivery to "${caller.getNode().name}" could not be checked: ${reason}`);
		// The response does not reveal the reason to other senders.
		return tryAgain(caller);
	}
}

async function handleRequest(incoming: Incoming): Promise<IWebhookResponseData> {
	const response = await handleMessage(incoming);
	if (response !== undefined) {
		return response;
	}

	const { caller, isTest, rawBody, headers } = incoming;
	const options = await readDeliveryOptions(caller);
	const verdict = await verifyDelivery(incoming, options);
	if ('refused' in verdict) {
		return refuse(caller, verdict.refused);
	}
	const { owner, signedId } = verdict;
	const body = fromJsonBytes(rawBody);
	if (isTooDeep(body)) {
		return refuse(caller, `the body ${TOO_DEEP}`);
	}
	const sent = eventsIn(body);
	if (sent === undefined) {
		return refuse(caller, 'the body is not a JSON object, or a list of them');
	}

	const type = typeInHeaders(headers);
	const headerIds = sent.length > 1 ? [] : [...idsInHeaders(headers), ...(signedId === undefined ? [] : [signedId])];
	const arrivals = sent.map((one) => {
		const bytes = one === body ? rawBody : JSON.stringify(one);
		return identify({ event: readEvent(one, type), bytes, headerIds }, owner);
	});
	const resumptions = await resumeAll(incoming, arrivals);
	if (resumptions === 'try again') {
		return tryAgain(caller);
	}
	const starting = arrivals.filter(({ event }, index) => {
		const isIgnored = isOfWebhookTest(event) && !isTest && options.testDeliveries !== 'start';
		if (isIgnored) {
			caller.logger.info(
				`A test event of the service started nothing, because of 'Test Deliveries' in "${incoming.name}"`,
			);
		}
		return !isIgnored && (resumptions[index] === 'not awaited' || options.startForAwaited === true);
	});
	const fresh = await newEvents(incoming.node, owner, caller.getResponseObject(), starting);
	if (fresh === 'in flight') {
		return tryAgain(caller);
	}
	const webhookOwner = { source: owner.ownerType, id: owner.ownerId };
	const items = fresh.map(({ event }) => {
		// With this mark, the calls of the workflow are test calls. A field of the service with this name must not
		// replace it.
		const isTestEvent = event.isTest || isOfWebhookTest(event);
		const callChain = event.chain.length > 0 && { callChain: event.chain };
		return { json: { ...eventJson({ ...event.body, isTest: isTestEvent }), ...callChain, webhookOwner } };
	});
	return items.length === 0 ? { webhookResponse: 'OK' } : { workflowData: [items] };
}

/**
 * Sends the events of a delivery to the executions that wait for them. If that takes too long, it continues in the
 * background, and its result is used when the delivery arrives again.
 *
 * @returns the result for each event; `try again` if not all results are known in time
 */
async function resumeAll(
	{ caller, node, isTest, respondUntil }: Incoming,
	arrivals: readonly Arrival[],
): Promise<Resumption[] | 'try again'> {
	// A test run always shows its event. The published trigger, which every wait needs, receives the same event.
	if (isTest || arrivals.every(({ event }) => event.resumeTokens.length === 0)) {
		return arrivals.map(() => 'not awaited');
	}
	const resuming = inBatches(arrivals, RESUMED_AT_ONCE, async (arrival) => resumeAwaited(caller, node, arrival));
	const isKnown = await endsWithin(respondUntil - performance.now(), resuming);
	const resumptions = isKnown ? await resuming : [];
	return !isKnown || resumptions.includes('try again') ? 'try again' : resumptions;
}

/** Whether the service has sent the event only to test the webhook. */
function isOfWebhookTest({ type, body }: ServiceEvent): boolean {
	return type === 'webhook.test' || valuesIn(envelopesOf(body), 'test').includes(true);
}
