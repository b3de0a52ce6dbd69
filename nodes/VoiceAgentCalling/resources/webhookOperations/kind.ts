import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../../../shared/errors/errorCodes';
import type { Field } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/isRecord';
import type { RemoteWebhook } from '../../../shared/nodeLink/listener';
import type { Source } from '../../../shared/nodeLink/owner';
import type { Outputs } from '../../operation/operation';

/** The differences between the webhooks of agents and of campaigns. */
export interface WebhookKind {
	/** "agent webhook", in actions. */
	name: string;
	/** "an agent webhook", in descriptions. */
	one: string;
	/** The field for the agent or the campaign. */
	owner: Field<'ownerId', string>;
	webhook: Field<'webhookId', string>;
	delivery: Field<'deliveryId', string>;
	/** The first part of the path, before the owner's ID. */
	collection: 'agents' | 'campaigns';
	/** The error code if the owner does not exist. */
	noOwner: ErrorCode;
	/** For webhooks with more than ten fields. */
	outputs?: Outputs;
	/** The same, for an operation that also says whether it changed the webhook. */
	changeOutputs?: Outputs;
	/** For deliveries with more than ten fields. */
	deliveryOutputs?: Outputs;
}

/** Whose webhooks they are. */
export function sourceOf({ collection }: WebhookKind): Source {
	return collection === 'agents' ? 'agent' : 'campaign';
}

/** What {@link askListener} has to know about a webhook. */
export function remoteWebhook(
	kind: WebhookKind,
	ownerId: string,
	{ id, webhook_url: url }: IDataObject,
): RemoteWebhook {
	return { id: String(id), url: String(url), source: sourceOf(kind), ownerId };
}

/**
 * A webhook, or a list of them, without the query of an address that resumes an execution of n8n: everybody who has the
 * token in it can resume the execution.
 */
export function hideResumeTokens(webhooks: unknown): unknown {
	if (Array.isArray(webhooks)) {
		return webhooks.map(hideResumeTokens);
	}
	const url = isRecord(webhooks) ? webhooks.webhook_url : undefined;
	return isRecord(webhooks) && typeof url === 'string' && url.includes('/webhook-waiting/')
		? { ...webhooks, webhook_url: url.replace(/\?.*/s, '') }
		: webhooks;
}

/** Returns the path of the list of an owner's webhooks. */
export function listPath({ collection }: WebhookKind, ownerId: string): string[] {
	return [collection, ownerId, 'webhooks'];
}

/** Returns the path of a webhook. */
export function webhookPath(kind: WebhookKind, ids: { ownerId: string; webhookId: string }): string[] {
	return [...listPath(kind, ids.ownerId), ids.webhookId];
}
