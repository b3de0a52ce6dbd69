import type { IDataObject } from 'n8n-workflow';

import { type ServiceError, serviceError } from '../errors/serviceError';
import { MAX_URL_LENGTH } from '../owner';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';
import { isLoopback, isThisMachine } from './baseUrl';

/** The parts of a body that are addresses to which the service sends requests. */
const ADDRESSES = ['authorization_url', 'url', 'webhook_url'];

/** Returns an error for an address on this machine, if the service is elsewhere. */
function errorAbout(url: string, service: URL): ServiceError | undefined {
	const { hostname, origin, pathname } = new URL(url);
	if (!(isLoopback(hostname) || hostname === '0.0.0.0') || isThisMachine(service.hostname)) {
		return undefined;
	}
	// The query is left out: in an address that resumes an execution, it contains the token.
	const address = `${origin}${pathname}`;
	return serviceError('WEBHOOK_URL_NOT_PUBLIC', { address, variable: PUBLIC_ADDRESS_VARIABLE });
}

/** Returns an error for a body with an address that the service can never reach. */
export function unreachableIn(body: IDataObject | undefined, service: URL): ServiceError | undefined {
	const entered = ADDRESSES.map((key) => body?.[key]);
	const addresses = entered.filter((address) => typeof address === 'string' && URL.canParse(address));
	return addresses.map((address) => errorAbout(address as string, service)).find((error) => error !== undefined);
}

/** @throws ServiceError for a webhook URL to which the service cannot deliver */
export function assertDeliverable(url: string, service: URL): void {
	const error = errorAbout(url, service);
	if (error) {
		throw error;
	}
	if (url.length > MAX_URL_LENGTH) {
		throw serviceError('WEBHOOK_URL_TOO_LONG', { length: url.length, most: MAX_URL_LENGTH });
	}
}
