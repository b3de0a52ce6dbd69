import type { ServiceError } from '../../shared/errors/serviceError';
import { NO_WAY } from '../../shared/service/noAnswer';
import { type Operation } from '../operation/operation';
import { notTried } from '../sending/itemErrors';

type Values = Record<string, unknown>;

/** Why some items are not tried any more. */
export interface Stop {
	/** The error of such an item. */
	error: ServiceError;
	appliesTo(values: Values): boolean;
}

/** The codes that stand for one agent or campaign alone. */
const OF_WHO_CALLS = ['AGENT_INACTIVE', 'CAMPAIGN_NOT_ACTIVE'];

/**
 * Whether an error would meet other items as well, so that trying them would only cost time, or money: the token, the
 * credits, an agent or a campaign that does not call, a service that cannot be reached or takes no more for too long.
 *
 * @param values what the item that met the error has
 */
export function stopAfter(
	error: ServiceError,
	itemIndex: number,
	values: Values,
	{ calledBy }: Operation,
): Stop | undefined {
	const stop = (appliesTo: Stop['appliesTo']) => ({ error: notTried(error, itemIndex), appliesTo });
	const { httpStatus, code } = error;
	if (httpStatus === 401 || httpStatus === 429 || [...NO_WAY, 'RATE_LIMIT_EXCEEDED'].includes(code)) {
		return stop(() => true);
	}
	// A test call costs nothing.
	if (httpStatus === 402) {
		return stop(({ is_testing }) => is_testing !== true);
	}
	if (calledBy === undefined || !OF_WHO_CALLS.includes(code)) {
		return undefined;
	}
	return stop((other) => other[calledBy] === values[calledBy]);
}
