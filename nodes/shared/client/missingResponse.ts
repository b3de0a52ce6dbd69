import { type IHttpRequestOptions, type IN8nHttpFullResponse, type INode, NodeApiError } from 'n8n-workflow';

import { COMMON_ADVICE, type Destination, errorsIn, isTimeout, type Unsent, whyNotSent } from '../errors/notSent';
import { ServiceError, serviceError } from '../errors/serviceError';
import { isRecord } from '../lib/json';

/** The names and advice for the service, which is at the Base URL of the credential. */
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

/** Creates the error for a request that was certainly not sent. */
function notReached({ what, advice, code }: Unsent): ServiceError {
	return new ServiceError(`The service could not be reached: ${what}`, { code, advice, accepted: 'no' });
}

/**
 * Creates the error for a request without a response. Only the code of the cause is used: the error of an HTTP library
 * contains the request's headers and therefore the token.
 *
 * @param base the Base URL, which distinguishes failures of a proxy from failures of the service
 */
export function missingResponse(cause: unknown, base?: URL): ServiceError {
	const unsent = whyNotSent(cause, SERVICE, base);
	if (unsent !== undefined) {
		return notReached(unsent);
	}
	return serviceError(isTimeout(cause) ? 'TIMEOUT' : 'CONNECTION_LOST', {}, { accepted: 'unknown' });
}

/**
 * The statuses for which it matters whether the service sent them, or a proxy that refused a tunnel to it. 401 is
 * missing because n8n would send the request again if its helper threw an error for it.
 */
const TUNNEL_STATUSES = [403, 407, 500, 502, 503, 504];

/** Whether n8n's errors contain the HTTP library's error, and with it the response. In older versions they do not. */
const holdsResponse = new NodeApiError({ parameters: {} } as INode, new Error('') as never).cause !== undefined;

/**
 * Returns the statuses for which n8n's helper throws no error. Over https it must throw one for {@link
 * TUNNEL_STATUSES}, because only the error contains the connection, see {@link responseIn}. Versions of n8n that do not
 * support exceptions do not throw for any status.
 */
export function ignoredStatuses({ protocol }: URL): IHttpRequestOptions['ignoreHttpStatusErrors'] {
	return protocol === 'https:' && holdsResponse ? { ignore: true, except: TUNNEL_STATUSES } : true;
}

/** Returns the response in the error that n8n's helper throws for an HTTP status; undefined without a response. */
export function responseIn(cause: unknown): (IN8nHttpFullResponse & { isEncrypted: boolean | undefined }) | undefined {
	for (const { response, request } of errorsIn(cause)) {
		if (isRecord(response) && typeof response.status === 'number') {
			const socket = isRecord(request) ? request.socket : undefined;
			return {
				statusCode: response.status,
				headers: response.headers as IN8nHttpFullResponse['headers'],
				body: response.data as IN8nHttpFullResponse['body'],
				isEncrypted: isRecord(socket) ? socket.encrypted === true : undefined,
			};
		}
	}
	return undefined;
}

/**
 * Creates the error for an unencrypted response to a request over https: a proxy refused the tunnel to the service, so
 * the request was not sent.
 */
export function tunnelRefused(status: number): ServiceError {
	if (status >= 500) {
		const advice = "Check the credential's Base URL, and that the proxy in n8n's HTTPS_PROXY can reach it.";
		return notReached({ what: `the proxy cannot connect to it (HTTP status ${status})`, advice, code: 'UNREACHABLE' });
	}
	const [what, advice] =
		status === 407
			? ['asks for a login', "Add the proxy's user name and password to n8n's environment variable HTTPS_PROXY."]
			: [
					'does not allow the connection',
					"Allow the host of the Base URL in the proxy, or add it to n8n's environment variable NO_PROXY.",
				];
	return notReached({ what: `the proxy ${what} (HTTP status ${status})`, advice, code: 'PROXY_REFUSED' });
}
