import type { IDataObject } from 'n8n-workflow';

import { type Result, type ServiceError, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { rateLimitOf } from '../../shared/service/rateLimit';
import type { ServiceRequest } from '../../shared/service/request';
import { send } from '../../shared/service/transport';
import { jittered, tooLong } from './pace';
import type { Run } from './run';

/** The most tries of a request, not counting those that the rate limit refused. */
const MOST_TRIES = 4;

/** The pauses between tries grow by this factor. */
const FIRST_PAUSE_MS = 200;
const GROWTH = 4;

/** How the tries of a request are made, and what is called for each. */
export interface Tries {
	/** Whether it may be sent again after an unclear answer. */
	safe: boolean;
	/** Called before each try; throws when the request is no longer wanted. */
	assertWanted(): void;
	sending(): void;
	/** Called after a failed try, before the next one. */
	failed(error: ServiceError): void;
}

/**
 * Sends a request at the pace of the run, and again as long as that is certain to do no harm: after a 429, after a
 * connection on which nothing was sent, and, where it is safe, after 502, 503, 504 and a broken connection.
 *
 * @returns the body of the answer, or the error of the last try; what `assertWanted` throws is an error too
 */
export async function sendAndRepeat(run: Run, request: ServiceRequest, tries: Tries): Promise<Result<IDataObject>> {
	const { caller, connection, pace, timeoutSeconds, maxWaitSeconds } = run;
	let waitingSince: number | undefined;
	for (let failures = 0; ; ) {
		const { value: sentAt, error: notSent } = await toResult(pace.acquire(tries.assertWanted));
		if (notSent) {
			return { error: notSent };
		}
		tries.sending();
		let limit: ReturnType<typeof rateLimitOf>;
		const answer = send(caller, connection, request, timeoutSeconds, (headers) => {
			limit = rateLimitOf(headers, Date.now());
		});
		const result = await toResult(answer);
		const { error } = result;
		pace.onResponse(limit, sentAt, error);
		if (error === undefined) {
			return result;
		}
		tries.failed(error);
		if (error.httpStatus === 429) {
			const wait = pace.tooMany(error.retryAfter, sentAt);
			waitingSince ??= Date.now();
			if (Date.now() - waitingSince + wait > maxWaitSeconds * 1000) {
				return { error: tooLong(wait / 1000, error) };
			}
			continue;
		}
		failures++;
		if (failures === MOST_TRIES || !isWorthAnotherTry(error, tries.safe)) {
			return result;
		}
		const pause = jittered(FIRST_PAUSE_MS * GROWTH ** (failures - 1));
		const asked = (error.retryAfter ?? 0) * 1000;
		waitingSince ??= Date.now();
		if (Date.now() - waitingSince + asked > maxWaitSeconds * 1000) {
			return result;
		}
		const { error: unwanted } = await toResult(pace.sleep(Math.max(pause, asked), tries.assertWanted));
		if (unwanted) {
			return { error: unwanted };
		}
	}
}

function isWorthAnotherTry({ code, httpStatus, body }: ServiceError, safe: boolean): boolean {
	if (code === 'UNREACHABLE') {
		return true;
	}
	// A 502 with details is the result of a check, not a breakdown.
	const isVerdict = isRecord(body) && isRecord(body.data);
	return safe && (code === 'CONNECTION_LOST' || ([502, 503, 504].includes(httpStatus ?? 0) && !isVerdict));
}
