import { createHash } from 'node:crypto';

import { ServiceError } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { type Owner, ownerUrl, sources, webhooksPath } from '../../shared/nodeLink/owner';
import type { TriggerSettings, WebhookSettings } from '../parameters/settings';
import { type DeliveryKey, keyFor } from './deliveryKeys';
import { ask, type Reach } from './reach';

/** The settings of the webhook of one owner. */
export function webhookOf({ settings }: TriggerSettings, owner: Owner): WebhookSettings {
	return { ...settings, webhook_url: ownerUrl(settings.webhook_url, owner) };
}

/** Hash of the settings of the webhook of one owner, to notice that they have changed. */
export function digestOf(settings: TriggerSettings, owner: Owner): string {
	return createHash('sha256')
		.update(JSON.stringify(webhookOf(settings, owner)))
		.digest('hex');
}

/**
 * Registers the webhook of an owner, or updates it with all settings.
 *
 * @param key of the trigger
 * @param webhookId of the one to update
 * @returns its ID
 * @throws ServiceError
 */
export async function writeWebhook(
	reach: Reach,
	settings: TriggerSettings,
	owner: Owner,
	key: DeliveryKey,
	webhookId?: string,
): Promise<string> {
	const { data } = await ask(reach, {
		method: webhookId === undefined ? 'POST' : 'PUT',
		path: webhooksPath(owner, webhookId),
		body: { ...webhookOf(settings, owner), webhook_secret: keyFor(key, owner).secret },
		codes: { 404: sources[owner.source].noOwner },
	});
	return webhookId ?? idIn(data);
}

/**
 * Gives a webhook its key, and leaves its other settings alone.
 *
 * @param key of the trigger
 * @throws ServiceError
 */
export async function writeKey(reach: Reach, owner: Owner, key: DeliveryKey, webhookId: string): Promise<void> {
	const body = { webhook_secret: keyFor(key, owner).secret };
	await ask(reach, { method: 'PUT', path: webhooksPath(owner, webhookId), body });
}

/** @throws ServiceError if the response to a registration has no ID */
function idIn(data: unknown): string {
	if (isRecord(data) && typeof data.id === 'string') {
		return data.id;
	}
	throw new ServiceError('The service registered the webhook, but did not return its ID', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Publish the workflow again: the trigger then finds the webhook by its URL.',
		accepted: 'unknown',
	});
}
