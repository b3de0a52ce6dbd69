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
import { fromJson, isTooDeep, TOO_DEEP } from '../../shared/lib/json';
import { endsWithin } from '../../shared/lib/time';
import { eventJson } from '../../shared/outputJson';
import { readDeliveryOptions } from '../parameters/settings';
import { answerMessage } from './answerMessage';
import { verifyDelivery } from './authenticity';
import { newEvents } from './deliveryOnce';
import { type Arrival, identify } from './identity';
import { type Incoming, readIncoming } from './incoming';
import { ACKNOWLEDGED, refuse, tryAgain } from './responses';
import { type Resumption, resumeAwaited } from './resumeAwaited';

/** How many events of a delivery are handed over at the same time. */
const RESUMED_AT_ONCE = 20;

/**
 * Handles a request to the webhook. The new events of an authentic delivery start the workflow, each as an item.
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

	const { caller, isTest, rawBody, headers } = incoming;
	const options = await readDeliveryOptions(caller);
	const verdict = await verifyDelivery(incoming, options);
	if ('refused' in verdict) {
		return refuse(caller, verdict.refused);
	}
	const { owner, signedId } = verdict;
	const body = fromJson(rawBody.toString('utf8'));
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
		const isIgnored = isMadeUp(event) && !isTest && options.testDeliveries !== 'start';
		if (isIgnored) {
			caller.logger.info(
				`A test event of the service started nothing, as 'Test Deliveries' of "${incoming.name}" says`,
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
		// Calls of the workflow are test calls then. A field of the service with this name must not hide it.
		const isTestEvent = event.isTest || isMadeUp(event);
		return { json: { ...eventJson({ ...event.body, isTest: isTestEvent }), webhookOwner } };
	});
	return items.length === 0 ? ACKNOWLEDGED : { workflowData: [items] };
}

/**
 * Hands the events of a delivery over to the executions that wait for them. What takes too long goes on, and is known when
 * the delivery comes again.
 *
 * @returns for each event what became of it; `try again` if that is not known of all in time
 */
async function resumeAll(
	{ caller, node, isTest, answerUntil }: Incoming,
	arrivals: readonly Arrival[],
): Promise<Resumption[] | 'try again'> {
	// A test run shows its event. The published trigger, without which nothing waits, has the same event.
	if (isTest || arrivals.every(({ event }) => event.resumeTokens.length === 0)) {
		return arrivals.map(() => 'not awaited');
	}
	const resuming = inBatches(arrivals, RESUMED_AT_ONCE, async (arrival) => resumeAwaited(caller, node, arrival));
	const isKnown = await endsWithin(answerUntil - performance.now(), resuming);
	const resumptions = isKnown ? await resuming : [];
	return !isKnown || resumptions.includes('try again') ? 'try again' : resumptions;
}

/** Whether the service made the event up to test the webhook. */
function isMadeUp({ type, body }: ServiceEvent): boolean {
	return type === 'webhook.test' || valuesIn(envelopesOf(body), 'test').includes(true);
}
