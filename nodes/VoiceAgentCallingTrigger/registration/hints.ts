import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/json';
import { type Owner, ownerTypes, type SecretVersions } from '../../shared/owner';

/** A campaign or agent whose webhook the trigger had last, and the versions of its secret. */
export interface LastWebhook extends Owner, SecretVersions {
	webhookId: string;
}

/**
 * What the node's static data has: it helps to find what an unpublish could not delete, to accept for another hour what
 * was signed before an edit, and to check deliveries where the service's list does not say enough. Nothing else depends on
 * it: it travels with copies of the workflow, and other nodes can write an older one back.
 */
function hintsOf(caller: IHookFunctions | IWebhookFunctions): { webhooks?: unknown } {
	return caller.getWorkflowStaticData('node');
}

/** The webhooks that the trigger had last; none if something else has written the static data. */
export function lastWebhooks(caller: IHookFunctions | IWebhookFunctions): LastWebhook[] {
	const { webhooks } = hintsOf(caller);
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
	hintsOf(caller).webhooks = webhooks;
}
