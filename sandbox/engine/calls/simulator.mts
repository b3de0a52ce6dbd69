import { sleep } from '../../time/time.mts';
import type { Agent } from '../../world/agent.mts';
import type { Call, CallResult, CallStatus, CampaignCall } from '../../world/call.mts';
import { newId, type World } from '../../world/world.mts';
import { emitStatus } from './callEvents.mts';

/** The statuses of a call after `initiated` for each result, and the sandbox seconds before each. */
const STEPS: Record<CallResult, Array<[status: CallStatus, seconds: number]>> = {
	completed: [
		['ringing', 1],
		['answered', 4],
		['completed', 30],
	],
	voicemail: [
		['ringing', 1],
		['answered', 8],
		['completed', 15],
	],
	busy: [
		['ringing', 1],
		['busy', 2],
	],
	'no-answer': [
		['ringing', 1],
		['no-answer', 25],
	],
	failed: [
		['ringing', 1],
		['failed', 2],
	],
};

/** The result that a number's last four digits select; `completed` for all other numbers. */
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

/** A call to place. */
export interface NewCall {
	agent: Agent;
	to: string;
	isTesting: boolean;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	campaignCall?: CampaignCall;
	/** Sandbox seconds in `initiated` before the call starts. */
	delaySeconds?: number;
	/** Called after each change of status. */
	watch?: (call: Call) => void;
}

/** The agent's first active number, from which it places calls. */
export function callerNumber(world: World, agent: Agent): string | undefined {
	const numbers = agent.phoneNumberIds.map((id) => world.phoneNumbers.get(id));
	return numbers.find((number) => number?.current_status === 'active')?.number;
}

/**
 * Charges one credit for a call; test calls are free.
 * @returns false if there is no credit left
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
	const call: Call = {
		id: newId(),
		sid: `CA${newId().replaceAll('-', '')}`,
		agentId: request.agent.id,
		to: request.to,
		from: callerNumber(world, request.agent) ?? '',
		isTesting: request.isTesting,
		direction: 'outbound',
		status: 'initiated',
		duration: 0,
		payload: request.payload,
		context: request.context,
		campaignCall: request.campaignCall ?? null,
		watch: request.watch,
		created: now,
		updated: now,
	};
	world.calls.set(call.id, call);
	let entered = Date.now();
	const steps = STEPS[resultOfNumber(call.to)];
	const next = (index: number) => {
		const step = steps[index];
		if (!step) {
			return;
		}
		const [status, seconds] = step;
		call.timer = world.clock.after(seconds, async () => {
			const rest = world.options.minimumStatusMs - (Date.now() - entered);
			if (rest > 0) {
				await sleep(rest + 1);
			}
			if (world.ended || !isInProgress(call)) {
				return;
			}
			entered = Date.now();
			if (status === 'completed') {
				call.duration = seconds;
			}
			enter(world, call, status);
			next(index + 1);
		});
	};
	const begin = () => {
		emitStatus(world, call, resultOf(call));
		next(0);
	};
	if (request.delaySeconds) {
		call.timer = world.clock.after(request.delaySeconds, begin);
	} else {
		begin();
	}
	return call;
}

/** Whether a call has not ended. */
export function isInProgress({ status }: Call): boolean {
	return status === 'initiated' || status === 'ringing' || status === 'answered';
}

/** Hangs up a call in progress: it becomes `completed`, with a duration of at least 1 s if it was answered. */
export function hangUp(world: World, call: Call): void {
	call.timer?.cancel();
	if (call.answered !== undefined) {
		call.duration = Math.max(1, Math.round((world.clock.now() - call.answered) / 1000));
	}
	enter(world, call, 'completed');
}

/** How a call ends: by its number, unless it was hung up before. */
export function resultOf(call: Call): CallResult {
	const outcome = resultOfNumber(call.to);
	if (call.status !== 'completed' || (outcome === 'voicemail' && call.answered !== undefined)) {
		return outcome;
	}
	return 'completed';
}

function enter(world: World, call: Call, status: CallStatus): void {
	call.status = status;
	call.updated = world.clock.now();
	if (status === 'answered') {
		call.answered = call.updated;
	}
	emitStatus(world, call, resultOf(call));
	call.watch?.(call);
}
