import { isDeepStrictEqual } from 'node:util';
import type { ZodTypeAny } from 'zod';

import { BODY_LIMIT, unreadBody } from '../http/brokenRequest.mts';
import { type CommonStatus, refusalBodies } from '../http/errorSchemas.mts';
import { authenticationError, type HttpError, notFound } from '../http/httpErrors.mts';
import { ASSUMED } from '../http/named.mts';
import { REFUSALS } from '../http/refusal.mts';
import type { OwnError, Route } from '../http/route.mts';
import { type Fields, jsonContent, refTo, type SchemaWriter } from './jsonSchema.mts';

/** An error that routes share. */
interface Shared {
	description: string;
	applies(route: Route): boolean;
	/** The error as the route sends it. */
	example(route: Route): HttpError;
}

const sends = ({ method }: Route) => method !== 'GET';
const needsToken = ({ open }: Route) => !open;

const SHARED: Record<CommonStatus, Shared> = {
	400: {
		description: 'The body is not valid JSON',
		applies: sends,
		example: ({ refusal }) => REFUSALS[refusal].other(400, 'INVALID_JSON', 'The request body is not valid JSON.'),
	},
	401: {
		description: 'The token is missing, expired or unknown',
		applies: needsToken,
		example: ({ refusal }) => REFUSALS[refusal].invalidToken(),
	},
	403: {
		description: 'The token has no permission for this',
		applies: needsToken,
		example: ({ refusal }) =>
			REFUSALS[refusal].other(403, 'UNAUTHORIZED', 'The token has no permission for this operation.'),
	},
	404: {
		description: 'Something in the path does not exist',
		applies: ({ path }) => path.includes(':') && !path.startsWith('/voice-demos/'),
		example: () => notFound('Agent'),
	},
	413: {
		description: `The body is larger than 10 MiB. ${ASSUMED}`,
		applies: sends,
		example: (route) => unreadBody(413, BODY_LIMIT, route),
	},
	415: {
		description: `The headers do not declare the body as JSON in UTF-8, or it is compressed. ${ASSUMED}`,
		applies: sends,
		example: (route) => unreadBody(415, BODY_LIMIT, route),
	},
	422: {
		description: 'Values that are not accepted',
		applies: ({ query, body }) => query !== undefined || body !== undefined,
		example: ({ refusal }) => REFUSALS[refusal].invalidFields({ name: ['The name field is required.'] }),
	},
	429: {
		description: 'More requests than the rate limit allows',
		applies: needsToken,
		example: ({ refusal }) =>
			REFUSALS[refusal].other(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests.', { retry_after: 60 }),
	},
	500: {
		description: 'An internal error',
		applies: () => true,
		example: ({ refusal }) => REFUSALS[refusal].other(500, 'SERVER_ERROR', 'Internal server error.'),
	},
};
const keysOf = (errors: object = {}) => Object.keys(errors).map(Number) as CommonStatus[];
const EXPIRED = authenticationError('TOKEN_EXPIRED', 'The token has expired.');

/** Writes the error responses of the routes, and their shared components. */
export function errorWriter(
	schemas: SchemaWriter,
	headers: Fields,
): { components: Record<string, Fields>; write(route: Route): Fields } {
	const components: Record<string, Fields> = {};
	const union = (bodies: readonly ZodTypeAny[]): Fields => {
		const written = [...new Set(bodies)].map((body) => schemas.write(body));
		return written.length === 1 ? (written[0] as Fields) : { anyOf: written };
	};

	/** Returns a reference to a component. It is named by its status, and by the routes' format if formats differ. */
	function shared(route: Route, status: CommonStatus): Fields {
		const { description, example } = SHARED[status];
		const isToken = status === 401;
		const examples = { ...(isToken && { expired: EXPIRED.response.body }), refused: example(route).response.body };
		const response = {
			description,
			headers: isToken ? { ...headers, 'WWW-Authenticate': refTo('headers', 'WWW-Authenticate') } : headers,
			content: jsonContent(union(refusalBodies(route.refusal)[status]), examples),
		};
		const plain = `Error${status}`;
		const format = `${plain}${route.refusal.charAt(0).toUpperCase()}${route.refusal.slice(1)}`;
		const known = Object.keys(components).find((name) => isDeepStrictEqual(components[name], response));
		const name = known ?? (components[plain] ? format : plain);
		components[name] = response;
		return refTo('responses', name);
	}

	/** Writes an error that is specific to a route, together with a shared error of the same status. */
	function own(route: Route, status: CommonStatus, { when, body }: OwnError): Fields {
		// A route with its own 404 has another way to name the missing object.
		const replaces = status === 404 || status === 500 || !SHARED[status]?.applies(route);
		const bodies = replaces ? [body] : [...refusalBodies(route.refusal)[status], body];
		const description = replaces ? when : `${SHARED[status].description}. Or: ${when}`;
		return { description, headers, content: jsonContent(union(bodies)) };
	}

	return {
		components,
		write(route) {
			const errors = route.errors as Record<number, OwnError> | undefined;
			const statuses = new Set([
				...keysOf(SHARED).filter((status) => SHARED[status].applies(route)),
				...keysOf(errors),
			]);
			return Object.fromEntries(
				[...statuses].map((status) => {
					const error = errors?.[status];
					return [status, error ? own(route, status, error) : shared(route, status)];
				}),
			);
		},
	};
}
