import { hasServiceStatus, type ServiceError } from '../../shared/errors/serviceError';

/**
 * How much longer n8n waits than the node. When n8n ends the wait, it runs no code of the node, and what has arrived would
 * be lost; so the node ends it first.
 */
export const AFTER_DEADLINE_MS = 120_000;

/** How long before that the last request ends: n8n has to continue the execution before it ends the wait. */
const MARGIN_MS = 10_000;

/**
 * For how long after the time limit the node asks the service again if it does not answer, and how often. Whoever calls the
 * people again whose calls have timed out would ring a phone twice.
 */
export const LAST_LOOKS = { forMs: 90_000, everyMs: 10_000 };

/**
 * When the last request of a wait has to end, in milliseconds since 1970. If even the time at which n8n ends the wait was
 * missed, because the machine slept for example, nothing has to be in time.
 *
 * @param until when its time is up, in milliseconds since 1970
 */
export function lastRequestEnd(until: number): number {
	const end = until + AFTER_DEADLINE_MS;
	return Date.now() < end ? end - MARGIN_MS : Number.POSITIVE_INFINITY;
}

/** Whether the service may answer when it is asked again: it did not answer, had trouble, or had too many requests. */
export function mayAnswerLater({ code, httpStatus = 500 }: ServiceError): boolean {
	return code !== 'UNREADABLE_ANSWER' && (httpStatus === 429 || httpStatus > 499);
}

/** What to do about some errors: ask again, if one of them says that the service may answer then. */
export function mainError(errors: readonly ServiceError[]): ServiceError | undefined {
	return errors.find((error) => !isFinal(error)) ?? errors[0];
}

/**
 * Whether the service itself has refused, or its response cannot be read: it would do the same again. A gateway may only
 * have lost the service for a while.
 */
export function isFinal(error: ServiceError): boolean {
	const { code, httpStatus = 0 } = error;
	return code === 'UNREADABLE_ANSWER' || (!mayAnswerLater(error) && hasServiceStatus(error, httpStatus));
}
