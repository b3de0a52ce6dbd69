import { ServiceError } from '../../shared/errors/serviceError';

export const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';

/**
 * The error for a request that the service may or may not have acted on.
 *
 * @param cause what happened just now; absent: it happened in an earlier try of the same run
 */
export function outcomeUnknown(spends: boolean, cause?: ServiceError): ServiceError {
	return new ServiceError(
		cause
			? `Outcome unknown: the request was sent, then: ${cause.message}`
			: 'Outcome unknown: the request was sent in an earlier try and never answered. It was not sent again',
		{
			code: OUTCOME_UNKNOWN,
			advice: [
				spends
					? 'The phone may be ringing. Look at the calls in the service before you place this one again.'
					: 'The service may have done it. Look there before you run this again.',
				cause?.advice,
			]
				.filter(Boolean)
				.join(' '),
			httpStatus: cause?.httpStatus,
			taken: 'unknown',
			body: cause?.body,
		},
	);
}
