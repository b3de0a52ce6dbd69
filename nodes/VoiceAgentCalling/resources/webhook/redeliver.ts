import type { ServiceRequest } from '../../../shared/client/request';
import { type Owner, webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { delivery } from './fields';

/** Builds the request that delivers the event of a log entry again. */
export function redelivery({
	webhookId,
	deliveryId,
	...owner
}: Owner & { webhookId: string; deliveryId: string }): ServiceRequest {
	return {
		method: 'POST',
		path: [...webhooksPath(owner, webhookId), 'logs', deliveryId, 'retry'],
		codes: { 404: 'DELIVERY_NOT_FOUND', 422: 'LOG_NOT_RETRIABLE' },
	};
}

export const redeliver = defineOperation({
	name: 'Redeliver',
	value: 'redeliver',
	action: 'Redeliver webhook event',
	description: 'Send an event again, to the current URL of the webhook. Get Deliveries shows whether it arrived.',
	fields: delivery,
	request: redelivery,
	output: (response) => response.data,
});
