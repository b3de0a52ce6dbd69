import { isRecord } from '../lib/json';

/** The parts of a Node.js error that say how far a request came. */
interface ErrorParts {
	code: string;
	syscall?: string;
	message: string;
}

/** OpenSSL's texts for certificates, with the error codes of Node.js. */
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

/** n8n's texts for error codes that only `connect` and `getaddrinfo` have. It uses them where an error has no text. */
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

/** Such as "connect ECONNREFUSED 127.0.0.1:443", "getaddrinfo ENOTFOUND example.com", "write EPROTO … OpenSSL's text". */
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
 * The parts of the errors whose texts an error of n8n holds. n8n 1 and 2.0 wrap the error of the HTTP library and keep
 * its text in `messages`, but neither the error nor its code.
 *
 * @returns an empty list for an error that has a cause
 */
export function errorsInTexts({ cause, message, messages }: Record<string, unknown>): ErrorParts[] {
	if (isRecord(cause) || !Array.isArray(messages)) {
		return [];
	}
	const texts = [...new Set([...messages, message])].filter((text) => typeof text === 'string');
	return texts.map(partsOf);
}
