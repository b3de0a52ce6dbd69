import type { IDataObject } from 'n8n-workflow';

import { attempt, isRecord, type ServiceError } from '../../shared/errors/serviceError';
import { rateLimitOf } from '../../shared/service/rateLimit';
import type { ServiceRequest } from '../../shared/service/request';
import { send } from '../../shared/service/transport';
import { jittered, tooLong } from './pace';
import type { Run } from './run';

/** How often a request is sent at most, where it is not the service's limit that stands against it. */
const MOST_TRIES = 4;

/** The pauses between the tries grow by this factor. */
const FIRST_PAUSE_MS = 200;
const GROWTH = 4;

/** What whoever sends a request has to know about its tries. */
export interface Tries {
	/** Whether it may be sent again after an unclear answer. */
	safe: boolean;
	/** Called before each try; throws when the request is no longer wanted. */
	assertWanted(): void;
	sending(): void;
	/** Called when a try came to nothing, before the next one. */
	failed(error: ServiceError): void;
}

/**
 * Sends a request at the pace of the run, and again as long as that is certain to do no harm: after a 429, after a
 * connection on which nothing was sent, and, where it is safe, after 502, 503, 504 and a broken connection.
 *
 * @throws ServiceError of the last try
 */
export async function sendAndRepeat(run: Run, request: ServiceRequest, tries: Tries): Promise<IDataObject> {
	const { caller, connection, pace, timeoutSeconds, maxWaitSeconds } = run;
	let waitingSince: number | undefined;
	for (let failures = 0; ; ) {
		const sentAt = await pace.turn(tries.assertWanted);
		tries.sending();
		let limit: ReturnType<typeof rateLimitOf>;
		const answer = send(caller, connection, request, timeoutSeconds, (headers) => {
			limit = rateLimitOf(headers, Date.now());
		});
		const { value, error } = await attempt(answer);
		pace.heard(limit, sentAt, error);
		if (error === undefined) {
			return value;
		}
		tries.failed(error);
		if (error.httpStatus === 429) {
			const wait = pace.tooMany(error.retryAfter, sentAt);
			waitingSince ??= Date.now();
			if (Date.now() - waitingSince + wait > maxWaitSeconds * 1000) {
				throw tooLong(wait / 1000, error);
			}
			continue;
		}
		failures++;
		if (failures === MOST_TRIES || !isWorthAnotherTry(error, tries.safe)) {
			throw error;
		}
		const pause = jittered(FIRST_PAUSE_MS * GROWTH ** (failures - 1));
		const asked = (error.retryAfter ?? 0) * 1000;
		waitingSince ??= Date.now();
		if (Date.now() - waitingSince + asked > maxWaitSeconds * 1000) {
			throw error;
		}
		await pace.sleep(Math.max(pause, asked), tries.assertWanted);
	}
}

function isWorthAnotherTry({ code, httpStatus, body }: ServiceError, safe: boolean): boolean {
	if (code === 'UNREACHABLE') {
		return true;
	}
	// With details, a 502 is no breakdown but what a check has found.
	const isVerdict = isRecord(body) && isRecord(body.data);
	return safe && (code === 'CONNECTION_LOST' || ([502, 503, 504].includes(httpStatus ?? 0) && !isVerdict));
}
