import { catchUp } from './catchUp';
import { checkRegistration } from './checkRegistration';
import { connectToTrigger } from './connectToTrigger';
import { deleteWebhook } from './delete';
import { disconnectFromTrigger } from './disconnectFromTrigger';
import { enableOrDisable } from './enableOrDisable';
import { get } from './get';
import { getDeliveries } from './getDeliveries';
import { getMany } from './getMany';
import type { WebhookKind } from './kind';
import { redeliver } from './redeliver';
import { rotateSecret } from './rotateSecret';

/** Defines the operations that the webhooks of agents and campaigns have in common. */
export function webhookOperations(kind: WebhookKind) {
	return [
		catchUp,
		checkRegistration,
		connectToTrigger,
		deleteWebhook,
		disconnectFromTrigger,
		enableOrDisable,
		get,
		getDeliveries,
		getMany,
		redeliver,
		rotateSecret,
	].map((define) => define(kind));
}
