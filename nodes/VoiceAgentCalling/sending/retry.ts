import type { IDataObject } from 'n8n-workflow';

import { type Result, type ServiceError, toResult } from '../../shared/errors/serviceError';
import { rateLimitOf } from '../../shared/service/rateLimit';
import type { ServiceRequest } from '../../shared/service/request';
import { send } from '../../shared/service/transport';
import { isOutage } from './itemErrors';
import { jittered, tooLong } from './pace';
import type { Run } from './run';

/** The maximum number of tries of a request, not counting 429s. */
const MAX_TRIES = 4;

/** The first pause between tries, and the factor by which the pauses grow. */
const FIRST_PAUSE_MS = 200;
const GROWTH = 4;

/** Whether a request may be retried, and what is called for each try. */
export interface Tries {
	/** Whether it may be sent again after an unknown outcome. */
	safe: boolean;
	/** Called before each try and during waits; throws when the request is no longer wanted. */
	throwIfUnwanted(): void;
	/** Called right before each try is sent. @returns the request to send instead; undefined for the original one */
	sending(): ServiceRequest | undefined;
	/** Called after a failed try, before the next one. */
	failed(error: ServiceError): void;
}

/**
 * Sends a request at the pace of the run, with retries: after a 429, after a connection error that proves that nothing
 * was sent, and, if `safe`, after 502, 503, 504 and a broken connection.
 *
 * @returns the body of the response, or the error of the last try or of `throwIfUnwanted`
 */
export async function sendAndRepeat(run: Run, request: ServiceRequest, tries: Tries): Promise<Result<IDataObject>> {
	const { caller, connection, pace, timeoutSeconds, maxWaitSeconds } = run;
	let waitingSince: number | undefined;
	for (let failures = 0; ; ) {
		const { value: sentAt, error: notSent } = await toResult(pace.acquire(tries.throwIfUnwanted));
		if (notSent) {
			return { error: notSent };
		}
		const current = tries.sending() ?? request;
		let limit: ReturnType<typeof rateLimitOf>;
		const response = send(caller, connection, current, timeoutSeconds, (headers) => {
			limit = rateLimitOf(headers, Date.now(), performance.now() - sentAt);
		});
		const result = await toResult(response);
		const { error } = result;
		pace.onResponse(sentAt, limit, error);
		if (error === undefined) {
			return result;
		}
		tries.failed(error);
		if (error.httpStatus === 429) {
			// The pace is closed now: the next try waits in `acquire`.
			const wait = pace.closedMs;
			waitingSince ??= performance.now();
			if (performance.now() - waitingSince + wait > maxWaitSeconds * 1000) {
				return { error: tooLong(wait / 1000, error) };
			}
			continue;
		}
		failures++;
		if (failures === MAX_TRIES || !isWorthAnotherTry(error, tries.safe)) {
			return result;
		}
		const pause = jittered(FIRST_PAUSE_MS * GROWTH ** (failures - 1));
		const retryAfter = (error.retryAfter ?? 0) * 1000;
		waitingSince ??= performance.now();
		if (performance.now() - waitingSince + retryAfter > maxWaitSeconds * 1000) {
			return result;
		}
		const { error: unwanted } = await toResult(pace.sleep(Math.max(pause, retryAfter), tries.throwIfUnwanted));
		if (unwanted) {
			return { error: unwanted };
		}
		pace.repeats++;
	}
}

function isWorthAnotherTry(error: ServiceError, safe: boolean): boolean {
	const { code } = error;
	if (code === 'UNREACHABLE') {
		return true;
	}
	return safe && (code === 'CONNECTION_LOST' || isOutage(error));
}
