import type { ServiceError } from '../../shared/errors/serviceError';
import { NO_WAY } from '../../shared/service/noAnswer';
import type { Operation } from '../operation/operation';
import { notTried } from '../sending/itemErrors';

type Values = Record<string, unknown>;

/** Which items are skipped, and why. */
export interface SkipRule {
	/** The error of a skipped item. */
	error: ServiceError;
	appliesTo(values: Values): boolean;
}

/** The codes that concern one agent or campaign. */
const CALLER_CODES = ['AGENT_INACTIVE', 'CAMPAIGN_NOT_ACTIVE'];

/**
 * The rule for the items that would fail with the same error: the token or the credits, an agent or a campaign that
 * does not call, a service that cannot be reached or that refuses requests for too long.
 *
 * @param values the values of the item that failed
 * @returns undefined where the error concerns this item alone
 */
export function skipRuleAfter(
	error: ServiceError,
	itemIndex: number,
	values: Values,
	{ calledBy }: Operation,
): SkipRule | undefined {
	const rule = (appliesTo: SkipRule['appliesTo']) => ({ error: notTried(error, itemIndex), appliesTo });
	const { httpStatus, code } = error;
	if (httpStatus === 401 || httpStatus === 429 || [...NO_WAY, 'RATE_LIMIT_EXCEEDED'].includes(code)) {
		return rule(() => true);
	}
	// A test call costs nothing.
	if (httpStatus === 402) {
		return rule(({ is_testing }) => is_testing !== true);
	}
	if (calledBy === undefined || !CALLER_CODES.includes(code)) {
		return undefined;
	}
	return rule((other) => other[calledBy] === values[calledBy]);
}
