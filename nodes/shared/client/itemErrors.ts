import { PERMANENT_CONNECTION_ERRORS } from '../errors/notSent';
import { ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/json';

/** The error code for a request that the service may or may not have acted on. */
export const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';

/** The error code for an item that was skipped because of another item's error. */
export const NOT_TRIED = 'NOT_TRIED';

/**
 * Creates the error for a request that the service may or may not have acted on.
 *
 * @param placesCall whether the request makes a phone ring
 * @param cause the error of the request; undefined if an earlier attempt or run of the node sent it
 */
export function outcomeUnknown(placesCall: boolean, cause?: ServiceError): ServiceError {
	const advice = placesCall
		? 'The phone may be ringing. Check the calls in the service before you place this one again.'
		: 'The service may have done it. Check there before you run this again.';
	return new ServiceError(
		cause
			? `Outcome unknown after the request was sent: ${cause.message}`
			: 'Outcome unknown: this execution has sent the request before and got no answer. It was not sent again',
		{
			code: OUTCOME_UNKNOWN,
			advice: [advice, cause?.advice].filter(Boolean).join(' '),
			httpStatus: cause?.httpStatus,
			accepted: 'unknown',
			body: cause?.body,
			fieldNames: cause?.fieldNames,
		},
	);
}

/** Says of the error of an item that the service may have done something for it before. @param change what it was */
export function mayBeDone(error: ServiceError, change: 'once' | 'repeatable'): ServiceError {
	// An error with a report says what was done.
	if (error.code === OUTCOME_UNKNOWN || error.report !== undefined || error.itemAdvice !== undefined) {
		return error.with({ accepted: 'unknown' });
	}
	const next =
		change === 'once' ? 'Check there before you run this again.' : 'To be sure, run this again: nothing is done twice.';
	return error.with({ itemAdvice: `The service may have done it. ${next}`, accepted: 'unknown' });
}

/** Whether the service, or a gateway before it, does not work. A 502 with `data` is the result of a check instead. */
export function isOutage({ httpStatus = 0, body }: ServiceError): boolean {
	return [502, 503, 504].includes(httpStatus) && !(isRecord(body) && isRecord(body.data));
}

/** The codes of errors that every request would get. */
const STOPPING_CODES: readonly string[] = [...PERMANENT_CONNECTION_ERRORS, 'RATE_LIMIT_EXCEEDED'];

/**
 * Whether every request would get the same error: an invalid token, a service that cannot be reached, or a rate limit
 * that is exceeded for too long.
 */
export function concernsAllItems({ httpStatus, code }: { httpStatus?: number; code: string }): boolean {
	return httpStatus === 401 || httpStatus === 429 || STOPPING_CODES.includes(code);
}

/** The error codes for an agent or a campaign that must not call at the moment. */
export const CALLER_CODES: readonly string[] = ['AGENT_INACTIVE', 'CAMPAIGN_NOT_ACTIVE'];

/** The error codes that concern the item itself, or a call that may already have been placed for it. */
const ITEM_CODES: readonly string[] = [
	'DO_NOT_CALL',
	'DUPLICATE_CALL',
	'INVALID_INPUT',
	'INVALID_PHONE_NUMBER',
	'MISSING_PHONE_NUMBER',
	'MISSING_VARIABLES',
	'NOT_APPLICABLE',
	'NOT_FOR_TOOLS',
	'NO_CONSENT',
	'NUMBER_NOT_ALLOWED',
	OUTCOME_UNKNOWN,
	'REPEATED_NUMBER',
];

/** The HTTP statuses that the service sends when it refuses the values of an item. */
const ITEM_STATUSES: readonly number[] = [400, 405, 409, 422];

/** Whether a later run may succeed in calling an item that was not called, even if the item does not change. */
export function mayPass({ code, httpStatus = 0 }: { code: string; httpStatus?: number }): boolean {
	return CALLER_CODES.includes(code) || !(ITEM_CODES.includes(code) || ITEM_STATUSES.includes(httpStatus));
}

/**
 * Whether other items would get the same error: all items, all real calls (missing credits), or all calls of the same
 * agent or campaign. sendItems.ts stops these items.
 */
export function stopsOtherItems({ code, httpStatus }: { code: string; httpStatus?: number }): boolean {
	return concernsAllItems({ code, httpStatus }) || httpStatus === 402 || CALLER_CODES.includes(code);
}

/** Creates the error for an item that is skipped because of another item's error. @param itemIndex the other item */
export function notTried(error: ServiceError, itemIndex: number): ServiceError {
	const { message, advice, code } = error;
	if (code === NOT_TRIED) {
		return error;
	}
	return new ServiceError(`Not tried: item ${itemIndex} failed with "${message.replace(/\.$/, '')}"`, {
		code: NOT_TRIED,
		advice,
		accepted: 'no',
		stoppedBy: error,
	});
}

/**
 * Creates the error for work that is not done because the execution was canceled. n8n recognizes a canceled execution
 * by the word "canceled" in the message.
 */
export function canceled(advice = ''): ServiceError {
	return new ServiceError('The execution was canceled', { code: 'CANCELED', advice, accepted: 'no' });
}
