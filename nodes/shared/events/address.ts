import { isLoopback, isThisMachine } from '../client/baseUrl';
import { serviceError } from '../errors/serviceError';
import { MAX_URL_LENGTH } from '../owner';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';

/** @throws ServiceError for a webhook URL to which the service cannot deliver */
export function assertDeliverable(url: string, service: URL): void {
	const { hostname, origin, pathname } = new URL(url);
	if ((isLoopback(hostname) || hostname === '0.0.0.0') && !isThisMachine(service.hostname)) {
		// The query is left out: in an address that resumes an execution, it contains the token.
		const address = `${origin}${pathname}`;
		throw serviceError('WEBHOOK_URL_NOT_PUBLIC', { address, variable: PUBLIC_ADDRESS_VARIABLE });
	}
	if (url.length > MAX_URL_LENGTH) {
		throw serviceError('WEBHOOK_URL_TOO_LONG', { length: url.length, most: MAX_URL_LENGTH });
	}
}
