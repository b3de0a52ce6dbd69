import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isPlain, readBody } from '../http/body.mts';
import { WANTED_BODY } from '../http/brokenRequest.mts';
import { flatError, HttpError } from '../http/httpErrors.mts';
import { unknownPath } from '../http/serve.mts';
import { check } from '../http/validation.mts';
import { readState, StateError, savedState } from '../state/state.mts';
import { callControls } from './callControls.mts';
import { type ControlRoute, control, type Holder } from './controlRoute.mts';
import { deliveryControls } from './deliveryControls.mts';
import { eventStreams } from './eventStream.mts';
import { objectControls } from './objectControls.mts';
import { requestControls } from './requestControls.mts';
import { scriptControls } from './scriptControls.mts';
import { statusControls } from './statusControls.mts';

/** Largest snapshot, in bytes. */
const SNAPSHOT_LIMIT = 256 * 1024 * 1024;

/** Every route under `/_sandbox`. */
export const CONTROLS: ControlRoute[] = [
	...callControls,
	...scriptControls,
	...deliveryControls,
	...requestControls,
	...statusControls,
	...objectControls,
	...eventStreams,
	control({ method: 'GET', path: 'health', handle: () => ({ status: 'ok' }) }),
	control({ method: 'GET', path: 'seed', handle: ({ holder }) => holder.seed }),
	control({
		method: 'POST',
		path: 'reset',
		handle({ holder }) {
			holder.reset();
			return { success: true };
		},
	}),
	control({
		method: 'GET',
		path: 'snapshot',
		handle: ({ world, reply }) => reply.type('application/octet-stream').send(savedState(world)),
	}),
	control({
		method: 'POST',
		path: 'snapshot',
		bodyLimit: SNAPSHOT_LIMIT,
		handle({ holder, request }) {
			try {
				holder.load(readState(request.body as Buffer));
			} catch (error) {
				if (error instanceof StateError) {
					throw flatError(422, `The snapshot cannot be used: ${error.message}.`);
				}
				throw error;
			}
			return { success: true, now: new Date(holder.world.clock.now()).toISOString() };
		},
	}),
];

/**
 * Adds the routes under `/_sandbox`, which inspect and control the sandbox. They need no token, do not count against
 * the rate limit, and are exempt from faults. An invalid body results in a 422 in the flat format.
 */
export function controlRoutes(server: FastifyInstance, holder: Holder): void {
	server.addHook('onRequest', async (_request, reply) => void reply.header('X-Content-Type-Options', 'nosniff'));
	// A snapshot is binary, so bodies must not be decoded as text.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
	server.all('/_sandbox/*', (_request, reply) => {
		const { status, body } = unknownPath();
		return reply.code(status).send(body);
	});
	for (const route of CONTROLS) {
		server.route({
			method: route.method,
			url: `/_sandbox/${route.path}`,
			...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
			handler: (request, reply) => respond(holder, route, request, reply),
		});
	}
}

async function respond(
	holder: Holder,
	route: ControlRoute,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	try {
		if (!isPlain(request.headers)) {
			throw flatError(415, WANTED_BODY);
		}
		const given = request.query as Record<string, unknown>;
		const body = await route.handle({
			holder,
			world: holder.world,
			params: request.params as Record<string, string>,
			query: check(route.query, given, 'unauthorized'),
			plain: Object.keys(given).length === 0,
			body: check(route.body, readBody((request.body as Buffer | undefined)?.toString()).value, 'unauthorized'),
			request,
			reply,
		});
		return reply.sent ? reply : await reply.send(body);
	} catch (error) {
		if (!(error instanceof HttpError)) {
			throw error;
		}
		return reply.code(error.response.status).send(error.response.body);
	}
}
