import { ServiceError } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { isRecord } from '../../shared/lib/json';
import { type Owner, ownerTypes, type SecretVersions, webhooksPath } from '../../shared/owner';
import { acceptedAddress } from '../../shared/triggerSecrets/deliverySecret';
import type { TriggerSettings } from '../parameters/settings';
import { ask, type ServiceClient } from './serviceClient';

/** The webhooks that the service should have, and how to reach the service. */
export interface DesiredWebhooks extends ServiceClient, TriggerSettings {
	keys: Keys;
	/** Whether they are for a test run in the editor. */
	isTest: boolean;
}

/**
 * Registers the webhook of an owner, or updates it with all settings.
 *
 * @param webhookId of the one to update
 * @returns its ID
 * @throws ServiceError
 */
export async function writeWebhook(
	desired: DesiredWebhooks,
	owner: Owner,
	versions: SecretVersions,
	webhookId?: string,
): Promise<string> {
	const { settings, verifyBy, keys, isTest } = desired;
	const target = { url: settings.webhook_url, isTest };
	const accepted = acceptedAddress(keys, target, owner, versions, verifyBy, settings.custom_headers);
	const { data } = await ask(desired, {
		method: webhookId === undefined ? 'POST' : 'PUT',
		path: webhooksPath(owner, webhookId),
		body: { ...settings, ...accepted },
		...(webhookId === undefined && { codes: { 404: ownerTypes[owner.ownerType].noOwner } }),
	});
	return webhookId ?? webhookIdIn(data);
}

/** Reads the ID in the response to a registration. @throws ServiceError if there is none */
function webhookIdIn(data: unknown): string {
	if (isRecord(data) && ['string', 'number'].includes(typeof data.id)) {
		return String(data.id);
	}
	throw new ServiceError('The service registered the webhook, but did not return its ID', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Publish the workflow again: the trigger then finds the webhook by its URL.',
		accepted: 'unknown',
	});
}
