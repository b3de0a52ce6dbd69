import type { Route } from '../../../sandbox/http/route.mts';

/** A request to a route and its response. */
export interface Exchange {
	route: Route;
	/** The values of the path's variables. */
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** Undefined if none was sent. */
	body: unknown;
	status: number;
	/** Undefined for a file. */
	answer: unknown;
}

/** `GET /api/v1/agents/{agent_id}` for the route. */
export function operationKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
	return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

/** `getAgentsAgentIdCalls` for `GET /api/v1/agents/:agent_id/calls`. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
	const words = path.replace('/api/v1', '').split(/[^A-Za-z0-9]+/);
	const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return method.toLowerCase() + capitalized.join('');
}
