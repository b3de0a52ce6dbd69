import type { ErrorCode } from '../errors/errorCodes';
import { ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';

const HOST_NOT_FOUND = 'HOST_NOT_FOUND';
const CERTIFICATE_NOT_TRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** The codes of connection errors that persist until somebody fixes the network or the configuration. */
export const NO_WAY: readonly ErrorCode[] = ['UNREACHABLE', HOST_NOT_FOUND, CERTIFICATE_NOT_TRUSTED];

const REACH = "Check the credential's Base URL, and that n8n can reach it.";
const TRUST = 'If it is your own, give n8n the certificate of its signer: environment variable NODE_EXTRA_CA_CERTS.';

/**
 * Node.js error codes that prove, where they occur while connecting, that nothing was sent: what happened, what to do,
 * and the code of the error.
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
 * Creates the error for a request without a response. Only the code of the cause is used: the error of an HTTP library
 * holds the request's headers and therefore the token.
 */
export function noAnswer(cause: unknown): ServiceError {
	const { code, syscall } = connectionError(cause);
	// A host can also become unreachable after the request was sent.
	const unsent = syscall === 'read' || syscall === 'write' ? undefined : nothingSent[code ?? ''];
	if (unsent !== undefined) {
		const [what, advice, noWay = 'UNREACHABLE'] = unsent;
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

/** The code of the first error in the chain of causes that Node.js raised, and the system call. */
function connectionError(cause: unknown): { code?: string; syscall?: unknown } {
	for (let error = cause, depth = 0; isRecord(error) && depth < 5; error = error.cause, depth++) {
		const { code, syscall } = error;
		if (typeof code !== 'string') {
			continue;
		}
		if (code in nothingSent || code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
			return { code, syscall };
		}
	}
	return {};
}
