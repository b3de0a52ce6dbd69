import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isGone, type ServiceError, toResult, unwrap } from '../../shared/errors/serviceError';
import { envelopesOf, readEvent, type ServiceEvent, valuesIn } from '../../shared/events/event';
import { isRecord } from '../../shared/lib/json';
import { storedInput } from '../../shared/n8nInternals';
import { sendMessage } from '../../shared/triggerClient/messages';
import { respond } from '../../shared/webhookResponse';
import { CALLER_IDS } from '../operation/call';
import {
	addEvent,
	addOutcome,
	awaitedOutcome,
	bringsArtifact,
	type CallFacts,
	missingArtifacts,
	settleVoicemail,
	voicemailUntil,
} from './callFacts';
import { withOutcome } from './callOutcome';
import { readDeliveries } from './deliveryLogs';
import { isFinal, mayAnswerLater } from './lastLook';
import { isListed, readCalls } from './readCalls';
import { type AwaitedCall, type CallWaitState, nodeResumeAddress } from './state';
import { ACKNOWLEDGED, type RunningWait, type WaitTarget } from './target';

type RunningCallWait = RunningWait<CallWaitState>;

/** How many copies of an event are sent: n8n's load balancer decides which process receives each of them. */
const COPIES = 4;

/** How long the processes may take: the sender of the event waits for them, too. */
const COPY_TIMEOUT_MS = 5000;

/** The calls that an execution waits for. Their events come as messages of a trigger. */
export function callTarget(wait: RunningCallWait): WaitTarget {
	const { caller, state, memory } = wait;
	const { calls, callerIdField } = state;
	const facts = memory.calls;
	const withoutEnd = () => calls.filter(({ item }) => !facts.outcomes.has(item));
	const isComplete = () =>
		withoutEnd().length === 0 && !calls.some((call) => lacksArtifact(call, facts) || isInDoubt(call, facts));
	return {
		async take(message) {
			if (message === undefined) {
				return respond(caller, 401, 'Unauthorized');
			}
			const awaited = calls.find(({ item }) => item === message.item);
			if (memory.resumed) {
				return undefined;
			}
			// The outcome of its item is given already, such as one that is unknown.
			if (awaited === undefined || !isRecord(message.event)) {
				return respond(caller, 409, 'This call is not awaited');
			}
			const event = readEvent(message.event as IDataObject, message.type);
			if (await isOfAnotherCall(wait, awaited, event)) {
				return respond(caller, 409, 'Another call is awaited');
			}
			addEvent(facts, callerIdField, awaited.item, event);
			if (isComplete()) {
				return undefined;
			}
			if (message.isCopy === true) {
				// Where only the end is not known, the service lists it.
				return calls.some((call) => lacksArtifact(call, facts)) ? respond(caller, 200, ACKNOWLEDGED) : undefined;
			}
			const isResumed = !memory.receivesAll && bringsArtifact(event) && (await sendCopies(wait, message));
			return isResumed ? respond(caller, 200, ACKNOWLEDGED) : undefined;
		},

		isComplete,

		needsLook: () => !memory.receivesAll || calls.some((call) => isInDoubt(call, facts)),

		lateEventsMs() {
			const inDoubt = withoutEnd().length > 0 ? [] : calls.filter((call) => isInDoubt(call, facts));
			// Spreading the calls into Math.max would fail at about 130,000 of them.
			return inDoubt.length === 0
				? undefined
				: inDoubt.reduce((longest, call) => Math.max(longest, voicemailWaitOf(call, facts)), 0);
		},

		async poll(timeIsUp, isLastTime = timeIsUp) {
			const mayFail = (error: ServiceError) => isLastTime || (timeIsUp && isFinal(error));
			if (timeIsUp || !memory.receivesAll) {
				const extent = { onlyIfAllAreOver: !timeIsUp, goesOnAfterErrors: isLastTime };
				await warnIf(mayFail, wait, 'about its calls', readOutcomes(wait, withoutEnd(), extent));
			}
			if (!timeIsUp && withoutEnd().length > 0) {
				return true;
			}
			const settled = new Set(
				calls.filter((call) => isInDoubt(call, facts) && (timeIsUp || voicemailWaitOf(call, facts) === 0)),
			);
			if (!memory.receivesAll) {
				const unknown = () =>
					calls.filter((call) => lacksArtifact(call, facts) || (settled.has(call) && isInDoubt(call, facts)));
				await warnIf(mayFail, wait, 'about what it has delivered', readEvents(wait, unknown));
			}
			for (const call of settled) {
				settleVoicemail(facts, call);
			}
			return true;
		},

		items: () => resumedItems(wait),
	};
}

const lacksArtifact = (call: AwaitedCall, facts: CallFacts) => missingArtifacts(call, facts).length > 0;

/** Whether an event may still say that voicemail answered a call that is over. */
const isInDoubt = (call: AwaitedCall, facts: CallFacts) => voicemailUntil(call, facts) !== undefined;

/** For how long, in milliseconds. A clock that is set back makes it no longer. */
const voicemailWaitOf = (call: AwaitedCall, facts: CallFacts) =>
	Math.max(0, Math.min(call.voicemailWaitMs ?? 0, (voicemailUntil(call, facts) ?? 0) - Date.now()));

