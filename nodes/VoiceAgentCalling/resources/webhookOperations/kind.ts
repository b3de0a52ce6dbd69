import type { ErrorCode } from '../../../shared/errors/errorCodes';
import type { Field } from '../../../shared/fields/field';
import type { ResponseField } from '../../operation/responseFields';

/** What tells the webhooks of a campaign from those of an agent. */
export interface WebhookKind {
	/** As texts name one, with its article. */
	one: string;
	/** As texts name several, with whose they are. */
	many: string;
	/** The agent or the campaign. */
	owner: Field<'ownerId', string>;
	webhook: Field<'webhookId', string>;
	delivery: Field<'deliveryId', string>;
	/** The first part of the path, before the owner's ID. */
	collection: 'agents' | 'campaigns';
	/** The code of an owner that is not there. */
	noOwner: ErrorCode;
	/** Of a webhook with more than ten fields, those that the output has while Simplify is on. */
	simplified?: readonly ResponseField[];
}

export function listPath({ collection }: WebhookKind, ownerId: string): string[] {
	return [collection, ownerId, 'webhooks'];
}

export function webhookPath(kind: WebhookKind, ids: { ownerId: string; webhookId: string }): string[] {
	return [...listPath(kind, ids.ownerId), ids.webhookId];
}
