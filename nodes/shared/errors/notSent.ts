import { isRecord } from '../lib/json';
import type { ErrorCode } from './catalog';

const HOST_NOT_FOUND = 'HOST_NOT_FOUND';
const CERTIFICATE_NOT_TRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** The codes of connection errors that persist until somebody fixes the network or the configuration. */
export const PERMANENT_CONNECTION_ERRORS: readonly ErrorCode[] = [
	'UNREACHABLE',
	'PROXY_REFUSED',
	HOST_NOT_FOUND,
	CERTIFICATE_NOT_TRUSTED,
];

/** The kinds of advice for a failure to reach an address. */
type Advice = 'allow' | 'clock' | 'port' | 'reach' | 'rename' | 'renew' | 'trust';

/** The destination of a request, with the texts for its failures. */
export interface Destination {
	/** The name of the address, to follow "nothing listens at". */
	address: string;
	/** The advice for each failure. */
	advice: Readonly<Record<Advice, string>>;
}

/** The description of a failure, which may need the address; the kind of advice; and the error code. */
type Failure = readonly [what: string | ((address: string) => string), advice: Advice, code?: ErrorCode];

/** The failures to look up the host or to connect to it, by Node.js error code. */
const connectFailureByCode: Readonly<Record<string, Failure>> = {
	ECONNREFUSED: [(address) => `nothing listens at ${address}`, 'reach'],
	ENOTFOUND: [(address) => `the host name of ${address} is unknown`, 'reach', HOST_NOT_FOUND],
	EAI_AGAIN: [(address) => `the host name of ${address} could not be looked up`, 'reach'],
	EHOSTUNREACH: [(address) => `there is no route to the host of ${address}`, 'reach'],
	ENETUNREACH: [(address) => `there is no route to the network of ${address}`, 'reach'],
	ETIMEDOUT: [(address) => `the host of ${address} does not accept the connection`, 'reach'],
};

const NOT_VERIFIED: Failure = ['its certificate cannot be verified', 'trust', CERTIFICATE_NOT_TRUSTED];
const NO_HANDSHAKE: Failure = ['the TLS handshake failed', 'port', CERTIFICATE_NOT_TRUSTED];

/**
 * The certificates that Node.js rejects, by its error code. They prove that nothing was sent, because Node.js sends the
 * request only after it has accepted the certificate.
 */
const certificateFailureByCode: Readonly<Record<string, Failure>> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', 'trust', CERTIFICATE_NOT_TRUSTED],
	SELF_SIGNED_CERT_IN_CHAIN: ['its certificate is signed by an unknown authority', 'trust', CERTIFICATE_NOT_TRUSTED],
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
	CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'clock', CERTIFICATE_NOT_TRUSTED],
	CERT_HAS_EXPIRED: ['its certificate has expired', 'renew', CERTIFICATE_NOT_TRUSTED],
	ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another host', 'rename', CERTIFICATE_NOT_TRUSTED],
};

/**
 * The numbers of OpenSSL's errors in an `EPROTO` that occur only while client and server agree on a protocol: wrong
 * version number, packet length too long, unsupported protocol, no protocols available; and the server's alerts
 * handshake failure, protocol version, insufficient security, unrecognized name.
 */
const HANDSHAKE_ERRORS = /:error:0A000(10B|0C6|102|0BF|410|42E|42F|458):/;

/** Node.js throws this error without a code. */
const CUT_IN_HANDSHAKE = 'Client network socket disconnected before secure TLS connection was established';

/** The error of n8n's proxy agent, which sends the request only after the proxy has opened a tunnel. */
const CUT_BY_PROXY = 'Proxy connection ended before receiving CONNECT response';

const BLOCKED: Failure = ['n8n does not allow requests to this address', 'allow'];

/** The maximum number of errors to examine, because causes could form a circle. */
const MAX_ERRORS = 20;

