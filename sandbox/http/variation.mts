import type { FastifyRequest } from 'fastify';

import type { WireFields, WireRequest, WireResponse } from '../world/variant.mts';
import type { World } from '../world/world.mts';
import { rateHeaders } from './rateLimit.mts';
import type { RouteResponse } from './response.mts';
import type { Route } from './route.mts';
import { anyObject } from './schemas.mts';
import { check } from './validation.mts';

/** Builds the request for the variants. @param repeat handles the request again, with another query */
export function wireRequest(
	world: World,
	{ method, params, query }: FastifyRequest,
	route: Route | undefined,
	body: unknown,
	repeat: (query: WireFields) => Promise<RouteResponse>,
): WireRequest {
	return {
		method: route?.method ?? method,
		route: route?.path,
		params: { ...(params as Record<string, string>) },
		query: { ...(query as WireFields) },
		body: world.variants.length > 0 ? structuredClone(body) : body,
		get windowEnds() {
			return world.rate.windowEnds;
		},
		repeat: async (other) => structuredClone(await repeat(other)),
	};
}

/** Returns the response of a variant, or else the route's response to the request that the variants have changed. */
export function handled(
	world: World,
	route: Route,
	wire: WireRequest,
	origin: string,
): RouteResponse | Promise<RouteResponse> {
	for (const variant of world.variants) {
		const instead = variant.request?.(wire);
		if (instead) {
			return instead;
		}
	}
	return respond(world, route, wire, origin, wire.query);
}

/** Calls the route's handler. */
export function respond(
	world: World,
	route: Route,
	wire: Pick<WireRequest, 'params' | 'body'>,
	origin: string,
	query: WireFields,
): RouteResponse | Promise<RouteResponse> {
	return route.handle({
		world,
		origin,
		params: wire.params,
		json: wire.body,
		query: () => check(route.query ?? anyObject, withoutEmpty(query), route.refusal),
		body: () => check(route.body ?? anyObject, wire.body, route.refusal),
	});
}

/** Returns a response with its headers and the changes of the variants. The route's response is not modified. */
export async function varied(world: World, request: WireRequest, response: RouteResponse): Promise<WireResponse> {
	const challenge: Record<string, string> = response.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
	const headers = { ...lowerCase(rateHeaders(world)), ...challenge, ...response.headers };
	const wire: WireResponse = { ...response, headers };
	if (world.variants.length === 0 || response.type !== undefined) {
		return wire;
	}
	wire.body = structuredClone(response.body);
	for (const variant of world.variants) {
		await variant.response?.(wire, request);
	}
	return wire;
}

/** Changes header names to lower case, so that a header replaces an earlier header of the same name. */
export function lowerCase(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Removes query variables without a value, which count as absent. */
function withoutEmpty(query: WireFields): WireFields {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
