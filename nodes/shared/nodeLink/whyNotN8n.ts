import type { Result } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { targetOf } from '../lib/targetOf';
import type { Reply } from './messages';

/** Why n8n does not answer at its own public address. */
interface WhyNot {
	/** What was seen, such as an HTTP status. */
	detail: string;
	/** What to do. */
	advice: string;
	/** Set if n8n may have got the message all the same. */
	accepted?: 'unknown';
}

/** What this package's trigger says to a message that is not from a node with its credential. */
const REFUSAL = 'Unauthorized';

const ADVICE =
	'Let any proxy, firewall or login page before n8n pass this address, and add its host to NO_PROXY if n8n uses a proxy.';

/**
 * Why the response to a message is not from n8n or one of its nodes, but from something before n8n; undefined if it is.
 *
 * @param result the response; an error if there was none
 */
export function whyNotN8n({ value: reply, error }: Result<Reply>): WhyNot | undefined {
	if (error !== undefined) {
		const { message: detail, advice, accepted } = error;
		return { detail, advice, ...(accepted === 'unknown' && { accepted }) };
	}
	const { status, body, proven, location } = reply;
	if (proven || (isRecord(body) && (typeof body.message === 'string' || status < 300)) || isRefusal(reply)) {
		return undefined;
	}
	if (status >= 300 && status < 400) {
		return {
			detail: `it redirects to ${targetOf(location)} (HTTP status ${status})`,
			advice: `If that is n8n, set n8n's environment variable WEBHOOK_URL to it. ${ADVICE}`,
		};
	}
	const detail = `something before it answered with HTTP status ${status}`;
	return { detail, advice: ADVICE, ...(status >= 500 && { accepted: 'unknown' }) };
}

function isRefusal({ status, body }: Reply): boolean {
	return status === 401 && body === REFUSAL;
}
