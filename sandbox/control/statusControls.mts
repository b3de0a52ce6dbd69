import { z } from 'zod';

import { untilNobodyAnswers } from '../engine/calls/courses.mts';
import { activeCalls } from '../engine/calls/simulator.mts';
import { AGENT_EVENT_DESCRIPTIONS, CAMPAIGN_EVENTS } from '../engine/deliveries/eventTypes.mts';
import { FRAMING_HEADERS } from '../engine/deliveries/headers.mts';
import { invalidFields, notFound } from '../http/httpErrors.mts';
import { anyObject, httpHeader } from '../http/schemas.mts';
import { END_OF_TIME } from '../time/time.mts';
import { UnknownVariant, variants } from '../variants/index.mts';
import { FAULT_KINDS } from '../world/fault.mts';
import { newId } from '../world/ids.mts';
import type { World } from '../world/world.mts';
import { type ControlRoute, control } from './controlRoute.mts';

const advanceSchema = z
	.object({ seconds: z.number().min(0).optional(), to: z.literal('nextEvent').optional() })
	.strict()
	.refine(({ seconds, to }) => seconds !== undefined || to !== undefined, {
		path: ['seconds'],
		message: 'The seconds field is required.',
	});

const clockSchema = z.object({ speed: z.number().min(0).max(1_000_000) }).strict();

const creditsSchema = z.object({ credits: z.number().int().min(0).nullable() }).strict();

/** The longest latency in milliseconds: a day. Timers cannot wait much longer. */
const LONGEST_MS = 86_400_000;

function isSendable([key, value]: [string, string]): boolean {
	return httpHeader.safeParse({ key, value }).success && !FRAMING_HEADERS.includes(key.toLowerCase());
}

const headers = anyObject
	.pipe(z.record(z.string()))
	.refine(
		(given) => Object.entries(given).every(isSendable),
		'The headers field contains a header that cannot be sent.',
	);

/** Body of `POST /_sandbox/faults`. */
const faultSchema = z
	.object({
		match: z.object({ method: z.string().optional(), path: z.string().optional() }).strict().default({}),
		kind: z.enum(FAULT_KINDS),
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: headers.optional(),
		ms: z.number().min(0).max(LONGEST_MS).optional(),
		times: z.number().int().min(1).default(1),
	})
	.strict()
	.superRefine((fault, context) => {
		if (fault.kind === 'status' && fault.status === undefined) {
			context.addIssue({ code: 'custom', path: ['status'], message: 'The status field is required.' });
		}
		if (fault.kind === 'latency' && fault.ms === undefined) {
			context.addIssue({ code: 'custom', path: ['ms'], message: 'The ms field is required.' });
		}
	});

