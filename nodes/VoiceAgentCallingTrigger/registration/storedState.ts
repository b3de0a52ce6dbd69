import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/json';
import { type Owner, ownerTypes, type SecretVersions } from '../../shared/owner';

/** A webhook that the trigger had last, with its owner and the versions of its secret. */
export interface LastWebhook extends Owner, SecretVersions {
	webhookId: string;
}

/**
 * Returns the node's static data. They help to find webhooks that an unpublish could not delete, to accept for another
 * hour what was signed before an edit, and to check deliveries if the service's list is incomplete. Nothing else
 * depends on them: they are copied with the workflow, and other nodes can write an older state back.
 */
function storedState(caller: IHookFunctions | IWebhookFunctions): { webhooks?: unknown } {
	return caller.getWorkflowStaticData('node');
}

/** Returns the webhooks that the trigger had last; none if something else has written the static data. */
export function lastWebhooks(caller: IHookFunctions | IWebhookFunctions): LastWebhook[] {
	const { webhooks } = storedState(caller);
	return Array.isArray(webhooks) ? webhooks.filter(isLastWebhook) : [];
}

function isLastWebhook(entry: unknown): entry is LastWebhook {
	return (
		isRecord(entry) &&
		Object.keys(ownerTypes).includes(String(entry.ownerType)) &&
		[entry.ownerId, entry.webhookId].every((id) => typeof id === 'string') &&
		Array.isArray(entry.previous) &&
		[entry.current, ...entry.previous].every(Number.isSafeInteger)
	);
}

/** Stores the webhooks that the trigger has now. */
export function storeWebhooks(caller: IHookFunctions, webhooks: readonly LastWebhook[]): void {
	storedState(caller).webhooks = webhooks;
}
