import type { FastifyRequest } from 'fastify';

import type { WireFields, WireRequest, WireResponse } from '../world/variant.mts';
import type { World } from '../world/world.mts';
import { rateHeaders } from './rateLimit.mts';
import type { RouteResponse } from './response.mts';
import type { Route } from './route.mts';
import { anyObject } from './schemas.mts';
import { check } from './validation.mts';

/** A request as the variants see it. @param repeat answers it with another query */
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

/** What a variant answers in place of the route, or what the route answers to the request as the variants have it. */
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

/** What the route answers. */
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

/** An answer with its headers, as the variants have it. What the route has answered stays as it is. */
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

/** Header names in lower case, so that another header replaces one that is already set. */
export function lowerCase(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Query variables without a value count as absent. */
function withoutEmpty(query: WireFields): WireFields {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
