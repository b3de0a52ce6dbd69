import type { FastifyReply, FastifyRequest } from 'fastify';

import { sleep } from '../time/time.mts';
import type { Fault } from '../world/fault.mts';
import type { RequestRecord } from '../world/requestRecord.mts';
import { remember, type World } from '../world/world.mts';
import type { Answer } from './answer.mts';
import { authenticate } from './authentication.mts';
import { readBody } from './body.mts';
import { flatError, HttpError } from './httpErrors.mts';
import { countRequest, rateHeaders, tooManyRequests } from './rateLimit.mts';
import { REFUSALS } from './refusal.mts';
import type { Route } from './route.mts';
import { anyObject } from './schemas.mts';
import { takeFault } from './takeFault.mts';
import { check } from './validation.mts';

/** Not valid JSON, although the content type says so. */
const MALFORMED_BODY = '{"success": true, "data": {"id": ';

/**
 * Handles one request to the service: records it, applies a fault, the rate limit and the token, parses the body and
 * calls the route's handler.
 * @param route undefined if no route has this path and method
 * @param otherwise answers if there is no route; by default with 404
 */
export async function serve(
	world: World,
	request: FastifyRequest,
	reply: FastifyReply,
	route: Route | undefined,
	otherwise?: () => Answer,
): Promise<FastifyReply> {
	const path = request.url.split('?', 1)[0] as string;
	const body = readBody(request.body);
	const record: RequestRecord = {
		method: request.method,
		path,
		query: { ...(request.query as Record<string, unknown>) },
		status: null,
		body: body.value,
		at: new Date().toISOString(),
	};
	remember(world.requests, record);

	const fault = takeFault(world, request.method, path);
	if (fault) {
		record.fault = fault.kind;
	}
	if (fault?.kind === 'drop-before') {
		return cut(request, reply);
	}
	if (fault?.kind === 'status') {
		return sendFault(world, record, reply, fault, route);
	}
	const answer = await underLoad(world, async () => {
		if (fault?.kind === 'latency') {
			await sleep(fault.ms ?? 0);
		}

		const counted = route?.open || countRequest(world);
		return await answerTo(route, () => {
			if (!counted) {
				throw tooManyRequests(world, route?.refusal ?? 'authentication');
			}
			if (!route?.open) {
				authenticate(world, route, request.method, request.headers.authorization);
			}
			if (!route) {
				return otherwise?.() ?? unknownPath();
			}
			if (body.unreadable) {
				throw REFUSALS[route.refusal].other(400, 'INVALID_JSON', 'The request body is not valid JSON.');
			}
			return route.handle({
				world,
				origin: `${request.protocol}://${request.host}`,
				params: request.params as Record<string, string>,
				json: body.value,
				query: () => check(route.query ?? anyObject, withoutEmpty(record.query), route.refusal),
				body: () => check(route.body ?? anyObject, body.value, route.refusal),
			});
		});
	});

	if (fault?.kind === 'drop-after') {
		return cut(request, reply);
	}
	const malformed = fault?.kind === 'malformed';
	record.status = malformed ? 200 : answer.status;
	reply.code(record.status).headers(rateHeaders(world));
	if (answer.type && !malformed) {
		return reply.type(answer.type).send(answer.body);
	}
	return reply.type('application/json; charset=utf-8').send(malformed ? MALFORMED_BODY : JSON.stringify(answer.body));
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

/** Runs a handler; an HttpError becomes its answer, any other error a 500. */
async function answerTo(route: Route | undefined, handle: () => Answer | Promise<Answer>): Promise<Answer> {
	try {
		return await handle();
	} catch (error) {
		if (error instanceof HttpError) {
			return error.answer;
		}
		console.error(error);
		return failure(route, 500, 'Internal server error.');
	}
}

/** An internal error of the service, in the route's format. */
function failure(route: Route | undefined, status: number, message: string): Answer {
	if (route?.bareFailure) {
		return { status, body: { error: message } };
	}
	return REFUSALS[route?.refusal ?? 'authentication'].other(status, 'SERVER_ERROR', message).answer;
}

/** 404 for an unknown path. */
export function unknownPath(): Answer {
	return flatError(404, 'The requested resource was not found.').answer;
}

/** 405 for a known path; the message names its methods. */
export function wrongMethod(method: string, supported: string[]): Answer {
	return flatError(
		405,
		`The ${method} method is not supported for this path. Supported methods: ${supported.join(', ')}.`,
	).answer;
}

/** Query variables without a value count as absent. */
function withoutEmpty(query: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	reply.hijack();
	request.raw.socket.destroy();
	return reply;
}

/** Header names in lower case, so that a fault's header replaces one that is already set. */
function lowerCase(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Sends the fault's body; without one, an internal error in the route's format, or a flat body below 500. */
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
		.type('application/json; charset=utf-8')
		.headers({ ...rateHeaders(world), ...lowerCase(fault.headers ?? {}) })
		.send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? standard));
}
