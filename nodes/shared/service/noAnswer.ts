import type { ErrorCode } from '../errors/errorCodes';
import { ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { errorsInTexts } from './errorTexts';

const HOST_NOT_FOUND = 'HOST_NOT_FOUND';
const CERTIFICATE_NOT_TRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** The codes of connection errors that persist until somebody fixes the network or the configuration. */
export const NO_WAY: readonly ErrorCode[] = ['UNREACHABLE', HOST_NOT_FOUND, CERTIFICATE_NOT_TRUSTED];

const REACH = "Check the credential's Base URL, and that n8n can reach it.";
const TRUST =
	"If you trust it, set n8n's environment variable NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer.";

/** What happened, what to do, and the code of the error. */
type Failure = readonly [what: string, advice: string, code?: ErrorCode];

/** Failures to look up the host or to connect to it, by Node.js error code. */
const connectFailures: Readonly<Record<string, Failure>> = {
	ECONNREFUSED: ['nothing listens at the Base URL', REACH],
	ENOTFOUND: ['the host name of the Base URL is unknown', REACH, HOST_NOT_FOUND],
	EAI_AGAIN: ['the host name of the Base URL could not be looked up', REACH],
	EHOSTUNREACH: ['there is no route to the host of the Base URL', REACH],
	ENETUNREACH: ['there is no route to the network of the Base URL', REACH],
	ETIMEDOUT: ['the host of the Base URL does not accept the connection', REACH],
};

const NOT_VERIFIED: Failure = ['its certificate cannot be verified', TRUST, CERTIFICATE_NOT_TRUSTED];
const NO_HANDSHAKE: Failure = [
	'the TLS handshake failed',
	"Check that the Base URL's port is for https and not for http, and any proxy between n8n and the service.",
	CERTIFICATE_NOT_TRUSTED,
];

/** Certificates that Node.js rejects, by its error code. It sends the request only after it has accepted the certificate. */
const certificateFailures: Readonly<Record<string, Failure>> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', TRUST, CERTIFICATE_NOT_TRUSTED],
	SELF_SIGNED_CERT_IN_CHAIN: ['its certificate is signed by an unknown authority', TRUST, CERTIFICATE_NOT_TRUSTED],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_VERIFIED,
	UNABLE_TO_GET_ISSUER_CERT: NOT_VERIFIED,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_VERIFIED,
	UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: NOT_VERIFIED,
	CERT_SIGNATURE_FAILURE: NOT_VERIFIED,
	CERT_CHAIN_TOO_LONG: NOT_VERIFIED,
	CERT_REVOKED: NOT_VERIFIED,
	CERT_REJECTED: NOT_VERIFIED,
	CERT_UNTRUSTED: NOT_VERIFIED,
	INVALID_CA: NOT_VERIFIED,
	INVALID_PURPOSE: NOT_VERIFIED,
	PATH_LENGTH_EXCEEDED: NOT_VERIFIED,
	CERT_NOT_YET_VALID: [
		'its certificate is not valid yet',
		'Check the clock of the machine that n8n runs on.',
		CERTIFICATE_NOT_TRUSTED,
	],
	CERT_HAS_EXPIRED: [
		'its certificate has expired',
		'Ask the operator of the service to renew the certificate.',
		CERTIFICATE_NOT_TRUSTED,
	],
	ERR_TLS_CERT_ALTNAME_INVALID: [
		'its certificate is for another host',
		'Enter the Base URL with the host name of the certificate.',
		CERTIFICATE_NOT_TRUSTED,
	],
};

/**
 * The numbers of OpenSSL's errors in an `EPROTO` that occur only while client and server agree on a protocol: wrong version
 * number, packet length too long, unsupported protocol, no protocols available; and the server's alerts handshake failure,
 * protocol version, insufficient security, unrecognized name.
 */
const HANDSHAKE_ERRORS = /:error:0A000(10B|0C6|102|0BF|410|42E|42F|458):/;

/** Node.js has no code for this. */
const CUT_IN_HANDSHAKE = 'Client network socket disconnected before secure TLS connection was established';

const BLOCKED: Failure = [
	'n8n does not allow requests to this address',
	"Check the credential's Base URL, or allow the address in n8n's SSRF protection settings.",
];

/** The most errors that are looked at: causes could form a circle. */
const MAX_ERRORS = 20;

/** An error with its causes and, of several attempts to connect, the error of each. */
function errorsIn(cause: unknown): Array<Record<string, unknown>> {
	const errors: Array<Record<string, unknown>> = [];
	const pending = [cause];
	while (pending.length > 0 && errors.length < MAX_ERRORS) {
		const error = pending.shift();
		if (isRecord(error)) {
			errors.push(error, ...errorsInTexts(error).map((parts) => ({ ...parts })));
			pending.push(error.cause, ...(Array.isArray(error.errors) ? error.errors : []));
		}
	}
	return errors;
}

/**
 * What an error proves about a request that was not sent; undefined if it proves nothing.
 *
 * The system call is the proof: `connect` and `getaddrinfo` come before the request. Its code alone is none, since a host
 * can become unreachable while the response is read.
 */
function failureBeforeSending({ code, syscall, name, message }: Record<string, unknown>): Failure | undefined {
	const known = (failures: Readonly<Record<string, Failure>>) =>
		typeof code === 'string' && Object.hasOwn(failures, code) ? failures[code] : undefined;
	if (syscall === 'connect' || syscall === 'getaddrinfo') {
		return known(connectFailures) ?? [`no connection could be made (${String(code)})`, REACH];
	}
	if (code === 'EPROTO' && HANDSHAKE_ERRORS.test(String(message))) {
		return NO_HANDSHAKE;
	}
	if (message === CUT_IN_HANDSHAKE) {
		return ['the connection was closed during the TLS handshake', REACH];
	}
	return known(certificateFailures) ?? (String(name).startsWith('SsrfBlocked') ? BLOCKED : undefined);
}

/**
 * Creates the error for a request without a response. Only the code of the cause is used: the error of an HTTP library
 * holds the request's headers and therefore the token.
 */
export function noAnswer(cause: unknown): ServiceError {
	const errors = errorsIn(cause);
	const unsent = errors.map(failureBeforeSending).find((failure) => failure !== undefined);
	if (unsent !== undefined) {
		const [what, advice, code = 'UNREACHABLE'] = unsent;
		return new ServiceError(`The service could not be reached: ${what}`, { code, advice, accepted: 'no' });
	}
	const timedOut = errors.some(({ code }) => code === 'ETIMEDOUT' || code === 'ECONNABORTED');
	return new ServiceError(
		timedOut
			? 'The service did not answer within the request timeout'
			: 'The connection to the service was closed before it answered',
		{
			code: timedOut ? 'TIMEOUT' : 'CONNECTION_LOST',
			advice: timedOut
				? 'If this happens often, raise Request Timeout, where the operation has the collection Sending.'
				: 'If this happens often, check the network and any proxy between n8n and the service.',
			accepted: 'unknown',
		},
	);
}
