import { defineOperation } from '../../../shared/operation';
import { webhookPath, type WebhookKind } from './kind';

export function redeliver(kind: WebhookKind) {
	return defineOperation({
		name: 'Redeliver',
		value: 'redeliver',
		action: `Redeliver an event to ${kind.one}`,
		description: `Send ${kind.one} an event again that did not arrive, to its present address. The new attempt has an entry of its own in Get Deliveries.`,
		fields: [kind.owner, kind.webhook, kind.delivery],
		request: ({ deliveryId, ...ids }) => ({
			method: 'POST',
			path: [...webhookPath(kind, ids), 'logs', deliveryId, 'retry'],
			codes: { 422: 'LOG_NOT_RETRIABLE' },
			advice: { 404: 'Check the webhook and the delivery: Get Deliveries lists those of a webhook.' },
		}),
		output: (response) => response.data,
	});
}
