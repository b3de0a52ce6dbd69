import { KEY_HEADER } from '../parameters/options';
import type { WebhookSettings } from '../parameters/settings';
import { type Owner, sources } from '../parameters/source';
import type { DeliveryKey } from './deliveryKeys';

/** The path of the webhooks of a campaign or agent, or of one of them. */
export function webhooksPath({ source, ownerId }: Owner, webhookId?: string): string[] {
	const path = [sources[source].collection, ownerId, 'webhooks'];
	return webhookId === undefined ? path : [...path, webhookId];
}

/** The part of a webhook's settings that holds its key: the secret, and all custom headers with the one of the key. */
export function settingsWithKey(
	{ custom_headers: own }: Pick<WebhookSettings, 'custom_headers'>,
	{ secret, headerValue }: DeliveryKey,
) {
	const header = headerValue === undefined ? [] : [{ key: KEY_HEADER, value: headerValue }];
	return { webhook_secret: secret, custom_headers: [...own, ...header] };
}
