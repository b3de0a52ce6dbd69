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
	type CallFacts,
	hasArtifact,
	missingArtifacts,
	settleVoicemail,
	voicemailUntil,
	withOutcome,
} from './callOutcome';
import { ACKNOWLEDGED, type RunningWait, type WaitTarget } from './memory';
import { isListed, readCalls, readDeliveries } from './readCalls';
import { isFinal, maySucceedLater } from './serviceRequests';
import { type AwaitedCall, type CallWaitState, nodeResumeAddress } from './wait';

type RunningCallWait = RunningWait<CallWaitState>;

/** How many copies of an event are sent: a load balancer before n8n decides which process receives each copy. */
const COPIES = 4;

/** How long the processes may take: the sender of the event waits for them as well. */
const COPY_TIMEOUT_MS = 5000;

/** The calls that an execution waits for. Their events arrive as messages of a trigger. */
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
			// The outcome of this item is known already.
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
				// If only the end of a call is unknown, the service lists it.
				return calls.some((call) => lacksArtifact(call, facts)) ? respond(caller, 200, ACKNOWLEDGED) : undefined;
			}
			const isResumed = !memory.receivesAll && hasArtifact(event) && (await sendCopies(wait, message));
			return isResumed ? respond(caller, 200, ACKNOWLEDGED) : undefined;
		},

		isComplete,

		needsPoll: () => !memory.receivesAll || calls.some((call) => isInDoubt(call, facts)),

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
			// The log also has the events that n8n has refused, for example while the node was still placing calls: they
			// may come again too late. A missing artifact is awaited until the time is up.
			const readsArtifacts = timeIsUp || !memory.receivesAll;
			const unknown = () =>
				calls.filter(
					(call) => (readsArtifacts && lacksArtifact(call, facts)) || (settled.has(call) && isInDoubt(call, facts)),
				);
			// Where this process receives every event, the log only adds to what is known.
			const mayLackLog = (error: ServiceError) => memory.receivesAll || mayFail(error);
			await warnIf(mayLackLog, wait, 'about what it has delivered', readEvents(wait, unknown));
			for (const call of settled) {
				settleVoicemail(facts, call);
			}
			return true;
		},

		items: () => resumedItems(wait),
	};
}

const lacksArtifact = (call: AwaitedCall, facts: CallFacts) => missingArtifacts(call, facts).length > 0;

/** Whether an event may still report voicemail for a call that is over. */
const isInDoubt = (call: AwaitedCall, facts: CallFacts) => voicemailUntil(call, facts) !== undefined;

/** Returns for how long, in milliseconds. The time does not grow if the clock is set back. */
const voicemailWaitOf = (call: AwaitedCall, facts: CallFacts) =>
	Math.max(0, Math.min(call.voicemailWaitMs ?? 0, (voicemailUntil(call, facts) ?? 0) - Date.now()));

/** Adds the outcomes of the calls that the service lists as over. @throws ServiceError after adding what was read */
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
 * Adds the events from the logs of webhooks that another process has received, or this process before a restart, or that
 * n8n has refused.
 *
 * @param unknown returns the calls with unknown facts; called again before each page
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
		// After a refusal the log is given up: the service would refuse again.
		if (error !== undefined && maySucceedLater(error)) {
			throw error;
		}
		if (error !== undefined) {
			warn(caller, 'about what it has delivered', error);
		}
	}
}

/** Waits for a request. @param mayFail whether an error is only logged @throws ServiceError */
async function warnIf(
	mayFail: (error: ServiceError) => boolean,
	{ caller }: RunningCallWait,
	what: string,
	request: Promise<void>,
): Promise<void> {
	const result = await toResult(request);
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
 * Sends copies of an event to the other processes of this n8n: in queue mode any of several processes receives an
 * event, and the service does not list its artifact.
 *
 * @returns whether another process has resumed the execution with a copy
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
 * Whether an event belongs to another call, whose context was copied from the awaited call. The service does not
 * publish what the ID in an event identifies; so another ID counts only if it is the ID of an awaited call, or of a
 * call that is listed for the agent or campaign of the awaited call or of the event.
 *
 * @throws ServiceError if the calls could not be read
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

/** Returns the items that were stored with the execution, with the outcomes of their calls. */
function resumedItems({ caller, state, memory }: RunningCallWait): INodeExecutionData[] {
	const outcomes = new Map(state.calls.map((call) => [call.item, awaitedOutcome(call, memory.calls)]));
	// There is one output item for each input item, in the same order: operations that wait skip none.
	return storedInput(caller).map((stored, index) =>
		outcomes.has(index) ? { ...stored, json: withOutcome(stored.json, outcomes.get(index)) } : stored,
	);
}
