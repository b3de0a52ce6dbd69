import { ServiceError } from '../errors/serviceError';
import { PUBLIC_ADDRESS_VARIABLE } from '../lib/publicAddress';
import { LONGEST_URL } from '../nodeLink/owner';
import { isLoopback, isThisMachine } from '../service/baseUrl';

/** Refuses a webhook URL to which the service cannot deliver. @throws ServiceError */
export function assertDeliverable(url: string, service: URL): void {
	const { hostname, origin, pathname } = new URL(url);
	if ((isLoopback(hostname) || hostname === '0.0.0.0') && !isThisMachine(service.hostname)) {
		// The query of an address that resumes an execution has its token.
		const address = `${origin}${pathname}`;
		throw new ServiceError(`The service cannot deliver events to ${address}, because that address is on this machine`, {
			code: 'WEBHOOK_URL_NOT_PUBLIC',
			advice: `Set n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} to its public address, restart n8n and publish or run the workflow again. For a test, use a tunnel or the sandbox of this package.`,
			accepted: 'no',
		});
	}
	if (url.length > LONGEST_URL) {
		throw new ServiceError(
			`The webhook URL has ${url.length} characters, but the service accepts only ${LONGEST_URL}`,
			{
				code: 'WEBHOOK_URL_TOO_LONG',
				advice: 'Use a shorter address for n8n.',
				accepted: 'no',
			},
		);
	}
}
