import { type FastifyInstance, fastify, type HTTPMethods } from 'fastify';

import { consoleRoutes } from './console/consoleRoutes.mts';
import type { Holder } from './control/controlRoute.mts';
import { controlRoutes } from './control/routes.mts';
import { apiReference } from './docs/apiReference.mts';
import {
	BODY_LIMIT,
	HEADER_LIMIT,
	respondToBrokenRequest,
	tooLongUrl,
	URL_LIMIT,
	unreadBody,
} from './http/brokenRequest.mts';
import { refusedCaller } from './http/caller.mts';
import { flatError } from './http/httpErrors.mts';
import { rateHeaders } from './http/rateLimit.mts';
import type { Route } from './http/route.mts';
import { serve, unknownPath, wrongMethod } from './http/serve.mts';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options.mts';
import { routes } from './resources/index.mts';
import { type Seed, seedWorld } from './seed/index.mts';
import { loadState, type State } from './state/state.mts';
import { keepState, lockState, readStateFile, unlockState } from './state/stateFile.mts';
import { END_OF_TIME } from './time/time.mts';
import { optionsWith, variantsNamed } from './variants/index.mts';
import type { Changes } from './world/changes.mts';
import type { Variant } from './world/variant.mts';
import { emptyWorld, endWorld, type World } from './world/world.mts';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A running sandbox. */
export interface RunningSandbox {
	/** `http://127.0.0.1:<port>`, without a slash at the end. */
	url: string;
	token: string;
	seed: Seed;
	/** Closes all connections and stops all pending work. */
	close(): Promise<void>;
}

/**
 * Starts the service in memory on 127.0.0.1. Several sandboxes can run side by side.
 * @param options replace the defaults; the default port is any free port
 * @throws the listening error, such as EADDRINUSE; StateError for a state file that is in use or cannot be used
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
	const given: SandboxOptions = { ...DEFAULT_OPTIONS, port: 0, ...options };
	let variants = variantsNamed(given.variants);
	let chosen = optionsWith(given, variants);
	const { stateFile, token } = chosen;
	const { world, seed } = newWorld(chosen, variants);
	const replace = (next: World) => {
		endWorld(holder.world);
		next.origin = holder.world.origin;
		holder.world = next;
		next.changes.publish({ type: 'reset' });
	};
	const holder: Holder = {
		world,
		seed,
		reset: () => replace(newWorld(chosen, variants, holder.world.changes).world),
		load(state, now = state.now) {
			const { changes, clock } = holder.world;
			replace({ ...emptyWorld({ ...chosen, startTime: now, speed: clock.speed }, variants, changes), options: chosen });
			loadState(holder.world, state);
		},
		vary(names) {
			variants = variantsNamed(names);
			chosen = optionsWith(given, variants);
			Object.assign(holder.world, { variants, options: chosen });
			holder.world.changes.publish({ type: 'variants' });
		},
	};
	const server = build(holder, chosen.requestLimitMs);
	const stop = async () => {
		endWorld(holder.world);
		await server.close();
	};
	try {
		const url = await server.listen({ port: chosen.port, host: '127.0.0.1' });
		world.origin = url;
		const save = stateFile === null ? () => {} : await useStateFile(stateFile, url, holder);
		const close = async () => {
			try {
				save();
			} finally {
				await stop();
			}
		};
		return { url, token, seed, close };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Loads a state file, and saves each change to it. @returns a function that saves for the last time */
async function useStateFile(file: string, url: string, holder: Holder): Promise<() => void> {
	await lockState(file, url);
	try {
		const state = readStateFile(file);
		if (state) {
			holder.load(state, timeAfter(state, holder.world.options));
		}
	} catch (error) {
		unlockState(file, url);
		throw error;
	}
	const save = keepState(file, url, () => holder.world);
	return () => {
		try {
			save();
		} finally {
			unlockState(file, url);
		}
	};
}

