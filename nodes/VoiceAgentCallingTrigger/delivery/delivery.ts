import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	envelopesOf,
	eventsIn,
	isDeliveryId,
	kindInHeaders,
	readEvent,
	type ServiceEvent,
	valuesIn,
} from '../../shared/deliveries/event';
import { fromJson } from '../../shared/lib/fromJson';
import { eventJson } from '../../shared/lib/itemJson';
import { isTooDeep, TOO_DEEP } from '../../shared/lib/nesting';
import { readDeliveryOptions } from '../parameters/settings';
import { answerMessage } from './answerMessage';
import { verifyDelivery } from './authenticity';
import { type Arrival, newEvents } from './deliveryOnce';
import { type Incoming, readIncoming } from './incoming';
import { ACKNOWLEDGED, refuse, tryAgain } from './responses';
import { resumeAwaited } from './resumeAwaited';

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
	const { owner } = verdict;
	const body = fromJson(rawBody.toString('utf8'));
	if (isTooDeep(body)) {
		return refuse(caller, `the body ${TOO_DEEP}`);
	}
	const sent = eventsIn(body);
	if (sent === undefined) {
		return refuse(caller, 'the body is not a JSON object, or a list of them');
	}

	const kind = kindInHeaders(headers);
	const arrivals: Arrival[] = [];
	for (const one of sent) {
		const event = readEvent(one, kind);
		// A test run shows its event. The published trigger, without which nothing waits, has the same event.
		const resumption = isTest ? 'not awaited' : await resumeAwaited(caller, event);
		if (resumption === 'try again') {
			return tryAgain(caller);
		}
		const isOfService = isMadeUp(event);
		const starts = resumption === 'not awaited' || options.startForAwaited === true;
		const isIgnored = isOfService && !isTest && options.testDeliveries !== 'start';
		if (isIgnored) {
			caller.logger.info(
				`A test event of the service started nothing, as 'Test Deliveries' of "${incoming.name}" says`,
			);
		}
		if (starts && !isIgnored) {
			const bytes = one === body ? rawBody : JSON.stringify(one);
			// Calls of the workflow are test calls then. A field of the service with this name must not hide it.
			const output = { ...event.body, isTest: event.isTest || isOfService };
			arrivals.push({ event: { ...event, body: output }, bytes, isOwnId: isDeliveryId(headers, event.id) });
		}
	}
	const fresh = newEvents(incoming.node, owner, caller.getResponseObject(), arrivals);
	if (fresh === 'in flight') {
		return tryAgain(caller);
	}
	const webhookOwner = { source: owner.source, id: owner.ownerId };
	const items = fresh.map((json) => ({ json: { ...eventJson(json), webhookOwner } }));
	return items.length === 0 ? ACKNOWLEDGED : { workflowData: [items] };
}

/** Whether the service made the event up to test the webhook. */
function isMadeUp({ kind, body }: ServiceEvent): boolean {
	return kind === 'webhook.test' || valuesIn(envelopesOf(body), 'test').includes(true);
}
