import type { z } from 'zod';

import type { World } from '../world/world.mts';
import type { Answer } from './answers.mts';
import type { Refusal } from './refusal.mts';

/** What a route's handler is given. */
export interface RouteContext<Query = unknown, Body = unknown> {
	world: World;
	/** Where the request reached the sandbox, for addresses on itself: without a slash at the end. */
	origin: string;
	/** Path variables, percent-decoded. */
	params: Record<string, string>;
	/** The parsed JSON body as it came; undefined where none was sent. */
	json: unknown;
	/** The query by the route's schema. @throws 422 in the route's format */
	query(): Query;
	/** The JSON body by the route's schema. A handler asks for it once it knows that its object exists. @throws 422 */
	body(): Body;
}

/** One method and path of the service. */
export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Full path with `:variables`. */
	path: string;
	/** What it does, in a few words, for the list of routes. */
	summary: string;
	refusal: Refusal;
	/** True for a route that needs no token and counts against no limit. */
	open?: boolean;
	/** True for a POST that changes nothing, so that a read-only token may use it. */
	readOnly?: boolean;
	/** True where an error of the service itself is `{error: message}`. */
	bareFailure?: true;
	query?: z.ZodTypeAny;
	body?: z.ZodTypeAny;
	handle(context: RouteContext): Answer | Promise<Answer>;
}

/** Declares a route, keeping the types of its query and body. */
export function route<Query extends z.ZodTypeAny = z.ZodUnknown, Body extends z.ZodTypeAny = z.ZodUnknown>(
	declared: Omit<Route, 'query' | 'body' | 'handle'> & {
		query?: Query;
		body?: Body;
		handle(context: RouteContext<z.output<Query>, z.output<Body>>): Answer | Promise<Answer>;
	},
): Route {
	return declared as Route;
}