/** Returns an error with its causes and, after several attempts to connect, the error of each attempt. */
export function errorsIn(cause: unknown): Array<Record<string, unknown>> {
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
 * Returns the failure if an error proves that the request was not sent; otherwise undefined.
 *
 * The system call is the proof: `connect` and `getaddrinfo` come before the request. The error code alone proves
 * nothing, because a host can become unreachable while the response is read.
 */
function failureBeforeSending({ code, syscall, name, message }: Record<string, unknown>): Failure | undefined {
	const known = (failures: Readonly<Record<string, Failure>>) =>
		typeof code === 'string' && Object.hasOwn(failures, code) ? failures[code] : undefined;
	if (syscall === 'connect' || syscall === 'getaddrinfo') {
		return known(connectFailureByCode) ?? [`no connection could be made (${String(code)})`, 'reach'];
	}
	if (code === 'EPROTO' && HANDSHAKE_ERRORS.test(String(message))) {
		return NO_HANDSHAKE;
	}
	if (message === CUT_BY_PROXY) {
		return ['the proxy closed the connection', 'reach'];
	}
	if (message === CUT_IN_HANDSHAKE) {
		return ['the connection was closed during the TLS handshake', 'reach'];
	}
	return known(certificateFailureByCode) ?? (String(name).startsWith('SsrfBlocked') ? BLOCKED : undefined);
}

const CHECK_PROXY = "Check n8n's environment variables HTTP_PROXY and HTTPS_PROXY, and that the proxy is running.";

/** The advice that applies to every destination. */
export const COMMON_ADVICE = {
	clock: 'Check the clock of the machine that n8n runs on.',
	trust:
		"If you trust it, set n8n's environment variable NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer.",
};

/** The reason why a request was certainly not sent. */
export interface Unsent {
	/** The failure, to follow "could not be reached:". */
	what: string;
	advice: string;
	code: ErrorCode;
}

/** Whether an error concerns a proxy: its host or port differs from that of the URL. */
function isOfProxy({ hostname, port }: Record<string, unknown>, url: URL): boolean {
	const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80');
	return (
		(typeof hostname === 'string' && hostname !== url.hostname) ||
		(typeof port === 'number' && String(port) !== ownPort)
	);
}

/**
 * Returns why a request was certainly not sent; undefined if it may have been sent.
 *
 * @param url the URL of the request, to recognize failures of a proxy
 */
export function whyNotSent(cause: unknown, { address, advice }: Destination, url?: URL): Unsent | undefined {
	for (const error of errorsIn(cause)) {
		const failure = failureBeforeSending(error);
		if (failure === undefined) {
			continue;
		}
		const [what, whatToDo, code = 'UNREACHABLE'] = failure;
		if (typeof what === 'function' && url !== undefined && isOfProxy(error, url)) {
			return { what: what("n8n's proxy"), advice: CHECK_PROXY, code: 'UNREACHABLE' };
		}
		return { what: typeof what === 'string' ? what : what(address), advice: advice[whatToDo], code };
	}
	return undefined;
}

/** Whether a request ended because the response did not arrive in time. */
export function isTimeout(cause: unknown): boolean {
	return errorsIn(cause).some(({ code }) => code === 'ETIMEDOUT' || code === 'ECONNABORTED');
}

/** The parts of a Node.js error that show how far a request came. */
interface ErrorParts {
	code: string;
	syscall?: string;
	message: string;
}

/** The error codes of Node.js by OpenSSL's texts for certificates. */
const CERTIFICATE_TEXTS: Readonly<Record<string, string>> = {
	'self-signed certificate': 'DEPTH_ZERO_SELF_SIGNED_CERT',
	'self-signed certificate in certificate chain': 'SELF_SIGNED_CERT_IN_CHAIN',
	'unable to verify the first certificate': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'unable to get issuer certificate': 'UNABLE_TO_GET_ISSUER_CERT',
	'unable to get local issuer certificate': 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'unable to decode issuer public key': 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
	'certificate signature failure': 'CERT_SIGNATURE_FAILURE',
	'certificate chain too long': 'CERT_CHAIN_TOO_LONG',
	'certificate revoked': 'CERT_REVOKED',
	'certificate rejected': 'CERT_REJECTED',
	'certificate not trusted': 'CERT_UNTRUSTED',
	'invalid CA certificate': 'INVALID_CA',
	'unsuitable certificate purpose': 'INVALID_PURPOSE',
	'path length constraint exceeded': 'PATH_LENGTH_EXCEEDED',
	'certificate is not yet valid': 'CERT_NOT_YET_VALID',
	'certificate has expired': 'CERT_HAS_EXPIRED',
	"Hostname/IP does not match certificate's altnames": 'ERR_TLS_CERT_ALTNAME_INVALID',
};

/** n8n's texts for error codes of `connect` and `getaddrinfo`. n8n uses them for errors without a text. */
const N8N_TEXTS: Readonly<Record<string, ErrorParts>> = Object.fromEntries(
	[
		{ code: 'ECONNREFUSED', syscall: 'connect', message: 'The service refused the connection - perhaps it is offline' },
		{
			code: 'ENOTFOUND',
			syscall: 'getaddrinfo',
			message: 'The connection cannot be established, this usually occurs due to an incorrect host (domain) value',
		},
		{
			code: 'EAI_AGAIN',
			syscall: 'getaddrinfo',
			message: 'The DNS server returned an error, perhaps the server is offline',
		},
	].map((parts) => [parts.message, parts]),
);

/**
 * Matches texts such as "connect ECONNREFUSED 127.0.0.1:443", "getaddrinfo ENOTFOUND example.com", "write EPROTO …".
 */
const SYSTEM_ERROR = /^(?<syscall>[a-z]+) (?<code>E[A-Z0-9_]+)\b/;

const TIME_OUT = /^timeout of \d+ms exceeded$/;

function partsOf(message: string): ErrorParts {
	const { syscall, code } = SYSTEM_ERROR.exec(message)?.groups ?? {};
	if (code !== undefined) {
		return { code, syscall, message };
	}
	// Newer versions of Node.js add a hint after a semicolon.
	const [start = ''] = message.split(/[;:]/);
	if (Object.hasOwn(CERTIFICATE_TEXTS, start)) {
		return { code: CERTIFICATE_TEXTS[start], message };
	}
	if (TIME_OUT.test(message)) {
		return { code: 'ECONNABORTED', message };
	}
	return Object.hasOwn(N8N_TEXTS, message) ? N8N_TEXTS[message] : { code: '', message };
}

/**
 * Parses the texts of errors that an error of n8n contains. n8n 1 and 2.0 wrap the error of the HTTP library and keep
 * only its text, in `messages`, without its code.
 *
 * @returns an empty list for an error with a cause
 */
function errorsInTexts({ cause, message, messages }: Record<string, unknown>): ErrorParts[] {
	if (isRecord(cause) || !Array.isArray(messages)) {
		return [];
	}
	const texts = [...new Set([...messages, message])].filter((text) => typeof text === 'string');
	return texts.map(partsOf);
}
