import { TIMER } from '../../time/clock.mts';
import { sleep } from '../../time/time.mts';
import type { Agent } from '../../world/agent.mts';
import {
	type Call,
	type CallResult,
	type CallSide,
	type CallStatus,
	type CallStep,
	type CampaignCall,
	type StepAction,
	WATCH,
} from '../../world/call.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { useInScript } from './actions.mts';
import { emitStatus } from './callEvents.mts';
import { openConversation, say } from './conversation.mts';
import { courseOf } from './courses.mts';

/** The most calls that a world keeps. Calls in progress are never dropped. */
const KEPT_CALLS = 100_000;

/** A call to place. */
interface NewCall {
	agent: Agent;
	to: string;
	/** The calling number. Default: the agent's first active number. */
	from?: string;
	direction?: 'inbound' | 'outbound';
	isTesting: boolean;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	campaignCall?: CampaignCall;
	/** Sandbox seconds in `initiated` before the call starts. */
	delaySeconds?: number;
	/** The steps after ringing. They replace the script, the mode and the number's result. */
	steps?: CallStep[] | undefined;
	/** Called after each change of status. */
	watch?: (call: Call) => void;
}

/** Returns the agent's first active number, from which it places calls. */
export function callerNumber(world: World, agent: Agent): string | undefined {
	const numbers = agent.phoneNumberIds.map((id) => world.phoneNumbers.get(id));
	return numbers.find((number) => number?.current_status === 'active')?.number;
}

/**
 * Charges one credit for a call. Test calls are free.
 * @returns false if no credit is left
 */
export function pay(world: World, isTesting: boolean): boolean {
	if (isTesting) {
		return true;
	}
	if (world.credits < 1) {
		return false;
	}
	world.credits -= 1;
	return true;
}

/** Places a call and schedules its course. It stays in each status for at least `minimumStatusMs` of real time. */
export function placeCall(world: World, request: NewCall): Call {
	const now = world.clock.now();
	const { agent, to, direction = 'outbound', from = callerNumber(world, agent) ?? '' } = request;
	const call: Call = {
		id: newId(world, 'call'),
		sid: `CA${newId(world, 'sid').replaceAll('-', '')}`,
		agentId: agent.id,
		to,
		from,
		isTesting: request.isTesting,
		direction,
		status: 'initiated',
		history: [{ status: 'initiated', at: now }],
		duration: 0,
		payload: request.payload,
		context: request.context,
		campaignCall: request.campaignCall ?? null,
		course: courseOf(world, { agent, to, from, direction }, request.delaySeconds ?? 0, request.steps),
		machine: false,
		endedBy: null,
		transcript: [],
		actionUses: [],
		events: [],
		[WATCH]: request.watch,
		entered: Date.now(),
		created: now,
		updated: now,
	};
	world.calls.set(call.id, call);
	dropOldest(world);
	announce(world, call);
	if (request.delaySeconds) {
		follow(world, call);
	} else {
		const [start] = call.course.steps.splice(0, 1);
		perform(world, call, start!);
		follow(world, call);
	}
	return call;
}

/** Drops the oldest finished call if there are too many calls. */
function dropOldest(world: World): void {
	if (world.calls.size <= KEPT_CALLS) {
		return;
	}
	for (const call of world.calls.values()) {
		if (!isInProgress(call)) {
			world.calls.delete(call.id);
			world.droppedCalls += 1;
			return;
		}
	}
}

