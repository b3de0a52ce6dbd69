import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { Seed } from '../seed/index.mts';
import type { State } from '../state/state.mts';
import type { World } from '../world/world.mts';

/** One request to a control route. */
export interface ControlContext<Query = unknown, Body = unknown> {
	holder: Holder;
	world: World;
	/** Path variables, percent-decoded. */
	params: Record<string, string>;
	query: Query;
	/** Whether the query is empty. */
	plain: boolean;
	body: Body;
	request: FastifyRequest;
	reply: FastifyReply;
}

/** A route under `/_sandbox`; see `control`. */
export interface ControlRoute {
	method: 'GET' | 'POST' | 'DELETE';
	/** The path below `/_sandbox/`, with `:variables`. */
	path: string;
	/** The largest body in bytes, if it differs from the usual limit. */
	bodyLimit?: number;
	query: z.ZodTypeAny;
	body: z.ZodTypeAny;
	/** @returns the body of a 200; undefined if the handler has sent the response itself. @throws HttpError */
	handle(context: ControlContext): unknown;
}

/** Declares a control route, and types its handler by the schemas of its query and body. */
export function control<Query extends z.ZodTypeAny = z.ZodUnknown, Body extends z.ZodTypeAny = z.ZodUnknown>(
	declared: Pick<ControlRoute, 'method' | 'path' | 'bodyLimit'> & {
		query?: Query;
		body?: Body;
		handle(context: ControlContext<z.output<Query>, z.output<Body>>): unknown;
	},
): ControlRoute {
	return { query: z.unknown(), body: z.unknown(), ...declared } as ControlRoute;
}

/** The world that the routes work on. */
export interface Holder {
	world: World;
	seed: Seed;
	/** Ends the world and replaces it with a newly seeded world. */
	reset(): void;
	/** Ends the world and replaces it with a saved world. @param now the clock's time; by default, the time of saving */
	load(state: State, now?: number): void;
	/** Applies these variants from now on, also after a reset. @throws UnknownVariant */
	vary(variants: readonly string[]): void;
}
