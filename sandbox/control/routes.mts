import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { readBody } from '../http/body.mts';
import { HttpError, invalidFields } from '../http/httpErrors.mts';
import { anyObject } from '../http/schemas.mts';
import { unknownPath } from '../http/serve.mts';
import { check } from '../http/validation.mts';
import { callRecord } from '../resources/calls/calls.mts';
import type { Seed } from '../seed/index.mts';
import { END_OF_TIME } from '../time/time.mts';
import { refusedCaller } from './caller.mts';
import { deliverNow } from './deliverNow.mts';
import { deliveryRecord, isFinished } from './deliveryRecord.mts';
import { faultSchema } from './faultSchema.mts';
import type { Holder } from './holder.mts';

const advanceSchema = z.object({ seconds: z.number().min(0) });

const delaySchema = z.object({ event: z.string().min(1), seconds: z.number().min(0).nullable() });

const deliverSchema = z
	.object({
		webhookId: z.string(),
		event: z.string().min(1),
		data: anyObject.default({}),
		times: z.number().int().min(1).max(100).default(1),
		tamper: z.enum(['body', 'signature', 'secret']).optional(),
		retries: z.boolean().default(false),
	})
	.refine(({ tamper, retries }) => !(tamper && retries), {
		path: ['retries'],
		message: 'What is tampered with is sent once.',
	});

/**
 * The routes under `/_sandbox`, which inspect and control the sandbox. They need no token, do not count against the
 * rate limit, and faults do not apply to them. Websites cannot use them. An invalid body is answered with 422 in the
 * flat format.
 */
export function controlRoutes(server: FastifyInstance, holder: Holder, seed: Seed): void {
	server.addHook('onRequest', async ({ headers }, reply) => {
		const refused = refusedCaller(headers);
		if (refused) {
			await reply.code(refused.answer.status).send(refused.answer.body);
		}
	});
	const get = (path: string, read: () => unknown) => {
		server.get(`/_sandbox/${path}`, (_request, reply) => reply.send(read()));
	};
	const post = (path: string, act: (body: unknown) => unknown) => {
		server.post(`/_sandbox/${path}`, async (request, reply) => {
			try {
				return await reply.send(await act(readBody(request.body).value));
			} catch (error) {
				if (!(error instanceof HttpError)) {
					throw error;
				}
				return reply.code(error.answer.status).send(error.answer.body);
			}
		});
	};

	server.all('/_sandbox/*', (_request, reply) => {
		const { status, body } = unknownPath();
		return reply.code(status).send(body);
	});
	get('seed', () => seed);
	get('requests', () => holder.world.requests);
	get('load', () => holder.world.load);
	get('calls', () =>
		[...holder.world.calls.values()].map((call) => ({
			...callRecord(holder.world, call),
			campaign_call_id: call.campaignCall?.id ?? null,
			payload: call.payload,
			context: call.context,
		})),
	);
	// What no route of the service shows: all settings.
	get('webhooks', () => [...holder.world.webhooks.values()]);
	get('deliveries', () => holder.world.attempts.filter(isFinished).map(deliveryRecord));

	post('reset', () => {
		holder.reset();
		return { success: true };
	});
	post('faults', (body) => {
		holder.world.faults.push(check(faultSchema, body, 'unauthorized'));
		return { success: true };
	});
	post('advance', async (body) => {
		const { clock } = holder.world;
		const { seconds } = check(advanceSchema, body, 'unauthorized');
		if (clock.now() + seconds * 1000 >= END_OF_TIME) {
			throw invalidFields({ seconds: ['The year 9999 is the last one.'] });
		}
		await clock.advance(seconds);
		return { success: true, now: new Date(clock.now()).toISOString() };
	});
	post('delays', (body) => {
		const { event, seconds } = check(delaySchema, body, 'unauthorized');
		holder.world.delays.set(event, seconds);
		return { success: true };
	});
	post('deliver', (body) => deliverNow(holder.world, check(deliverSchema, body, 'unauthorized')));
}
