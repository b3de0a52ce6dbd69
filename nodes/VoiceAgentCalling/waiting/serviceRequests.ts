import { Pace } from '../../shared/client/pace';
import type { SendRequest } from '../../shared/client/request';
import { isRepeatable } from '../../shared/client/requests';
import { send } from '../../shared/client/send';
import { connect, type ServiceCaller } from '../../shared/client/transport';
import { hasServiceStatus, type ServiceError, serviceError, unwrap } from '../../shared/errors/serviceError';

/** How long a response may take: less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** How many requests are sent at the same time. */
const MAX_CONCURRENT = 5;

/**
 * How much longer n8n waits than the node. When n8n itself ends the wait, it runs no code of the node, and the events
 * that have arrived would be lost; so the node ends the wait first.
 */
export const AFTER_DEADLINE_MS = 120_000;

/** How long before that the last request ends: n8n has to continue the execution before it ends the wait itself. */
const MARGIN_MS = 10_000;

/**
 * For how long after the time limit, and how often, the node repeats a request that the service does not respond to. A
 * call that is reported as timed out although it was answered may be placed again, and the phone rings twice.
 */
export const LAST_ATTEMPTS = { forMs: 90_000, everyMs: 10_000 };

/**
 * Returns when the last request of a wait has to end, in milliseconds since 1970. If n8n's own end of the wait has
 * passed, for example because the machine was asleep, there is no limit.
 *
 * @param until when the time limit is reached, in milliseconds since 1970
 */
export function lastRequestEnd(until: number): number {
	const end = until + AFTER_DEADLINE_MS;
	return Date.now() < end ? end - MARGIN_MS : Number.POSITIVE_INFINITY;
}

/** How long the requests of a wait may take. */
interface TimeForRequests {
	/** How long a request waits for a rate limit, or for a service that does not work, in seconds. */
	maxWaitSeconds: number;
	/** When the last request has to end in any case, in milliseconds since 1970. */
	endsAt: number;
}

/**
 * Returns a function that sends requests outside of a run, with the credential of a waiting node. The first request
 * reads the credential. Requests are repeated under the same rules as in a run.
 */
export function serviceRequests(caller: ServiceCaller, { maxWaitSeconds, endsAt }: TimeForRequests): SendRequest {
	const pace = new Pace({ maxConcurrentRequests: MAX_CONCURRENT, maxWaitSeconds });
	const secondsLeft = () => (endsAt - Date.now()) / 1000;
	const throwIfUnwanted = () => {
		if (secondsLeft() <= 0) {
			throw serviceError('TIMEOUT', {}, { accepted: 'unknown' });
		}
	};
	let connecting: ReturnType<typeof connect> | undefined;
	return async (request) => {
		connecting ??= connect(caller);
		const sender = {
			caller,
			connection: await connecting,
			pace,
			maxWaitSeconds,
			get timeoutSeconds() {
				// A response whose body arrives slowly may take twice as long.
				return Math.max(1, Math.min(TIMEOUT_SECONDS, secondsLeft() / 2));
			},
		};
		return unwrap(await send(sender, request, { isRepeatable: isRepeatable(request, undefined), throwIfUnwanted }));
	};
}

/** Whether a repeated request may succeed: there was no response, an internal error, or a rate limit. */
export function maySucceedLater({ code, httpStatus = 500 }: ServiceError): boolean {
	return code !== 'UNREADABLE_ANSWER' && (httpStatus === 429 || httpStatus > 499);
}

/**
 * Whether the service itself has refused the request, or its response cannot be read, so that a repeated request would
 * fail alike. An error of a gateway is not final: the gateway may only have lost the service for a while.
 */
export function isFinal(error: ServiceError): boolean {
	const { code, httpStatus = 0 } = error;
	return code === 'UNREADABLE_ANSWER' || (!maySucceedLater(error) && hasServiceStatus(error, httpStatus));
}

/** Returns the error that decides whether to try again: the first that is not final, otherwise the first. */
export function mainError(errors: readonly ServiceError[]): ServiceError | undefined {
	return errors.find((error) => !isFinal(error)) ?? errors[0];
}
