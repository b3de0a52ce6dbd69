import type { IHttpRequestMethods, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { toResult } from '../errors/serviceError';
import { fromJson, isRecord } from '../lib/json';
import type { Reply } from './messages';

/** What n8n answers at the address of an execution that is running, and so cannot be resumed yet. */
const RUNNING = /^The execution\b.*\brunning\b/;

/** What n8n answers if the execution was stopped or deleted, has ended, or waits for something else. */
const NOTHING_WAITS =
	/^The (?:execution\b.*\b(?:does not exist|finished)|workflow for execution\b.*\bwaiting webhook)\b/;

function saidBy({ body }: Reply): string {
	return isRecord(body) ? String(body.message) : '';
}

/**
 * Whether n8n itself answers as it does while the execution of an address is running. A proxy answers with JSON, too, but
 * without n8n's code 0. n8n 2.41 fails with HTTP status 500 there as long as it has stored no data of the execution.
 */
export function isStillRunning(reply: Reply): boolean {
	const { status, body } = reply;
	return (status === 409 && RUNNING.test(saidBy(reply))) || (status === 500 && isRecord(body) && body.code === 0);
}

/** Whether n8n itself says that the execution of an address does not wait for a message, and never will again. */
function isNothingWaiting(reply: Reply): boolean {
	return [404, 409].includes(reply.status) && NOTHING_WAITS.test(saidBy(reply));
}

/** Whether a message needs no repetition: the waiting node has answered it, or n8n says that nothing waits. */
export function isSettled(reply: Reply): boolean {
	return reply.proven ? reply.status < 500 : isNothingWaiting(reply);
}

/** A method that n8n does not know. */
const UNKNOWN_METHOD = 'PROPFIND';

/** Whether n8n itself answers at one of its webhook addresses. It writes no error into its log. */
export async function refusesUnknownMethod(
	helpers: Pick<RequestHelperFunctions, 'httpRequest'>,
	url: string,
): Promise<boolean> {
	const { value } = await toResult(
		helpers.httpRequest({
			method: UNKNOWN_METHOD as IHttpRequestMethods,
			url,
			timeout: 20_000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<IN8nHttpFullResponse>,
	);
	const body = fromJson(value?.body);
	return isRecord(body) && body.message === `The method ${UNKNOWN_METHOD} is not supported.`;
}
