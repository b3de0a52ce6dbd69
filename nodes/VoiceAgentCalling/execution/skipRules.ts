import type { ServiceError } from '../../shared/errors/serviceError';
import type { Operation } from '../operation/operation';
import { concernsAllItems, notTried } from '../sending/itemErrors';

type Values = Record<string, unknown>;

/** A rule by which items are skipped after another item failed. */
export interface SkipRule {
	/** The error of a skipped item. */
	error: ServiceError;
	appliesTo(values: Values): boolean;
}

/** The codes of errors that all items with the same agent or campaign would get. */
const CALLER_CODES = ['AGENT_INACTIVE', 'CAMPAIGN_NOT_ACTIVE'];

/**
 * The rule for items that would fail with the same error: an invalid token, no credits, an inactive agent or campaign,
 * a service that cannot be reached or whose rate limit is exceeded for too long.
 *
 * @param itemIndex the item that failed
 * @param values the input of the item that failed
 * @returns undefined if the error is only about this item
 */
export function skipRuleAfter(
	error: ServiceError,
	itemIndex: number,
	values: Values,
	{ callIn }: Operation,
): SkipRule | undefined {
	const rule = (appliesTo: SkipRule['appliesTo']) => ({ error: notTried(error, itemIndex), appliesTo });
	const { httpStatus, code } = error;
	if (concernsAllItems(error)) {
		return rule(() => true);
	}
	const call = callIn(values);
	if (httpStatus === 402) {
		// Test calls need no credits.
		return rule(call ? (other) => callIn(other)?.isTest === false : () => true);
	}
	if (call?.callerId === undefined || !CALLER_CODES.includes(code)) {
		return undefined;
	}
	return rule((other) => callIn(other)?.callerId === call.callerId);
}
