import { textsOf } from '../errors/catalog';
import { COMMON_ADVICE, type Destination, isTimeout, whyNotSent } from '../errors/notSent';
import { ServiceError } from '../errors/serviceError';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';

/** What to do where n8n does not answer at its own public address. */
const [, REACH_N8N] = textsOf('NO_ANSWER');

/** This n8n, at its own public address. */
const OWN_ADDRESS: Destination = {
	address: 'this address',
	advice: {
		...COMMON_ADVICE,
		allow: "Allow n8n's own public address in its SSRF protection settings.",
		port: 'Check that the port of the public address of n8n is for https and not for http, and check any proxy before n8n.',
		reach: REACH_N8N,
		rename: `Set n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} to an address with the host name of the certificate.`,
		renew: 'Renew the certificate.',
	},
};

/** Creates the error for a message to this n8n without an HTTP response. Its message only says why there is none. */
export function noReply(cause: unknown, url?: string): ServiceError {
	const unsent = whyNotSent(cause, OWN_ADDRESS, url === undefined ? undefined : new URL(url));
	const what = isTimeout(cause) ? 'no answer came in time' : 'the connection was closed before an answer came';
	return new ServiceError(unsent?.what ?? what, {
		code: 'NO_ANSWER',
		advice: unsent?.advice ?? OWN_ADDRESS.advice.reach,
		accepted: unsent ? 'no' : 'unknown',
	});
}
