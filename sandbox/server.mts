import { type FastifyInstance, fastify, type HTTPMethods } from 'fastify';

import { consoleRoutes } from './console/consoleRoutes.mts';
import type { Holder } from './control/holder.mts';
import { controlRoutes } from './control/routes.mts';
import { apiReference } from './docs/apiReference.mts';
import { answerBrokenRequest, BODY_LIMIT, HEADER_LIMIT, tooLongUrl, unreadBody } from './http/brokenRequest.mts';
import { refusedCaller } from './http/caller.mts';
import { flatError } from './http/httpErrors.mts';
import { rateHeaders } from './http/rateLimit.mts';
import type { Route } from './http/route.mts';
import { serve, unknownPath, wrongMethod } from './http/serve.mts';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options.mts';
import { routes } from './resources/index.mts';
import { type Seed, seedWorld } from './seed/index.mts';
import { loadState } from './state/load.mts';
import { keepState, readStateFile } from './state/stateFile.mts';
import { lockState, type StateLock } from './state/stateLock.mts';
import type { SavedState } from './state/stateSchema.mts';
import { END_OF_TIME } from './time/time.mts';
import type { Changes } from './world/changes.mts';
import { emptyWorld, endWorld, type World } from './world/world.mts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A sandbox that listens. */
export interface RunningSandbox {
	/** `http://127.0.0.1:<port>`, without a slash at the end. */
	url: string;
	token: string;
	seed: Seed;
	/** Closes all connections and stops all pending work. */
	close(): Promise<void>;
}

/**
 * Starts the service in memory on 127.0.0.1. Several can run side by side.
 * @param options what differs from the defaults; the default port is any free one
 * @throws the listening error, such as EADDRINUSE; BrokenState for a state file that cannot be used, or is in use
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
	const chosen: SandboxOptions = { ...DEFAULT_OPTIONS, port: 0, ...options };
	const lock = chosen.stateFile === null ? undefined : await lockState(chosen.stateFile);
	try {
		return await startLocked(chosen, lock);
	} catch (error) {
		lock?.release();
		throw error;
	}
}

async function startLocked(chosen: SandboxOptions, lock: StateLock | undefined): Promise<RunningSandbox> {
	const state = chosen.stateFile === null ? undefined : readStateFile(chosen.stateFile);
	const first = newWorld(chosen, { startTime: state && timeAfter(state, chosen) });
	const replace = (world: World) => {
		endWorld(holder.world);
		world.origin = holder.world.origin;
		holder.world = world;
		world.changes.publish({ type: 'reset' });
	};
	const holder: Holder = {
		world: first.world,
		seed: first.seed,
		reset: () => replace(newWorld(chosen, { changes: holder.world.changes }).world),
		load(snapshot) {
			const { changes, clock } = holder.world;
			const { world } = newWorld(chosen, { changes, startTime: snapshot.now });
			world.clock.setSpeed(clock.speed);
			replace(world);
			loadState(world, snapshot);
		},
	};
	const server = build(holder, chosen.requestLimitMs);
	try {
		const url = await server.listen({ port: chosen.port, host: '127.0.0.1' });
		holder.world.origin = url;
		if (state) {
			loadState(holder.world, state);
		}
		lock?.listensAt(url);
		const keeper =
			chosen.stateFile === null || !lock ? undefined : keepState(chosen.stateFile, lock, () => holder.world);
		const close = async () => {
			try {
				keeper?.end();
			} finally {
				lock?.release();
				endWorld(holder.world);
				await server.close();
			}
		};
		return { url, token: chosen.token, seed: first.seed, close };
	} catch (error) {
		endWorld(holder.world);
		await server.close();
		throw error;
	}
}

/**
 * What the clock shows after a start with a state file: it has run on in the meantime, though not faster than the real
 * time; a clock that stands still has not.
 */
function timeAfter({ now, savedAt }: SavedState, { speed }: SandboxOptions): number {
	const meanwhile = Math.max(0, Date.now() - savedAt) * Math.min(1, speed);
	return Math.max(now, Math.min(now + meanwhile, END_OF_TIME - 1));
}

function newWorld(
	options: SandboxOptions,
	{ changes, startTime }: { changes?: Changes; startTime?: number | undefined } = {},
): { world: World; seed: Seed } {
	const world = emptyWorld(startTime === undefined ? options : { ...options, startTime }, changes);
	world.options = options;
	return { world, seed: seedWorld(world) };
}

function build(holder: Holder, requestLimitMs: number): FastifyInstance {
	const server = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		requestTimeout: requestLimitMs,
		http: {
			maxHeaderSize: HEADER_LIMIT,
			headersTimeout: requestLimitMs,
			connectionsCheckingInterval: Math.min(1000, requestLimitMs),
		},
		clientErrorHandler: answerBrokenRequest,
		routerOptions: { maxParamLength: 500 },
		// For a path that cannot be decoded: no handler gets such a request.
		frameworkErrors: (_error, request, reply) => {
			const { status, body } = refusedCaller(request.url, request.headers)?.answer ?? unknownPath();
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
	// Bodies stay text here: a request is recorded and its token checked before its body is parsed.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));

	server.addHook('onRequest', async ({ headers, url }, reply) => {
		const refused = refusedCaller(url, headers) ?? tooLongUrl(url);
		if (refused) {
			await reply.code(refused.answer.status).send(refused.answer.body);
		}
	});
	// What was due before a request comes first: otherwise the IDs of a run with a seed depend on the faster of the two.
	server.addHook('preHandler', async () => holder.world.clock.startDue());

	for (const [path, own] of byPath(routes)) {
		for (const route of own) {
			server.route({
				method: route.method,
				url: path,
				handler: (request, reply) => serve(holder.world, request, reply, route),
			});
		}
		const supported = own.map((route) => route.method);
		server.route({
			method: METHODS.filter((method) => !supported.some((own) => own === method)),
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
		const { answer } =
			status < 500 ? unreadBody(status, routeOptions.bodyLimit, route) : flatError(status, 'Internal server error.');
		return reply.code(status).headers(rateHeaders(holder.world)).send(answer.body);
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
