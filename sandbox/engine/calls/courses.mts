import type { Agent } from '../../world/agent.mts';
import type { CallResult, CallStep, Course, Script } from '../../world/call.mts';
import type { World } from '../../world/world.mts';

/** Sandbox seconds before the phone rings. */
const BEFORE_RINGING = 1;
/** How long the agent speaks to a machine, in sandbox seconds. */
const MESSAGE_SECONDS = 15;
/** A person has at least this many real seconds to answer, unless the phone is set to ring for a shorter time. */
const TIME_TO_ANSWER = 30;
/** The longest call of an agent without its own limit, in sandbox seconds. */
const LONGEST_CALL = 3600;

/** The steps after ringing, by the result of the call. */
const AFTER_RINGING: Record<CallResult, CallStep[]> = {
	completed: [
		{ after: 4, do: 'answer' },
		{ after: 5, do: 'say', by: 'person', text: 'Yes, I do.' },
		{ after: 25, do: 'hangUp', by: 'person' },
	],
	voicemail: [
		{ after: 8, do: 'voicemail' },
		{ after: MESSAGE_SECONDS, do: 'hangUp', by: 'agent' },
	],
	busy: [{ after: 2, do: 'busy' }],
	'no-answer': [{ after: 25, do: 'noAnswer' }],
	failed: [{ after: 2, do: 'fail' }],
};

/** Returns the result that a number's last four digits select: `completed` for all other digits. */
function resultOfNumber(to: string): CallResult {
	switch (to.slice(-4)) {
		case '0002':
			return 'busy';
		case '0003':
			return 'no-answer';
		case '0004':
			return 'failed';
		case '0005':
			return 'voicemail';
		default:
			return 'completed';
	}
}

/** The numbers and the agent of a call that is about to be placed. */
interface Line {
	agent: Agent;
	to: string;
	from: string;
	direction: 'inbound' | 'outbound';
}

/**
 * Plans the course of a new call. The oldest script for its numbers applies first and loses one use. Otherwise the
 * sandbox's mode decides: people act, or the called number selects the result. Agents pick up inbound calls.
 * @param delaySeconds sandbox seconds before the call starts
 * @param given steps after ringing that replace the script and the mode
 */
export function courseOf(world: World, line: Line, delaySeconds: number, given?: CallStep[]): Course {
	const scripted = given ?? takeScript(world, line)?.steps;
	const manual = world.mode.calls === 'manual';
	const kind = scripted ? 'scripted' : manual ? 'manual' : 'automatic';
	const steps = scripted ? [...scripted, ...ending(world, line, scripted)] : unscripted(world, line, manual);
	return {
		kind,
		steps: [{ after: delaySeconds, do: 'start' }, { after: BEFORE_RINGING, do: 'ring' }, ...steps],
		due: null,
		talked: 0,
	};
}

function unscripted(world: World, { agent, to, direction }: Line, manual: boolean): CallStep[] {
	if (direction === 'inbound') {
		return manual ? [{ after: 1, do: 'answer' }, ...stepsAfter('answer', agent)] : AFTER_PICKUP;
	}
	return manual ? [{ after: untilNobodyAnswers(world), do: 'noAnswer' }] : AFTER_RINGING[resultOfNumber(to)];
}

/** Returns how long a phone rings for a person, in sandbox seconds. A fast clock still leaves time to answer. */
export function untilNobodyAnswers({ mode: { ringSeconds }, clock: { speed } }: World): number {
	return Math.max(ringSeconds, Math.min(ringSeconds, TIME_TO_ANSWER) * speed);
}

/** The steps of a caller in an inbound call. */
const AFTER_PICKUP: CallStep[] = [
	{ after: 1, do: 'answer' },
	{ after: 5, do: 'say', by: 'person', text: 'Hello, I have a question.' },
	{ after: 25, do: 'hangUp', by: 'person' },
];

/** Returns the steps after a pickup: the agent leaves a message on voicemail, or talks until its time limit. */
export function stepsAfter(action: 'answer' | 'voicemail', agent: Agent | undefined): CallStep[] {
	if (action === 'voicemail') {
		return [{ after: MESSAGE_SECONDS, do: 'hangUp', by: 'agent' }];
	}
	const limit = Number(agent?.unshown.max_call_duration_seconds ?? LONGEST_CALL);
	return [{ after: limit, do: 'hangUp', by: 'agent' }];
}

/** Returns the steps that end a scripted call whose script does not end it. */
function ending(world: World, { agent }: Line, steps: CallStep[]): CallStep[] {
	if (steps.some((step) => isEnd(step.do))) {
		return [];
	}
	const taken = steps.find((step) => step.do === 'answer' || step.do === 'voicemail');
	if (!taken) {
		return [{ after: world.mode.ringSeconds, do: 'noAnswer' }];
	}
	return stepsAfter(taken.do as 'answer' | 'voicemail', agent);
}

/** Whether a step ends the call. */
export function isEnd(action: CallStep['do']): boolean {
	return ['decline', 'busy', 'noAnswer', 'fail', 'hangUp'].includes(action);
}

function takeScript(world: World, { to, from }: Line): Script | undefined {
	const script = world.scripts.find(
		(known) => (known.to === null || known.to === to) && (known.from === null || known.from === from),
	);
	if (!script) {
		return undefined;
	}
	script.times -= 1;
	if (script.times === 0) {
		world.scripts.splice(world.scripts.indexOf(script), 1);
	}
	world.changes.publish({ type: 'script', id: script.id, times: script.times });
	return script;
}
