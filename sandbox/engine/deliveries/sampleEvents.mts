import { isoMillis } from '../../time/time.mts';
import { newId } from '../../world/ids.mts';
import type { DeliveryAttempt, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { deliverAtOnce, deliverWithRetries } from './deliverer.mts';
import { agentFields, bodyFor, campaignFields } from './emit.mts';
import { type EventFields, fieldsOfKind } from './eventFields.mts';

/** Sends a synthetic event of the first kind that a campaign's webhook subscribes to, in the background. */
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
 * The body of an event that did not happen, with made-up call fields where the kind has them.
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
	const status = SAMPLE_STATUS.get(event) ?? 'completed';
	return {
		...{ call_id, to: '+12025550100', status, retries: 0, duration: 0, is_testing: true, context: {} },
		...(event.startsWith('event_participant_') ? { participant: 'user' } : {}),
		...fieldsOfKind(world, event, call_id, status === 'no-answer' ? 'no-answer' : 'completed'),
	};
}

/** The status of the call in an event of a kind; `completed` for the others. */
const SAMPLE_STATUS = new Map(
	Object.entries({
		'campaign_call.queued': 'queued',
		'campaign_call.started': 'initiated',
		'campaign_call.retry_scheduled': 'scheduled',
		'campaign_call.failed': 'failed',
		event_phone_call_started: 'initiated',
		event_phone_call_did_not_connect: 'no-answer',
		event_phone_call_error: 'failed',
		event_connection_error: 'failed',
		event_phone_call_connected: 'answered',
		event_connection_established: 'answered',
		event_client_connected: 'answered',
		event_user_connected: 'answered',
		event_participant_joined: 'answered',
		event_voicemail_detected: 'answered',
		event_conversation_started: 'answered',
		event_action: 'answered',
		event_action_failed: 'answered',
	}),
);