/** Adds the outcomes of those calls that the service lists as over. @throws ServiceError after it has added what was read */
async function readOutcomes(
	{ state, memory, sendRequest }: RunningCallWait,
	calls: readonly AwaitedCall[],
	extent: Parameters<typeof readCalls>[4],
): Promise<void> {
	const { outcomes, error } = await readCalls(sendRequest, state.callerIdField, calls, state.since, extent);
	for (const [item, outcome] of outcomes) {
		addOutcome(memory.calls, item, outcome);
	}
	if (error !== undefined) {
		throw error;
	}
}

/**
 * Adds what the logs of webhooks show of events that another process has received, or this one before a restart.
 *
 * @param unknown the calls of which something is not known; read again after each page
 * @throws ServiceError
 */
async function readEvents(
	{ caller, state, memory, sendRequest }: RunningCallWait,
	unknown: () => AwaitedCall[],
): Promise<void> {
	const { callerIdField, since } = state;
	const calls = unknown();
	const owners = new Map(calls.flatMap(({ owner, webhook }) => (webhook === undefined ? [] : [[webhook, owner]])));
	for (const [webhook, owner] of owners) {
		const isDone = () => !unknown().some((call) => call.webhook === webhook);
		const ofWebhook = { calls: calls.filter((call) => call.webhook === webhook), since };
		const onEvent = ({ item }: AwaitedCall, event: ServiceEvent) =>
			addEvent(memory.calls, callerIdField, item, event, true);
		const read = readDeliveries(sendRequest, callerIdField, { owner, webhook }, ofWebhook, { isDone, onEvent });
		const { error } = await toResult(read);
		// A refusal counts as an answer: the service would refuse again.
		if (error !== undefined && mayAnswerLater(error)) {
			throw error;
		}
		if (error !== undefined) {
			warn(caller, 'about what it has delivered', error);
		}
	}
}

/** Waits for a question. @param mayFail whether an error is only logged @throws ServiceError */
async function warnIf(
	mayFail: (error: ServiceError) => boolean,
	{ caller }: RunningCallWait,
	what: string,
	asked: Promise<void>,
): Promise<void> {
	const result = await toResult(asked);
	if (result.error !== undefined && mayFail(result.error)) {
		warn(caller, what, result.error);
	} else {
		unwrap(result);
	}
}

function warn(caller: RunningCallWait['caller'], what: string, { message }: ServiceError): void {
	caller.logger.warn(`"${caller.getNode().name}" could not ask the service ${what}: ${message}`);
}

/**
 * Sends an event to other processes of this n8n: in queue mode each event reaches any of several, and the service does not
 * list what it brings.
 *
 * @returns whether another process has resumed the execution with it
 */
async function sendCopies({ caller, keys }: RunningCallWait, message: IDataObject): Promise<boolean> {
	const url = nodeResumeAddress(caller);
	const copies = Array.from({ length: COPIES }, async () => {
		const { value: reply } = await toResult(
			sendMessage(caller.helpers, keys.messages, url, { ...message, isCopy: true }, COPY_TIMEOUT_MS),
		);
		return reply?.proven === true && reply.status < 300 && reply.body !== ACKNOWLEDGED;
	});
	return (await Promise.all(copies)).includes(true);
}

/**
 * Whether an event belongs to another call, whose context was copied from the awaited one. What the ID in an event
 * identifies is not published; so another ID counts only if a call has it that is awaited, or listed for the agent or
 * campaign of the awaited call or of the event.
 *
 * @throws ServiceError if the service could not be asked
 */
async function isOfAnotherCall(
	{ state, sendRequest }: RunningCallWait,
	awaited: AwaitedCall,
	{ callId: id, body }: ServiceEvent,
): Promise<boolean> {
	const { calls, callerIdField, since } = state;
	if (id === undefined || id === awaited.id) {
		return false;
	}
	if (calls.some((call) => call.id === id)) {
		return true;
	}
	const owners = [awaited.owner, ...valuesIn(envelopesOf(body), CALLER_IDS[callerIdField], callerIdField)];
	for (const owner of new Set(owners.filter((one) => typeof one === 'string'))) {
		const { value, error } = await toResult(isListed(sendRequest, callerIdField, { owner, id }, since));
		if (value === true) {
			return true;
		}
		if (error !== undefined && !isGone(error)) {
			throw error;
		}
	}
	return false;
}

/** The node's items with the placed calls, as they were stored with the execution, and what became of the calls. */
function resumedItems({ caller, state, memory }: RunningCallWait): INodeExecutionData[] {
	const outcomes = new Map(state.calls.map((call) => [call.item, awaitedOutcome(call, memory.calls)]));
	// One output item for each input item, in their order: operations that wait leave none out.
	return storedInput(caller).map((stored, index) => {
		const { result, sameNumberAsItem } = stored.json;
		const item = result === 'sameNumber' ? Number(sameNumberAsItem) : index;
		return outcomes.has(item) ? { ...stored, json: withOutcome(stored.json, outcomes.get(item)) } : stored;
	});
}
