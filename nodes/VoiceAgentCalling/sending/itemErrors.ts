import { ServiceError, sentences } from '../../shared/errors/serviceError';

export const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';

export const NOT_TRIED = 'NOT_TRIED';

/**
 * The error for a request that the service may or may not have acted on.
 *
 * @param placesCall whether the request makes a phone ring
 * @param cause what happened just now; undefined: it happened in an earlier try of the same run
 */
export function outcomeUnknown(placesCall: boolean, cause?: ServiceError): ServiceError {
	const advice = placesCall
		? 'The phone may be ringing. Look at the calls in the service before you place this one again.'
		: 'The service may have done it. Look there before you run this again.';
	return new ServiceError(
		cause
			? `Outcome unknown: the request was sent, then: ${cause.message}`
			: 'Outcome unknown: the request was sent in an earlier try and never answered. It was not sent again',
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

/** The error of an item that is not tried because of another item's error. @param itemIndex the other item */
export function notTried({ message, advice }: ServiceError, itemIndex: number): ServiceError {
	return new ServiceError(`Not tried, because of what item ${itemIndex} met: ${sentences(message, '')}`, {
		code: NOT_TRIED,
		advice,
		accepted: 'no',
	});
}

/**
 * The error for what is not done because somebody stopped the execution. n8n tells a canceled execution from a failed
 * one by the word in the message.
 */
export function canceled(advice = ''): ServiceError {
	return new ServiceError('The execution was canceled', { code: 'CANCELED', advice, accepted: 'no' });
}
