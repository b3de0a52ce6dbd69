import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { type Owner, ownerUrl, sources, webhooksPath } from '../../shared/nodeLink/owner';
import { KEY_HEADER } from '../parameters/options';
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
		.update(JSON.stringify([webhookOf(settings, owner), settings.requireHeader]))
		.digest('hex');
}

/** The part of a webhook's settings that holds its key: the secret, and all custom headers with the one of the key. */
function settingsWithKey(
	{ custom_headers: own }: Pick<WebhookSettings, 'custom_headers'>,
	{ secret, headerValue }: DeliveryKey,
) {
	const header = headerValue === undefined ? [] : [{ key: KEY_HEADER, value: headerValue }];
	return { webhook_secret: secret, custom_headers: [...own, ...header] };
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
	const webhook = webhookOf(settings, owner);
	const { data } = await ask(reach, {
		method: webhookId === undefined ? 'POST' : 'PUT',
		path: webhooksPath(owner, webhookId),
		body: { ...webhook, ...settingsWithKey(webhook, keyFor(key, owner)) },
		codes: { 404: sources[owner.source].noOwner },
	});
	return webhookId ?? idIn(data);
}

/**
 * Gives a webhook its key, and leaves its other settings alone.
 *
 * @param key of the trigger
 * @param settings reads the settings: only a key with a header needs them
 * @throws ServiceError
 */
export async function writeKey(
	reach: Reach,
	settings: () => Promise<Pick<TriggerSettings, 'settings'>>,
	owner: Owner,
	key: DeliveryKey,
	webhookId: string,
): Promise<void> {
	const own = keyFor(key, owner);
	const body: IDataObject =
		own.headerValue === undefined ? { webhook_secret: own.secret } : settingsWithKey((await settings()).settings, own);
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
