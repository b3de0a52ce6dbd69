import type { World } from '../world/world.mts';
import { authenticationError, flatError, HttpError, nestedError } from './answers.mts';
import type { Refusal } from './refusal.mts';
import type { Route } from './route.mts';

/**
 * Checks the `Authorization` header (Authentication, 1 and 5).
 * @throws 401 `MISSING_TOKEN` or `TOKEN_EXPIRED` in the authentication format, 401 for an invalid token in the
 * route's own format, 403 where a read-only token asks for a write
 */
export function authenticate(world: World, route: Route | undefined, method: string, header: string | undefined): void {
	const refusal = route?.refusal ?? 'authentication';
	if (!header) {
		throw authenticationError('MISSING_TOKEN', 'The Authorization header is missing.');
	}
	const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
	if (token === `${world.options.token}-expired`) {
		throw authenticationError('TOKEN_EXPIRED', 'The token has expired.');
	}
	if (token === `${world.options.token}-readonly`) {
		if (method !== 'GET' && !route?.readOnly) {
			throw forbidden(refusal);
		}
		return;
	}
	if (token !== world.options.token) {
		throw invalidToken(refusal);
	}
}

function invalidToken(refusal: Refusal): HttpError {
	switch (refusal) {
		case 'nested':
			return nestedError(401, 'INVALID_TOKEN', 'The token is invalid.');
		case 'unauthenticated':
			return flatError(401, 'Unauthenticated.');
		case 'unauthorized':
			return flatError(401, 'Unauthorized');
		case 'message':
		case 'bare':
			return new HttpError(401, 'Unauthenticated.', { message: 'Unauthenticated.' });
		case 'coded': {
			const error = { code: 'INVALID_API_KEY', message: 'The token is invalid.', details: {} };
			return new HttpError(401, error.message, { success: false, error });
		}
		case 'authentication':
			return authenticationError('UNAUTHORIZED', 'The token is invalid.');
	}
}

function forbidden(refusal: Refusal): HttpError {
	const message = 'The token has no permission for this operation.';
	return refusal === 'nested' ? nestedError(403, 'UNAUTHORIZED', message) : flatError(403, message);
}
