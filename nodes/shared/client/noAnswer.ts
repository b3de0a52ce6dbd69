import { COMMON_ADVICE, type Destination, isTimeout, type Unsent, whyNotSent } from '../errors/notSent';
import { ServiceError, serviceError } from '../errors/serviceError';

/** The service, at the Base URL of the credential. */
const SERVICE: Destination = {
	address: 'the Base URL',
	advice: {
		...COMMON_ADVICE,
		allow: "Check the credential's Base URL, or allow the address in n8n's SSRF protection settings.",
		port: "Check that the Base URL's port is for https and not for http, and any proxy between n8n and the service.",
		reach: "Check the credential's Base URL, and that n8n can reach it.",
		rename: 'Enter the Base URL with the host name of the certificate.',
		renew: 'Ask the operator of the service to renew the certificate.',
	},
};

/** The error for a request that was certainly not sent. */
export function notReached({ what, advice, code }: Unsent): ServiceError {
	return new ServiceError(`The service could not be reached: ${what}`, { code, advice, accepted: 'no' });
}

/**
 * Creates the error for a request without a response. Only the code of the cause is used: the error of an HTTP library
 * holds the request's headers and therefore the token.
 *
 * @param base of the request, to tell the failures of a proxy apart
 */
export function noAnswer(cause: unknown, base?: URL): ServiceError {
	const unsent = whyNotSent(cause, SERVICE, base);
	if (unsent !== undefined) {
		return notReached(unsent);
	}
	return serviceError(isTimeout(cause) ? 'TIMEOUT' : 'CONNECTION_LOST', {}, { accepted: 'unknown' });
}
