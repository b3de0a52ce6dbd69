import type { World } from '../world/world.mts';
import { authenticationError } from './httpErrors.mts';
import { REFUSALS } from './refusal.mts';
import type { Route } from './route.mts';

/** Whether requests with this method only read. */
export function isRead(method: string): boolean {
	return method === 'GET' || method === 'HEAD';
}

/**
 * Checks the `Authorization` header.
 * @throws 401 `MISSING_TOKEN` or `TOKEN_EXPIRED` in the authentication format; in the route's own format, 401 for an
 * unknown token, and 403 for a write with a read-only token
 */
export function authenticate(world: World, route: Route | undefined, method: string, header: string | undefined): void {
	const format = REFUSALS[route?.refusal ?? 'authentication'];
	if (!header) {
		throw authenticationError('MISSING_TOKEN', 'The Authorization header is missing.');
	}
	const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
	if (token === `${world.options.token}-expired`) {
		throw authenticationError('TOKEN_EXPIRED', 'The token has expired.');
	}
	if (token === `${world.options.token}-readonly`) {
		if (!isRead(method) && !route?.readOnly) {
			throw format.other(403, 'UNAUTHORIZED', 'The token has no permission for this operation.');
		}
		return;
	}
	if (token !== world.options.token) {
		throw format.invalidToken();
	}
}
