import { iso, isoMillis } from '../../time/time.mts';
import { newId } from '../../world/ids.mts';
import type { DeliveryAttempt, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { deliverAtOnce, deliverWithRetries } from './deliverer.mts';
import { agentFields, bodyFor, campaignFields } from './emit.mts';
import { type EventFields, fieldsOfType, sampleStatusOf } from './eventTypes.mts';

/** Sends a synthetic event of the first type that a campaign's webhook subscribes to, in the background. */
export function queueTestEvent(world: World, webhook: Webhook): void {
	const event = webhook.events[0] as string;
	const id = newId(world);
	const body = sampleBody(world, webhook, event, id, { test: true });
	deliverWithRetries(world, { id, webhookId: webhook.id, event, body, callId: null });
}

/** Sends the test event of an agent's webhook. @returns the last attempt */
export async function sendTestEvent(world: World, webhook: Webhook): Promise<DeliveryAttempt> {
	const body = JSON.stringify(testFields(world, webhook));
	return deliverAtOnce(world, webhook, {
		id: newId(world),
		webhookId: webhook.id,
		event: TEST_EVENT,
		body,
		callId: null,
	});
}

const TEST_EVENT = 'webhook.test';

/** The only body that the service documents; it has exactly these keys. */
function testFields(world: World, webhook: Webhook): EventFields {
	return {
		event: TEST_EVENT,
		...agentFields(world, webhook.agent_id ?? ''),
		webhook_id: webhook.id,
		webhook_name: webhook.name,
		timestamp: isoMillis(world.clock.now()),
		test: true,
	};
}

/**
 * Returns the body of an event that did not happen, with made-up call fields if the event type has them.
 * @param data replaces or adds fields
 */
export function sampleBody(world: World, webhook: Webhook, event: string, id: string, data: EventFields): string {
	if (event === TEST_EVENT) {
		return JSON.stringify({ ...testFields(world, webhook), ...data });
	}
	const campaign = world.campaigns.get(webhook.campaign_id ?? '');
	const agentId = webhook.agent_id ?? campaign?.agent_id ?? '';
	const fields = event.startsWith('campaign.')
		? { status: campaign?.status }
		: { ...agentFields(world, agentId), ...sampleCall(world, event) };
	return bodyFor(world, webhook, event, id, { ...(campaign ? campaignFields(campaign) : {}), ...fields, ...data });
}

function sampleCall(world: World, event: string): EventFields {
	const call_id = newId(world);
	const status = sampleStatusOf(event);
	const outcome = status === 'no-answer' ? 'no-answer' : 'completed';
	return {
		call_id,
		to: '+12025550100',
		status,
		retries: 0,
		duration: 0,
		is_testing: true,
		context: {},
		...(event.startsWith('event_participant_') ? { participant: 'user' } : {}),
		...fieldsOfType(event, {
			origin: world.origin,
			callId: call_id,
			outcome,
			reason: status === 'completed' ? 'completed' : 'no-answer',
			scheduledAt: iso(world.clock.now()),
		}),
	};
}
