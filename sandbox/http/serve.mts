import type { FastifyReply, FastifyRequest } from 'fastify';

import { sleep } from '../time/time.mts';
import type { Fault } from '../world/fault.mts';
import { newId } from '../world/ids.mts';
import type { RequestRecord } from '../world/requestRecord.mts';
import type { World } from '../world/world.mts';
import { authenticate, isRead } from './authentication.mts';
import { readBody, readsBody } from './body.mts';
import { WANTED_BODY } from './brokenRequest.mts';
import { type FieldErrors, flatError, HttpError } from './httpErrors.mts';
import { countRequest, rateHeaders, tooManyRequests } from './rateLimit.mts';
import { REFUSALS } from './refusal.mts';
import type { RouteResponse } from './response.mts';
import type { Route } from './route.mts';
import { handled, lowerCase, respond, varied, wireRequest } from './variation.mts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Invalid JSON, which is sent with the content type of JSON. */
const MALFORMED_BODY = '{"success": true, "data": {"id": ';

/**
 * Handles a request to the service: records it, applies a fault, the rate limit and the token, parses the body and
 * calls the route's handler.
 * @param route undefined for an unknown path or method
 * @param otherwise returns the response without a route; by default a 404
 */
export async function serve(
	world: World,
	request: FastifyRequest,
	reply: FastifyReply,
	route: Route | undefined,
	otherwise?: () => RouteResponse,
): Promise<FastifyReply> {
	const path = request.url.split('?', 1)[0] as string;
	const body = readBody(request.body);
	const started = performance.now();
	const record: RequestRecord = {
		id: newId(world, 'request'),
		method: request.method,
		path,
		url: request.url,
		query: { ...(request.query as Record<string, unknown>) },
		status: null,
		body: body.value,
		contentType: request.headers['content-type'] ?? null,
		hasToken: request.headers.authorization !== undefined,
		rejected: null,
		durationMs: null,
		at: new Date().toISOString(),
	};
	const { length } = typeof request.body === 'string' ? request.body : '';
	world.requests.add(record, length + request.url.length + 300);
	announceRequest(world, record);

	const fault = takeFault(world, request.method, path);
	if (fault) {
		record.fault = fault.kind;
	}
	if (fault?.kind === 'drop-before') {
		return cut(request, reply);
	}
	if (fault?.kind === 'status') {
		const sent = sendFault(world, record, reply, fault, route);
		announceRequest(world, record);
		return sent;
	}
	const origin = `${request.protocol}://${request.host}`;
	const wire = wireRequest(world, request, route, body.value, (query) =>
		responseOf(route, () => (route ? respond(world, route, wire, origin, query) : unknownPath())),
	);
	const response = await underLoad(world, async () => {
		if (fault?.kind === 'latency') {
			await sleep(fault.ms ?? 0);
		}

		const counted = route?.open || countRequest(world);
		return await responseOf(route, () => {
			if (!counted) {
				throw tooManyRequests(world, route?.refusal ?? 'authentication');
			}
			if (!route?.open) {
				authenticate(world, route, request.method, request.headers.authorization);
			}
			if (!route) {
				return otherwise?.() ?? unknownPath();
			}
			if (!readsBody(request)) {
				throw REFUSALS[route.refusal].other(415, 'UNSUPPORTED_MEDIA_TYPE', WANTED_BODY);
			}
			if (body.unreadable) {
				throw REFUSALS[route.refusal].other(400, 'INVALID_JSON', 'The request body is not valid JSON.');
			}
			return handled(world, route, wire, origin);
		});
	});

	if (route && world.variants.length === 0) {
		world.options.onResponse?.(route, response);
	}
	announceWrite(world, record, response);
	if (fault?.kind === 'drop-after') {
		return cut(request, reply);
	}
	const malformed = fault?.kind === 'malformed';
	const sent = await varied(world, wire, response);
	record.status = malformed ? 200 : sent.status;
	record.durationMs = Math.round(performance.now() - started);
	record.rejected = malformed ? null : rejectionOf(sent);
	announceRequest(world, record);
	reply.code(record.status).headers(sent.headers);
	if (malformed) {
		return reply.type(JSON_TYPE).send(MALFORMED_BODY);
	}
	if (sent.body === undefined) {
		return reply.send();
	}
	return sent.type ? reply.type(sent.type).send(sent.body) : reply.type(JSON_TYPE).send(JSON.stringify(sent.body));
}

