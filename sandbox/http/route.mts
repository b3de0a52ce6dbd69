import type { World } from '../world.mts';
import type { Answer } from './answers.mts';

/** What a route's handler is given. */
export interface RouteContext {
	world: World;
	/** Path variables, percent-decoded. */
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** The parsed JSON body; undefined where none was sent. */
	body: unknown;
}

/**
 * How a route says that a token is not valid; the service's pages differ:
 * - `authentication`: `{error: "UNAUTHORIZED", message, status_code}`
 * - `unauthenticated`: `{success: false, message: "Unauthenticated."}`
 * - `unauthorized`: `{success: false, message: "Unauthorized"}`
 * - `message`: `{message}`
 * - `nested`: `{error: {code: "INVALID_TOKEN", message}}`; such a route has all its errors in the nested format
 */
export type Refusal = 'authentication' | 'unauthenticated' | 'unauthorized' | 'message' | 'nested';

/** One method and path of the service. */
export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Full path with `:variables`. */
	path: string;
	refusal: Refusal;
	/** True for the one route that needs no token and counts against no limit. */
	open?: boolean;
	/** True for a POST that changes nothing, so that a read-only token may use it. */
	readOnly?: boolean;
	handle(context: RouteContext): Answer;
}
