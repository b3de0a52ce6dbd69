import { z } from 'zod';

import { stepsAfter } from '../engine/calls/courses.mts';
import { hangUp, isInProgress, perform, redirect, stay } from '../engine/calls/simulator.mts';
import { flatError } from '../http/httpErrors.mts';
import { TIMER } from '../time/clock.mts';
import type { Call } from '../world/call.mts';
import type { World } from '../world/world.mts';

const ACTS = ['answer', 'decline', 'busy', 'noAnswer', 'fail', 'voicemail', 'hangUp', 'say', 'press'] as const;
type Act = (typeof ACTS)[number];

/** Keys of a phone. */
export const phoneKeys = z.string().regex(/^[0-9*#A-D]{1,32}$/);
/** A spoken text. */
export const spokenText = z.string().min(1).max(2000);
/** The side that speaks or hangs up. */
export const callSide = z.enum(['person', 'agent']);

/** Body of `POST /_sandbox/calls/<id>/act`. */
export const actSchema = z
	.object({
		action: z.enum(ACTS),
		by: callSide.default('person'),
		text: spokenText.optional(),
		keys: phoneKeys.optional(),
	})
	.strict()
	.superRefine(({ action, text, keys }, context) => {
		if (action === 'say' && text === undefined) {
			context.addIssue({ code: 'custom', path: ['text'], message: 'The text field is required.' });
		}
		if (action === 'press' && keys === undefined) {
			context.addIssue({ code: 'custom', path: ['keys'], message: 'The keys field is required.' });
		}
	});

const IN_CONVERSATION: Act[] = ['hangUp', 'say', 'press'];
const WHILE_RINGING: Act[] = ['answer', 'decline', 'busy', 'noAnswer', 'fail', 'voicemail', 'hangUp'];

/** Returns the actions that are possible in a call now. */
export function possibleActs(call: Call): Act[] {
	switch (call.status) {
		case 'initiated':
			return ['hangUp'];
		case 'ringing':
			return call.direction === 'inbound' ? WHILE_RINGING.filter((act) => act !== 'voicemail') : WHILE_RINGING;
		case 'answered':
			return IN_CONVERSATION;
		default:
			return [];
	}
}

/**
 * Performs a person's action in a call. It replaces the remaining steps of the call, except if it only says or presses
 * something. Before a change, the call keeps its status for the minimum time.
 * @throws 409 if the action is impossible in the call's status
 */
export async function act(world: World, call: Call, given: z.output<typeof actSchema>): Promise<void> {
	const { action, by } = given;
	check(call, action);
	if (action === 'say') {
		return perform(world, call, { do: 'say', by, text: given.text ?? '' });
	}
	if (action === 'press') {
		return perform(world, call, { do: 'press', keys: given.keys ?? '' });
	}
	await stay(world, call);
	check(call, action);
	if (action === 'hangUp') {
		return hangUp(world, call, by);
	}
	call[TIMER]?.cancel();
	if (action === 'answer' || action === 'voicemail') {
		redirect(world, call, stepsAfter(action, world.agents.get(call.agentId)));
		perform(world, call, { do: action });
		return;
	}
	redirect(world, call, []);
	perform(world, call, { do: action });
}

function check(call: Call, action: Act): void {
	const possible = possibleActs(call);
	if (possible.includes(action)) {
		return;
	}
	const now = isInProgress(call) ? `The call has the status ${call.status}` : `The call is over (${call.status})`;
	const instead = possible.length > 0 ? ` Possible now: ${possible.join(', ')}.` : '';
	throw flatError(409, `${now}: "${action}" is not possible.${instead}`, { code: 'IMPOSSIBLE_ACTION' });
}
