import { type FastifyInstance, fastify, type HTTPMethods } from 'fastify';

import type { Holder } from './control/holder.mts';
import { controlRoutes } from './control/routes.mts';
import { flatError } from './http/httpErrors.mts';
import { rateHeaders } from './http/rateLimit.mts';
import type { Route } from './http/route.mts';
import { serve, unknownPath, wrongMethod } from './http/serve.mts';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options.mts';
import { routes } from './resources/index.mts';
import { type Seed, seedWorld } from './seed/index.mts';
import { emptyWorld, endWorld, type World } from './world/world.mts';

/** Largest request body, in bytes. */
const BODY_LIMIT = 10 * 1024 * 1024;
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
 * @throws the listening error, such as EADDRINUSE
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
	const chosen: SandboxOptions = { ...DEFAULT_OPTIONS, port: 0, ...options };
	const first = newWorld(chosen);
	const holder: Holder = {
		world: first.world,
		reset() {
			endWorld(holder.world);
			const { origin } = holder.world;
			holder.world = newWorld(chosen).world;
			holder.world.origin = origin;
		},
	};
	const server = build(holder, first.seed);
	const close = async () => {
		endWorld(holder.world);
		await server.close();
	};
	try {
		const url = await server.listen({ port: chosen.port, host: '127.0.0.1' });
		holder.world.origin = url;
		return { url, token: chosen.token, seed: first.seed, close };
	} catch (error) {
		await close();
		throw error;
	}
}

function newWorld(options: SandboxOptions): { world: World; seed: Seed } {
	const world = emptyWorld(options);
	return { world, seed: seedWorld(world) };
}

function build(holder: Holder, seed: Seed): FastifyInstance {
	const server = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 500 },
		// For a path that cannot be decoded: no handler gets such a request.
		frameworkErrors: (_error, _request, reply) => {
			const { status, body } = unknownPath();
			reply.hijack();
			const headers = { 'Content-Type': 'application/json; charset=utf-8', ...rateHeaders(holder.world) };
			reply.raw.writeHead(status, headers).end(JSON.stringify(body));
		},
	});
	// Bodies stay text here: a request is recorded and its token checked before its body is parsed.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));

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
	server.register(async (control) => controlRoutes(control, holder, seed));

	server.setNotFoundHandler((request, reply) => serve(holder.world, request, reply, undefined));
	server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
		const status = error.statusCode ?? 500;
		if (status >= 500) {
			console.error(error);
		}
		const message = status < 500 ? 'The request could not be read.' : 'Internal server error.';
		return reply.code(status).headers(rateHeaders(holder.world)).send(flatError(status, message).answer.body);
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