/** The state of the sandbox as a whole: clock, faults, credits. */
export const statusControls: ControlRoute[] = [
	control({ method: 'GET', path: 'status', handle: ({ world }) => status(world) }),
	control({
		method: 'GET',
		path: 'event-kinds',
		handle: () => ({ agent: AGENT_EVENT_DESCRIPTIONS, campaign: CAMPAIGN_EVENTS }),
	}),
	control({
		method: 'POST',
		path: 'clock',
		body: clockSchema,
		handle({ world, body }) {
			world.clock.setSpeed(body.speed);
			return { success: true, ...announceClock(world) };
		},
	}),
	control({
		method: 'POST',
		path: 'advance',
		body: advanceSchema,
		async handle({ world, body: { seconds } }) {
			const { clock } = world;
			if (seconds !== undefined) {
				checkTime('seconds', clock.now() + seconds * 1000);
				await clock.advance(seconds);
				return { success: true, now: announceClock(world).now };
			}
			const due = clock.nextDue;
			checkTime('to', due ?? 0);
			await clock.advanceToNext();
			return { success: true, now: announceClock(world).now, advanced: due !== undefined };
		},
	}),
	control({
		method: 'GET',
		path: 'variants',
		handle: ({ world }) =>
			variants.map(({ name, section, question, does }) => ({
				name,
				section,
				question,
				does,
				chosen: world.variants.some((variant) => variant.name === name),
			})),
	}),
	control({
		method: 'POST',
		path: 'variants',
		body: z.object({ names: z.array(z.string()) }).strict(),
		handle({ holder, body: { names } }) {
			try {
				holder.vary(names);
			} catch (error) {
				throw error instanceof UnknownVariant ? invalidFields({ names: [error.message] }) : error;
			}
			return { success: true };
		},
	}),
	control({ method: 'GET', path: 'faults', handle: ({ world }) => world.faults }),
	control({
		method: 'POST',
		path: 'faults',
		body: faultSchema,
		handle({ world, body }) {
			const id = newId(world, 'fault');
			world.faults.push({ id, ...body });
			world.changes.publish({ type: 'faults' });
			return { success: true, id };
		},
	}),
	control({
		method: 'DELETE',
		path: 'faults',
		handle({ world }) {
			world.faults = [];
			world.changes.publish({ type: 'faults' });
			return { success: true };
		},
	}),
	control({
		method: 'DELETE',
		path: 'faults/:id',
		handle({ world, params }) {
			const left = world.faults.filter(({ id }) => id !== params.id);
			if (left.length === world.faults.length) {
				throw notFound('Fault');
			}
			world.faults = left;
			world.changes.publish({ type: 'faults' });
			return { success: true };
		},
	}),
	control({
		method: 'POST',
		path: 'credits',
		body: creditsSchema,
		handle({ world, body }) {
			world.credits = body.credits ?? Infinity;
			world.changes.publish({ type: 'credits', credits: body.credits });
			return { success: true, credits: body.credits };
		},
	}),
];

/** @throws 422 for a moment that cannot be represented */
function checkTime(field: string, time: number): void {
	if (time >= END_OF_TIME) {
		throw invalidFields({ [field]: ['The year 9999 is the last one.'] });
	}
}

function announceClock({ clock, changes }: World): { now: string; speed: number } {
	const shown = { now: new Date(clock.now()).toISOString(), speed: clock.speed };
	changes.publish({ type: 'clock', ...shown });
	return shown;
}

function status(world: World): Record<string, unknown> {
	const { clock, options, rate, load, credits } = world;
	const active = activeCalls(world);
	const open = Date.now() < rate.windowEnds;
	const count = ({ size }: { size: number }) => size;
	return {
		now: new Date(clock.now()).toISOString(),
		speed: clock.speed,
		start_speed: options.speed,
		next_event_at: clock.nextDue === undefined ? null : new Date(clock.nextDue).toISOString(),
		mode: world.mode,
		ring_seconds: untilNobodyAnswers(world),
		rate_limit: {
			limit: options.rateLimit,
			used: open ? rate.used : 0,
			window_seconds: options.rateWindow,
			resets_at: open ? new Date(rate.windowEnds).toISOString() : null,
		},
		credits: Number.isFinite(credits) ? credits : null,
		load,
		counts: {
			agents: count(world.agents),
			campaigns: count(world.campaigns),
			webhooks: count(world.webhooks),
			calendars: count(world.calendars),
			phone_numbers: count(world.phoneNumbers),
			sip_trunks: count(world.sipTrunks),
			calls: count(world.calls),
			active_calls: active.length,
			ringing_calls: active.filter(({ status }) => status === 'ringing').length,
			deliveries: world.attempts.entries.length,
			requests: world.requests.entries.length,
			faults: world.faults.length,
			scripts: world.scripts.length,
		},
		dropped: {
			calls: world.droppedCalls,
			deliveries: world.attempts.dropped,
			requests: world.requests.dropped,
		},
		signature: { header: options.signatureHeader, format: options.signatureFormat },
		seed: options.seed,
		state_file: options.stateFile,
		listeners: world.changes.listening,
		last_event_id: world.changes.lastId,
	};
}