function announceRequest(world: World, { id, method, path, status }: RequestRecord): void {
	world.changes.publish({ type: 'request', id, method, path, status });
}

/** Publishes the object that a request has changed, according to the first two parts of its path. */
function announceWrite(world: World, { method, path }: RequestRecord, { status }: RouteResponse): void {
	const [, resource, id] = /^\/api\/v1\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
	if (!isRead(method) && status < 400 && resource) {
		world.changes.publish({ type: 'object', resource, ...(id ? { id } : {}) });
	}
}

/** Reads the messages of an error response in any of the service's formats. */
function rejectionOf({ status, body }: RouteResponse): RequestRecord['rejected'] {
	if (status < 400) {
		return null;
	}
	const top = (body ?? {}) as { message?: unknown; error?: unknown; errors?: FieldErrors | string[] };
	const nested = typeof top.error === 'object' && top.error !== null ? top.error : {};
	const { message = top.message ?? top.error, details } = nested as { message?: unknown; details?: unknown };
	const { errors = top.errors, field } = (details ?? {}) as { errors?: FieldErrors; field?: string };
	const text = String(message ?? '');
	// The errors of a flow are a list.
	const fields = Array.isArray(errors) ? { flow_config: errors } : errors;
	return { message: text, fields: fields ?? (field ? { [field]: [text] } : {}) };
}

/** Counts a request as in flight while `work` runs. */
async function underLoad<Result>({ load }: World, work: () => Promise<Result>): Promise<Result> {
	load.inFlight += 1;
	load.highest = Math.max(load.highest, load.inFlight);
	try {
		return await work();
	} finally {
		load.inFlight -= 1;
	}
}

/** Runs a handler. An HttpError becomes its response; any other error becomes a 500. */
async function responseOf(
	route: Route | undefined,
	handle: () => RouteResponse | Promise<RouteResponse>,
): Promise<RouteResponse> {
	try {
		return await handle();
	} catch (error) {
		if (error instanceof HttpError) {
			return error.response;
		}
		console.error(error);
		return failure(route, 500, 'Internal server error.');
	}
}

/** Returns an internal error of the service in the route's format. */
function failure(route: Route | undefined, status: number, message: string): RouteResponse {
	if (route?.bareFailure) {
		return { status, body: { error: message } };
	}
	return REFUSALS[route?.refusal ?? 'authentication'].other(status, 'SERVER_ERROR', message).response;
}

/** Returns the 404 for an unknown path. */
export function unknownPath(): RouteResponse {
	return flatError(404, 'The requested resource was not found.').response;
}

/** Returns the 405 for a known path. The message and the header `Allow` list its methods. */
export function wrongMethod(method: string, supported: readonly string[]): RouteResponse {
	const allow = supported.join(', ');
	const message = `The ${method} method is not supported for this path. Supported methods: ${allow}.`;
	return { ...flatError(405, message).response, headers: { allow } };
}

function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	reply.hijack();
	request.raw.socket.destroy();
	return reply;
}

/** Sends the fault's body. The default is an internal error in the route's format, or below 500 a flat error. */
function sendFault(
	world: World,
	record: RequestRecord,
	reply: FastifyReply,
	fault: Fault,
	route: Route | undefined,
): FastifyReply {
	const status = fault.status ?? 500;
	record.status = status;
	const standard = failure(status >= 500 ? route : undefined, status, `Fault: status ${status}.`).body;
	return reply
		.code(status)
		.type(JSON_TYPE)
		.headers({ ...rateHeaders(world), ...lowerCase(fault.headers ?? {}) })
		.send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? standard));
}

/** Takes one use from the first fault that matches a request. @returns undefined without a matching fault */
function takeFault(world: World, method: string, path: string): Fault | undefined {
	const fault = world.faults.find(({ match }) => {
		const sameMethod = !match.method || match.method.toUpperCase() === method;
		return sameMethod && (!match.path || pathMatches(match.path, path));
	});
	if (!fault) {
		return undefined;
	}
	fault.times -= 1;
	if (fault.times === 0) {
		world.faults.splice(world.faults.indexOf(fault), 1);
	}
	return fault;
}

function pathMatches(pattern: string, path: string): boolean {
	return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
