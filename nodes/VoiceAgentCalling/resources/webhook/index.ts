import { deleteWebhook } from './delete';
import { enableOrDisable } from './enableOrDisable';
import { get } from './get';
import { getDeliveries } from './getDeliveries';
import { getMany } from './getMany';
import type { WebhookKind } from './kind';
import { redeliver } from './redeliver';

/** The operations that webhooks of agents and of campaigns have in common. */
export function webhookOperations(kind: WebhookKind) {
	return [deleteWebhook, enableOrDisable, get, getDeliveries, getMany, redeliver].map((define) => define(kind));
}