/**
 * Returns the clock's time after a start with a state file: the clock has continued in the meantime, but not faster
 * than the real time. A stopped clock has not continued.
 */
function timeAfter({ now, savedAt }: State, { speed }: SandboxOptions): number {
	const meanwhile = Math.max(0, Date.now() - savedAt) * Math.min(1, speed);
	return Math.max(now, Math.min(now + meanwhile, END_OF_TIME - 1));
}

function newWorld(
	options: SandboxOptions,
	variants: readonly Variant[],
	changes?: Changes,
): { world: World; seed: Seed } {
	const world = emptyWorld(options, variants, changes);
	return { world, seed: seedWorld(world) };
}

function build(holder: Holder, requestLimitMs: number): FastifyInstance {
	const server = fastify({
		bodyLimit: BODY_LIMIT,
		forceCloseConnections: true,
		requestTimeout: requestLimitMs,
		http: {
			maxHeaderSize: HEADER_LIMIT,
			headersTimeout: requestLimitMs,
			connectionsCheckingInterval: Math.min(1000, requestLimitMs),
		},
		clientErrorHandler: respondToBrokenRequest,
		// A longer path segment would match no route. No segment is longer than the longest URL.
		routerOptions: { maxParamLength: URL_LIMIT, ignoreTrailingSlash: true },
		// Responds to a path that cannot be decoded. Such a request reaches no handler.
		frameworkErrors: (_error, request, reply) => {
			const { status, body } = refusedCaller(request.url, request.headers)?.response ?? unknownPath();
			reply.hijack();
			const text = JSON.stringify(body);
			const headers = {
				'Content-Type': 'application/json; charset=utf-8',
				'Content-Length': Buffer.byteLength(text),
				...rateHeaders(holder.world),
			};
			reply.raw.writeHead(status, headers).end(text);
		},
	});
	// Bodies are kept as text, because a request is recorded and its token checked before its body is parsed.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));

	server.addHook('onRequest', async ({ headers, url }, reply) => {
		const refused = refusedCaller(url, headers) ?? tooLongUrl(url);
		if (refused) {
			await reply.code(refused.response.status).send(refused.response.body);
		}
	});
	// Due work runs before the request; otherwise the IDs of a run with a seed would depend on timing.
	server.addHook('preHandler', async () => holder.world.clock.startDue());

	for (const [path, own] of byPath(routes)) {
		for (const route of own) {
			server.route({
				method: route.method,
				url: path,
				handler: (request, reply) => serve(holder.world, request, reply, route),
			});
		}
		// Routes with GET support HEAD as well.
		const supported = METHODS.filter((method) =>
			own.some((route) => route.method === (method === 'HEAD' ? 'GET' : method)),
		);
		server.route({
			method: METHODS.filter((method) => !supported.includes(method)),
			url: path,
			handler: (request, reply) =>
				serve(holder.world, request, reply, undefined, () => wrongMethod(request.method, supported)),
		});
	}
	server.register(async (control) => controlRoutes(control, holder));
	server.register(async (docs) => apiReference(docs, holder.world.options.token));
	server.register(async (page) => consoleRoutes(page));

	server.setNotFoundHandler((request, reply) => serve(holder.world, request, reply, undefined));
	server.setErrorHandler((error: Error & { statusCode?: number }, { routeOptions, method }, reply) => {
		const status = error.statusCode ?? 500;
		if (status >= 500) {
			console.error(error);
		}
		const route = routes.find((known) => known.method === method && known.path === routeOptions.url);
		const { response } =
			status < 500 ? unreadBody(status, routeOptions.bodyLimit, route) : flatError(status, 'Internal server error.');
		return reply.code(status).headers(rateHeaders(holder.world)).send(response.body);
	});
	return server;
}

function byPath(all: Route[]): Map<string, Route[]> {
	const paths = new Map<string, Route[]>();
	for (const route of all) {
		paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
	}
	return paths;
}