/** Schedules the next step of a call's course. Also used after its world was loaded. */
export function follow(world: World, call: Call): void {
	const { course } = call;
	const [step] = course.steps;
	if (!step || !isInProgress(call)) {
		course.due = null;
		return;
	}
	course.due ??= world.clock.now() + step.after * 1000;
	call[TIMER] = world.clock.at(course.due, async () => {
		if (changesStatus(step)) {
			await stay(world, call);
		}
		if (world.ended || !isInProgress(call) || call.course !== course) {
			return;
		}
		course.steps.shift();
		course.due = null;
		course.talked += call.answered === undefined ? 0 : step.after;
		if (step.do === 'hangUp') {
			call.duration = call.answered === undefined ? 0 : Math.max(1, Math.round(course.talked));
		}
		if (step.do === 'useAction') {
			await useInScript(world, call, step.action, step.arguments);
		} else {
			perform(world, call, step);
		}
		if (call.course === course) {
			follow(world, call);
		}
	});
}

/** Replaces the remaining steps of a call. */
export function redirect(world: World, call: Call, steps: CallStep[]): void {
	call[TIMER]?.cancel();
	call.course = { kind: 'manual', steps, due: null, talked: 0 };
	follow(world, call);
}

/** Waits until a call has kept its status for the minimum real time. */
export async function stay({ options }: World, { entered = 0 }: Call): Promise<void> {
	// The upper bound matters if the machine's clock was set back in the meantime.
	const rest = Math.min(entered + options.minimumStatusMs - Date.now(), options.minimumStatusMs);
	if (rest > 0) {
		await sleep(rest + 1);
	}
}

function changesStatus(step: CallStep): boolean {
	return !['start', 'say', 'press', 'useAction'].includes(step.do);
}

/** Performs one step of a call. Actions are used by `useInScript`. */
export function perform(world: World, call: Call, step: StepAction): void {
	switch (step.do) {
		case 'start':
			return emitStatus(world, call, resultOf(call));
		case 'ring':
			return enter(world, call, 'ringing');
		case 'answer':
		case 'voicemail':
			call.machine = step.do === 'voicemail';
			return enter(world, call, 'answered');
		case 'decline':
		case 'busy':
			return enter(world, call, 'busy');
		case 'noAnswer':
			return enter(world, call, 'no-answer');
		case 'fail':
			return enter(world, call, 'failed');
		case 'hangUp':
			call.endedBy = step.by;
			return enter(world, call, 'completed');
		case 'say':
			return say(world, call, step.by, step.text);
		case 'press':
			return say(world, call, 'person', `[pressed ${step.keys}]`);
	}
}

/** Whether a call has not ended. */
export function isInProgress({ status }: Call): boolean {
	return status === 'initiated' || status === 'ringing' || status === 'answered';
}

/** The calls in progress, oldest first. */
export function activeCalls(world: World): Call[] {
	return [...world.calls.values()].filter(isInProgress);
}

/** Ends a call in progress: it becomes `completed`, with a duration of at least 1 s if it was answered. */
export function hangUp(world: World, call: Call, by: CallSide | 'api'): void {
	call[TIMER]?.cancel();
	call.course.steps = [];
	call.course.due = null;
	if (call.answered !== undefined) {
		call.duration = Math.max(1, Math.round((world.clock.now() - call.answered) / 1000));
	}
	call.endedBy = by;
	enter(world, call, 'completed');
}

/** Returns the result of a call. For a call in progress, it is the result that is known so far. */
export function resultOf({ status, machine }: Call): CallResult {
	if (status === 'busy' || status === 'no-answer' || status === 'failed') {
		return status;
	}
	return machine ? 'voicemail' : 'completed';
}

function enter(world: World, call: Call, status: CallStatus): void {
	call.status = status;
	call.updated = world.clock.now();
	call.entered = Date.now();
	call.history.push({ status, at: call.updated });
	if (status === 'answered') {
		call.answered = call.updated;
		openConversation(world, call);
	}
	emitStatus(world, call, resultOf(call));
	call[WATCH]?.(call);
	announce(world, call);
}

function announce(world: World, call: Call): void {
	const { id, status, to, from, direction, agentId: agent_id } = call;
	const campaign_id = call.campaignCall?.campaignId ?? null;
	world.changes.publish({ type: 'call', id, status, to, from, direction, agent_id, campaign_id });
}
