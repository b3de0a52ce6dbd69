import type { z } from 'zod';

import type { World } from '../world/world.mts';
import type { Refusal } from './refusal.mts';
import type { RouteResponse } from './response.mts';

/** A request to a route. */
interface RouteContext<Query = unknown, Body = unknown> {
	world: World;
	/** The address of the sandbox in the request, for links to itself. It does not end with a slash. */
	origin: string;
	/** Path variables, percent-decoded. */
	params: Record<string, string>;
	/** The parsed JSON body, unchecked; undefined without a body. */
	json: unknown;
	/** Checks the query against the route's schema. @throws 422 in the route's format */
	query(): Query;
	/**
	 * Checks the JSON body against the route's schema. Look up the object first: the service sends 404 before 422.
	 * @throws 422 in the route's format
	 */
	body(): Body;
}

/** The schema of a JSON body, or the content type of a file. */
type ResponseBody = z.ZodTypeAny | 'audio/mpeg';

type ErrorStatus = 400 | 402 | 403 | 404 | 409 | 422 | 500;

/** An error that is specific to a route, in addition to the shared error with the same status. */
export interface OwnError {
	/** The cause, as a sentence without its period. */
	when: string;
	body: z.ZodTypeAny;
}

/** A method and path of the service; see `route`. */
export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Full path with `:variables`. */
	path: string;
	/** A few words for the OpenAPI document. */
	summary: string;
	/** One or two sentences for the OpenAPI document about effects, conditions and order. */
	description: string;
	/** The format of its errors. `REFUSALS` lists the routes of each format. */
	refusal: Refusal;
	/** True for a route that needs no token and does not count against the rate limit. */
	open?: true;
	/** True for a POST that changes nothing. A read-only token may use it. */
	readOnly?: true;
	/** True if a 500 is `{error: message}` and not in the format of `refusal`. */
	bareFailure?: true;
	query?: z.ZodTypeAny;
	body?: z.ZodTypeAny;
	/** Its success responses by status. */
	responses: Partial<Record<200 | 201, ResponseBody>>;
	/** The errors that are specific to the route, by status. */
	errors?: Partial<Record<ErrorStatus, OwnError>>;
	/** Handles a request. Errors are thrown as `HttpError`. */
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
 * 	responses: { 200: dataOf(agentSchema) },
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
