import type { z } from 'zod';

import type { World } from '../world/world.mts';
import type { Refusal } from './refusal.mts';
import type { RouteResponse } from './response.mts';

/** One request, as a route's handler gets it. */
export interface RouteContext<Query = unknown, Body = unknown> {
	world: World;
	/** Where the request reached the sandbox, for links to itself: without a slash at the end. */
	origin: string;
	/** Path variables, percent-decoded. */
	params: Record<string, string>;
	/** The parsed JSON body without any check; undefined if none was sent. */
	json: unknown;
	/** The query by the route's schema. @throws 422 in the route's format */
	query(): Query;
	/**
	 * The JSON body by the route's schema. Look up the object first: the service answers 404 before 422.
	 * @throws 422 in the route's format
	 */
	body(): Body;
}

/** The schema of a JSON body, or the content type of a file. */
export type ResponseBody = z.ZodTypeAny | 'audio/mpeg';

export type ErrorStatus = 400 | 402 | 403 | 404 | 409 | 422 | 500;

/** An error of a route. It adds to the error that all routes have with this status. */
export interface OwnError {
	/** What it means, as a sentence without its period. */
	when: string;
	body: z.ZodTypeAny;
}

/** One method and path of the service; see `route`. */
export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Full path with `:variables`. */
	path: string;
	/** What it does, in a few words, for the OpenAPI document. */
	summary: string;
	/** What the summary does not say: effects, conditions, order. One or two sentences, for the OpenAPI document. */
	description: string;
	/** The format of its errors; `REFUSALS` says which routes have which. */
	refusal: Refusal;
	/** True for a route that needs no token and does not count against the rate limit. */
	open?: true;
	/** True for a POST that changes nothing, so that a read-only token may use it. */
	readOnly?: true;
	/** True if a 500 is `{error: message}` and not in the format of `refusal`. */
	bareFailure?: true;
	query?: z.ZodTypeAny;
	body?: z.ZodTypeAny;
	/** Its success responses by status. */
	responses: Partial<Record<200 | 201, ResponseBody>>;
	/** The errors by status that not every route has, or that it has in another form. */
	errors?: Partial<Record<ErrorStatus, OwnError>>;
	/** Acts and answers; errors are thrown as `HttpError`. */
	handle(context: RouteContext): RouteResponse | Promise<RouteResponse>;
}

/**
 * Declares a route and types its handler by the schemas of its query and body. A new route is one entry in the list of
 * its resource's file; only a new file needs a line in `resources/index.mts`.
 * @example
 * ```ts
 * route({
 * 	method: 'PUT',
 * 	path: '/api/v1/agents/:agent_id/name',
 * 	summary: 'Rename an agent',
 * 	description: 'Its calls keep the name that they had.',
 * 	refusal: 'unauthenticated',
 * 	body: z.object({ name: z.string().min(1).max(255) }),
 * 	answers: { 200: dataOf(agentSchema) },
 * 	errors: { 409: { when: 'The agent is published', body: flatErrorBody } },
 * 	handle({ world, params, body }) {
 * 		const agent = findAgent(world, params.agent_id); // throws 404
 * 		const { name } = body(); // throws 422
 * 		if (agent.current_status === 'published') {
 * 			throw flatError(409, 'The agent is published.');
 * 		}
 * 		agent.name = name;
 * 		return ok(agentObject(world, agent));
 * 	},
 * }),
 * ```
 */
export function route<Query extends z.ZodTypeAny = z.ZodUnknown, Body extends z.ZodTypeAny = z.ZodUnknown>(
	declared: Omit<Route, 'query' | 'body' | 'handle'> & {
		query?: Query;
		body?: Body;
		handle(context: RouteContext<z.output<Query>, z.output<Body>>): RouteResponse | Promise<RouteResponse>;
	},
): Route {
	return declared as Route;
}
