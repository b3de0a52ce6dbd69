import { z } from 'zod';

import { isEnd } from '../engine/calls/courses.mts';
import { placeCall } from '../engine/calls/simulator.mts';
import { flatError, notFound } from '../http/httpErrors.mts';
import { anyObject } from '../http/schemas.mts';
import { isoMillis } from '../time/time.mts';
import type { Agent } from '../world/agent.mts';
import type { CallStep, Script } from '../world/call.mts';
import { newId } from '../world/ids.mts';
import { E164 } from '../world/phoneNumber.mts';
import type { World } from '../world/world.mts';
import { callSide, phoneKeys, spokenText } from './acts.mts';
import { type ControlRoute, control } from './controlRoute.mts';
import { listedCall } from './timeline.mts';

const after = z.number().min(0).max(86_400).default(0);
const number = z.string().regex(E164);

const stepSchema = z.discriminatedUnion('do', [
	...(['answer', 'voicemail', 'decline', 'busy', 'noAnswer', 'fail'] as const).map((name) =>
		z.object({ after, do: z.literal(name) }).strict(),
	),
	z.object({ after, do: z.literal('hangUp'), by: callSide.default('person') }).strict(),
	z.object({ after, do: z.literal('say'), text: spokenText, by: callSide.default('person') }).strict(),
	z.object({ after, do: z.literal('press'), keys: phoneKeys }).strict(),
	z.object({ after, do: z.literal('useAction'), action: z.string().min(1), arguments: anyObject.default({}) }).strict(),
] as unknown as [z.ZodDiscriminatedUnionOption<'do'>, ...Array<z.ZodDiscriminatedUnionOption<'do'>>]);

/** The steps of a call after ringing. */
const stepsSchema = z
	.array(stepSchema as unknown as z.ZodType<CallStep, z.ZodTypeDef, unknown>)
	.min(1)
	.max(200)
	.superRefine((steps, context) => {
		let state: 'ringing' | 'answered' | 'over' = 'ringing';
		steps.forEach((step, index) => {
			const problem = impossible(state, step.do);
			if (problem) {
				context.addIssue({ code: 'custom', path: [index, 'do'], message: problem });
			}
			if (isEnd(step.do)) {
				state = 'over';
			} else if (step.do === 'answer' || step.do === 'voicemail') {
				state = 'answered';
			}
		});
	});

const scriptSchema = z
	.object({
		to: number.optional(),
		from: number.optional(),
		times: z.number().int().min(1).max(100_000).default(1),
		steps: stepsSchema,
	})
	.strict()
	.refine(({ to, from }) => to !== undefined || from !== undefined, {
		path: ['to'],
		message: 'The to field or the from field is required.',
	});

const inboundSchema = z
	.object({
		to: number,
		from: number,
		answer: z.boolean().default(true),
		steps: stepsSchema.optional(),
		payload: anyObject.default({}),
		context: anyObject.default({}),
		isTesting: z.boolean().default(false),
	})
	.strict()
	.refine(({ answer, steps }) => answer || !steps, {
		path: ['steps'],
		message: 'Steps cannot be combined with answer: false.',
	});

/** Scripts for future calls, and inbound calls. */
export const scriptControls: ControlRoute[] = [
	control({ method: 'GET', path: 'script', handle: ({ world }) => world.scripts.map(scriptRecord) }),
	control({
		method: 'POST',
		path: 'script',
		body: scriptSchema,
		handle({ world, body }) {
			const { to = null, from = null, times, steps } = body;
			const script: Script = { id: newId(world, 'script'), to, from, times, steps, created: world.clock.now() };
			world.scripts.push(script);
			world.changes.publish({ type: 'script', id: script.id, times });
			return { success: true, script: scriptRecord(script) };
		},
	}),
	control({
		method: 'DELETE',
		path: 'script',
		handle({ world }) {
			world.scripts = [];
			world.changes.publish({ type: 'script' });
			return { success: true };
		},
	}),
	control({
		method: 'DELETE',
		path: 'script/:id',
		handle({ world, params }) {
			const left = world.scripts.filter(({ id }) => id !== params.id);
			if (left.length === world.scripts.length) {
				throw notFound('Script');
			}
			world.scripts = left;
			world.changes.publish({ type: 'script', id: params.id ?? '', times: 0 });
			return { success: true };
		},
	}),
	control({
		method: 'POST',
		path: 'inbound',
		body: inboundSchema,
		handle({ world, body }) {
			const { to, from, payload, context, isTesting, answer, steps } = body;
			const agent = receiver(world, to);
			const call = placeCall(world, {
				agent,
				to,
				from,
				payload,
				context,
				isTesting,
				direction: 'inbound',
				steps: answer ? steps : [{ after: UNANSWERED_SECONDS, do: 'noAnswer' }],
			});
			return { success: true, call: listedCall(world, call) };
		},
	}),
];

/** How long an inbound call rings if the agent does not pick up, in sandbox seconds. */
const UNANSWERED_SECONDS = 25;

function impossible(state: 'ringing' | 'answered' | 'over', action: CallStep['do']): string | undefined {
	if (state === 'over') {
		return 'The call is over before this step.';
	}
	const inConversation = ['say', 'press', 'useAction'].includes(action);
	if (state === 'ringing') {
		return inConversation ? 'The call is not answered before this step.' : undefined;
	}
	return inConversation || action === 'hangUp' ? undefined : 'The call is already answered before this step.';
}

/** Returns the agent that takes the calls to a number. @throws 404 for an unknown number, 409 without such an agent */
function receiver(world: World, to: string): Agent {
	const number = [...world.phoneNumbers.values()].find((known) => known.number === to);
	if (!number) {
		throw notFound('Phone number');
	}
	if (number.current_status !== 'active') {
		throw flatError(409, `The number is ${number.current_status}.`, { code: 'NUMBER_INACTIVE' });
	}
	const agents = [...world.agents.values()].filter(({ phoneNumberIds }) => phoneNumberIds.includes(number.id));
	const inbound = agents.filter(({ direction }) => direction === 'inbound');
	const published = inbound.find(({ current_status }) => current_status === 'published');
	if (published) {
		return published;
	}
	const [draft] = inbound;
	throw flatError(
		409,
		draft
			? `The agent ${draft.name} is a draft: it takes no calls until it is published.`
			: 'No agent with the direction inbound has this number.',
		{ code: draft ? 'AGENT_INACTIVE' : 'NO_INBOUND_AGENT' },
	);
}

function scriptRecord({ id, to, from, times, steps, created }: Script): Record<string, unknown> {
	return { id, to, from, times, steps, created_at: isoMillis(created) };
}
