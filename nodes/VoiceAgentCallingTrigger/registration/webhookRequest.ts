import { type Owner, type Settings, sources } from '../parameters/settings';
import { type DeliveryKey, KEY_HEADER } from './deliveryKeys';

/** The path of the webhooks of a campaign or agent, or of one of them. */
export function webhooksPath({ source, ownerId }: Owner, webhookId?: string): string[] {
	const path = [sources[source].collection, ownerId, 'webhooks'];
	return webhookId === undefined ? path : [...path, webhookId];
}

/** What has to be sent so that the deliveries carry a key: the secret and, with it, all extra headers. */
export function settingsWithKey(
	{ custom_headers: own }: Pick<Settings, 'custom_headers'>,
	{ secret, headerValue }: DeliveryKey,
) {
	const header = headerValue === undefined ? [] : [{ key: KEY_HEADER, value: headerValue }];
	return { webhook_secret: secret, custom_headers: [...own, ...header] };
}
