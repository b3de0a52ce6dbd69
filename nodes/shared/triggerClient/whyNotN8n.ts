import type { Result } from '../errors/serviceError';
import { isRecord } from '../lib/json';
import { targetOf } from '../lib/text';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';
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

/** Whether an answer at the address of a trigger may be from n8n: what it says there depends on the node. */
function mayBeN8n(reply: Reply): boolean {
	const { status, body } = reply;
	return (isRecord(body) && (typeof body.message === 'string' || status < 300)) || isRefusal(reply);
}

/**
 * Why the response to a message is not from n8n or one of its nodes, but from something before n8n; undefined if it is.
 *
 * @param result the response; an error if there was none
 * @param isN8n whether an answer that is not proven is from n8n
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

function isRefusal({ status, body }: Reply): boolean {
	return status === 401 && body === REFUSAL;
}
