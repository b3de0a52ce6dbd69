import type { IHttpRequestMethods, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { type Result, toResult } from '../errors/serviceError';
import { fromJson, isRecord } from '../lib/json';
import { targetOf } from '../lib/text';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';
import type { Reply } from './messages';

/** n8n's message at the address of an execution that is running, and so cannot be resumed yet. */
const RUNNING = /^The execution\b.*\brunning\b/;

/** n8n's message if the execution was stopped or deleted, has ended, or waits for something else. */
const NOTHING_WAITS =
	/^The (?:execution\b.*\b(?:does not exist|finished)|workflow for execution\b.*\bwaiting webhook)\b/;

function messageIn({ body }: Reply): string {
	return isRecord(body) ? String(body.message) : '';
}

/**
 * Whether n8n itself reports that the execution of an address is running. A proxy may respond with JSON as well, but
 * without n8n's code 0. n8n 2.41 fails with HTTP status 500 until it has stored data of the execution.
 */
export function isStillRunning(reply: Reply): boolean {
	const { status, body } = reply;
	return (status === 409 && RUNNING.test(messageIn(reply))) || (status === 500 && isRecord(body) && body.code === 0);
}

/**
 * Whether a message need not be repeated: the waiting node has responded, or n8n reports that nothing waits any longer.
 */
export function isSettled(reply: Reply): boolean {
	const isNothingWaiting = [404, 409].includes(reply.status) && NOTHING_WAITS.test(messageIn(reply));
	return reply.proven ? reply.status < 500 : isNothingWaiting;
}

/** A method that n8n does not support. */
const UNKNOWN_METHOD = 'PROPFIND';

/** Whether n8n itself responds at one of its webhook addresses. n8n logs no error for this request. */
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

/** Why n8n does not respond at its own public address. */
interface WhyNot {
	/** A detail, such as an HTTP status. */
	detail: string;
	/** What to do. */
	advice: string;
	/** Set if n8n may have received the message nevertheless. */
	accepted?: 'unknown';
}

/** The response of this package's trigger to a message from a node with another credential. */
const REFUSAL = 'Unauthorized';

const ADVICE =
	'Let any proxy, firewall or login page before n8n pass this address, and add its host to NO_PROXY if n8n uses a proxy.';

/** Whether a response at the address of a trigger may be from n8n: its form depends on the node. */
function mayBeN8n({ status, body }: Reply): boolean {
	const isRefusal = status === 401 && body === REFUSAL;
	return (isRecord(body) && (typeof body.message === 'string' || status < 300)) || isRefusal;
}

/**
 * Explains why the response to a message is not from n8n or one of its nodes, but from something before n8n; undefined
 * if it is from n8n.
 *
 * @param result the response; an error if there was none
 * @param isN8n whether an unproven response is from n8n
 */
export function explainMissingReply({ value: reply, error }: Result<Reply>, isN8n = mayBeN8n): WhyNot | undefined {
	if (error !== undefined) {
		const { message: detail, advice, accepted } = error;
		return { detail, advice, ...(accepted === 'unknown' && { accepted }) };
	}
	const { status, proven, location } = reply;
	if (proven || isN8n(reply)) {
		return undefined;
	}
	if (status >= 300 && status < 400) {
		return {
			detail: `it redirects to ${targetOf(location)} (HTTP status ${status})`,
			advice: `If that is n8n, set n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} to it. ${ADVICE}`,
		};
	}
	const detail = `something before it answered with HTTP status ${status}`;
	return { detail, advice: ADVICE, ...(status >= 500 && { accepted: 'unknown' }) };
}
