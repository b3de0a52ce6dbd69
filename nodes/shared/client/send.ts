import type { IDataObject } from 'n8n-workflow';

import { asServiceError, type Result, type ServiceError, toResult, unwrap } from '../errors/serviceError';
import { isOutage } from './itemErrors';
import { jittered, tooLong } from './pace';
import { rateLimitOf } from './rateLimit';
import type { SendRequest, ServiceRequest } from './request';
import type { Sender } from './run';
import { send as transmit } from './transport';

/** The maximum number of attempts of a request, not counting refusals with 429. */
const MAX_ATTEMPTS = 4;

/** The first pause between attempts, and the factor by which the pauses grow. */
const FIRST_PAUSE_MS = 200;
const GROWTH = 4;

/** Decides at the moment of sending whether a request may be sent, and records it beforehand. */
export interface Guard {
	/**
	 * Reads the data for the decision, right before it.
	 *
	 * @param read sends a request immediately
	 * @throws ServiceError
	 */
	refresh?(read: SendRequest): Promise<void>;
	/**
	 * Decides, and records the request before it is sent. The request follows without any wait.
	 *
	 * @param request the request before the guard's changes
	 * @returns the request to send
	 * @throws ServiceError the reason why it must not be sent
	 */
	reserve(request: ServiceRequest): ServiceRequest;
	/** Records that the service certainly did not accept the request. */
	refused(): void;
}

/** How a request is sent. */
export interface SendOptions {
	/** Whether the request may be sent again after an unknown outcome. */
	isRepeatable: boolean;
	/** Throws when the request is no longer wanted. Called before each attempt and during waits. */
	throwIfUnwanted(): void;
	guard?: Guard;
	/** Called after each attempt. @param error undefined if the service accepted the request */
	onAttempt?(error: ServiceError | undefined): void;
}

/** The result of an attempt. */
type Attempt = Result<IDataObject> & {
	/** Whether the request may be sent again if the service is down. */
	isRepeatable: boolean;
};

/**
 * Sends a request to the service. Each attempt waits for a turn of the pace (pace.ts), asks the guard, and passes the
 * request to transport.ts, which sends it once through n8n. A further attempt follows only if the service certainly did
 * not accept the request (429, UNREACHABLE), or if the request is repeatable (502, 503, 504, CONNECTION_LOST). A call is
 * never repeatable, so it is not sent again once the service may have received it. operation/responses.ts decides whether
 * a successful response proves that the call was accepted.
 *
 * @returns the body of the response; or the error of the last attempt, of the guard, or of `throwIfUnwanted`
 */
export async function send(
	sender: Sender,
	request: ServiceRequest,
	options: SendOptions,
): Promise<Result<IDataObject>> {
	const { pace, maxWaitSeconds } = sender;
	let waitingSince: number | undefined;
	for (let failures = 0; ; ) {
		const { value: sentAt, error: unwanted } = await toResult(pace.acquire(options.throwIfUnwanted));
		if (unwanted) {
			return { error: unwanted };
		}
		const result = await attempt(sender, request, options, sentAt);
		pace.release();
		const { error } = result;
		if (error === undefined) {
			return result;
		}
		const isLimited = error.httpStatus === 429;
		failures += isLimited ? 0 : 1;
		if (!isLimited && (failures === MAX_ATTEMPTS || !isWorthAnotherAttempt(error, result.isRepeatable))) {
			return result;
		}
		// After a 429, the pace is closed: the next attempt waits for its turn.
		const wait = isLimited ? pace.closedMs : (error.retryAfter ?? 0) * 1000;
		waitingSince ??= performance.now();
		if (performance.now() - waitingSince + wait > maxWaitSeconds * 1000) {
			return isLimited ? { error: tooLong(wait / 1000, error) } : result;
		}
		if (!isLimited) {
			const pause = Math.max(jittered(FIRST_PAUSE_MS * GROWTH ** (failures - 1)), wait);
			const { error: canceled } = await toResult(pace.sleep(pause, options.throwIfUnwanted));
			if (canceled) {
				return { error: canceled };
			}
			pace.repeats++;
		}
	}
}

/** Lets the guard decide, and sends the request once. */
async function attempt(
	sender: Sender,
	request: ServiceRequest,
	{ isRepeatable, throwIfUnwanted, guard, onAttempt }: SendOptions,
	turnAt: number,
): Promise<Attempt> {
	let sentAt = turnAt;
	if (guard?.refresh) {
		const read = async (first: ServiceRequest) => {
			sender.pace.addRequest();
			return unwrap(await exchange(sender, first, performance.now()));
		};
		const { error } = await toResult(guard.refresh(read));
		if (error) {
			return { error: error.with({ accepted: 'no' }), isRepeatable: true };
		}
		sentAt = performance.now();
	}
	let reserved: ServiceRequest;
	try {
		throwIfUnwanted();
		reserved = guard ? guard.reserve(request) : request;
	} catch (error) {
		return { error: asServiceError(error), isRepeatable: false };
	}
	const result = await exchange(sender, reserved, sentAt);
	if (result.error?.accepted === 'no') {
		guard?.refused();
	}
	onAttempt?.(result.error);
	return { ...result, isRepeatable };
}

/** Sends a request once, and passes the rate limit of the response to the pace. @param sentAt by the monotonic clock */
async function exchange(sender: Sender, request: ServiceRequest, sentAt: number): Promise<Result<IDataObject>> {
	const { caller, connection, pace, timeoutSeconds } = sender;
	let limit: ReturnType<typeof rateLimitOf>;
	const response = transmit(caller, connection, request, timeoutSeconds, (headers) => {
		limit = rateLimitOf(headers, Date.now(), performance.now() - sentAt);
	});
	const result = await toResult(response);
	pace.onResponse(sentAt, limit, result.error);
	return result;
}

function isWorthAnotherAttempt(error: ServiceError, isRepeatable: boolean): boolean {
	return error.code === 'UNREACHABLE' || (isRepeatable && (error.code === 'CONNECTION_LOST' || isOutage(error)));
}
