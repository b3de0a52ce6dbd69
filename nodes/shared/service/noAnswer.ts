import type { ErrorCode } from '../errors/errorCodes';
import { ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';

const HOST_NOT_FOUND = 'HOST_NOT_FOUND';
const CERTIFICATE_NOT_TRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** The codes of errors after which nothing reaches the service until somebody mends the way to it. */
export const NO_WAY: readonly ErrorCode[] = ['UNREACHABLE', HOST_NOT_FOUND, CERTIFICATE_NOT_TRUSTED];

const REACH = "Check the credential's Base URL, and that n8n can reach it.";
const TRUST = 'If it is your own, give n8n the certificate of its signer: environment variable NODE_EXTRA_CA_CERTS.';

/**
 * Connection codes that mean, where they arise on connecting, that no byte of the request has left: what
 * happened and what to do.
 */
const nothingSent: Record<string, [what: string, advice: string, code?: ErrorCode]> = {
	ECONNREFUSED: ['nothing listens at the Base URL', REACH],
	ENOTFOUND: ['the host name of the Base URL is not known', REACH, HOST_NOT_FOUND],
	EAI_AGAIN: ['the host name of the Base URL could not be looked up', REACH],
	EHOSTUNREACH: ['there is no way to the host of the Base URL', REACH],
	ENETUNREACH: ['there is no way to the network of the Base URL', REACH],
	DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is signed by itself', TRUST, CERTIFICATE_NOT_TRUSTED],
	SELF_SIGNED_CERT_IN_CHAIN: ['its certificate is signed by nobody known', TRUST, CERTIFICATE_NOT_TRUSTED],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its certificate cannot be verified', TRUST, CERTIFICATE_NOT_TRUSTED],
	CERT_HAS_EXPIRED: [
		'its certificate has expired',
		'Ask whoever runs it to renew the certificate.',
		CERTIFICATE_NOT_TRUSTED,
	],
	ERR_TLS_CERT_ALTNAME_INVALID: [
		'its certificate is for another host',
		"Write the Base URL's host name as the certificate has it.",
		CERTIFICATE_NOT_TRUSTED,
	],
};

/**
 * Makes the error for a request that got no answer. Nothing of the cause is kept but its code: the
 * cause of an HTTP library carries the request's headers, and with them the token.
 */
export function noAnswer(cause: unknown): ServiceError {
	const { code, syscall } = connectionError(cause);
	// A host can also become unreachable while the answer is awaited.
	const before = syscall === 'read' || syscall === 'write' ? undefined : nothingSent[code ?? ''];
	if (before !== undefined) {
		const [what, advice, noWay = 'UNREACHABLE'] = before;
		return new ServiceError(`The service could not be reached: ${what}`, {
			code: noWay,
			advice,
			accepted: 'no',
		});
	}
	const timedOut = code === 'ETIMEDOUT' || code === 'ECONNABORTED';
	return new ServiceError(
		timedOut
			? 'The service did not answer within the request timeout'
			: 'The connection to the service was cut before it answered',
		{
			code: timedOut ? 'TIMEOUT' : 'CONNECTION_LOST',
			advice: timedOut
				? "If this happens often, raise 'Request Timeout'."
				: 'If this happens often, look at what is between n8n and the service.',
			accepted: 'unknown',
		},
	);
}

/** The first error in the chain of causes with a code of Node's own. */
function connectionError(cause: unknown): { code?: string; syscall?: unknown } {
	for (let at = cause, depth = 0; isRecord(at) && depth < 5; at = at.cause, depth++) {
		const { code, syscall } = at;
		if (typeof code !== 'string') {
			continue;
		}
		if (code in nothingSent || code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
			return { code, syscall };
		}
	}
	return {};
}
