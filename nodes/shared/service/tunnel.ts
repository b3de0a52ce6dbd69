import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { errorsIn } from '../errors/notSent';
import type { ServiceError } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { notReached } from './noAnswer';

/**
 * The statuses with which a proxy refuses a tunnel to the service, where it matters who says so. n8n's helper has to
 * throw an error for them: only that holds the connection. Not 401, after which n8n would send the request again.
 */
export const TUNNEL_STATUSES: readonly number[] = [403, 407, 500, 502, 503, 504];

/** The response in the error that n8n's helper throws for an HTTP status; undefined if there is none. */
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
 * Creates the error for a response to a request over https that came without encryption: a proxy has refused the tunnel
 * to the service, so that the request was not sent.
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
