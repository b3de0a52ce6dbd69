import type { ServiceRequest } from '../../../shared/service/request';
import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

/** Builds the request that delivers the event of a log entry again. */
export function redelivery(
	kind: WebhookKind,
	{ deliveryId, ...ids }: { ownerId: string; webhookId: string; deliveryId: string },
): ServiceRequest {
	return {
		method: 'POST',
		path: [...webhookPath(kind, ids), 'logs', deliveryId, 'retry'],
		codes: { 422: 'LOG_NOT_RETRIABLE' },
		advice: { 404: 'Check the webhook and the delivery. Get Deliveries lists the deliveries of a webhook.' },
	};
}

/** Defines Redeliver for the webhooks of agents or campaigns. */
export function redeliver(kind: WebhookKind) {
	return defineOperation({
		name: 'Redeliver',
		value: 'redeliver',
		action: `Redeliver ${kind.name} event`,
		description: `Send an event that did not arrive again, to the current URL of ${kind.one}. Get Deliveries has a separate entry for the new attempt.`,
		fields: [kind.owner, kind.webhook, kind.delivery],
		request: (input) => redelivery(kind, input),
		output: (response) => response.data,
	});
}
