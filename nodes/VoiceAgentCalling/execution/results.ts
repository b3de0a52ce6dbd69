import type { ServiceError } from '../../shared/errors/serviceError';
import { failed, type ItemOutcome, type ItemResult } from '../operation/items';
import { Withheld } from '../operation/withheld';
import { MISSING_VARIABLES } from '../readiness/findings';
import { NOT_TRIED, OUTCOME_UNKNOWN } from '../sending/itemErrors';

/** What became of an item that failed. */
export function resultOf(error: ServiceError): ItemResult {
	const { code } = error;
	if (code === NOT_TRIED) {
		return 'notTried';
	}
	if (code === OUTCOME_UNKNOWN) {
		return 'unknown';
	}
	if (error instanceof Withheld) {
		return error.result;
	}
	return code === MISSING_VARIABLES ? 'notReady' : 'failed';
}

/** What became of an item; `done` for one that places no call and did not fail. */
export function resultOfItem(outcome: ItemOutcome | undefined): ItemResult | 'done' {
	if (outcome === undefined) {
		return 'notTried';
	}
	return failed(outcome) ? resultOf(outcome.error) : (outcome.result ?? 'done');
}
