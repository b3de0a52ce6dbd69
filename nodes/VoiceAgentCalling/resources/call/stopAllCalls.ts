import { type IDataObject, sleep } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { concurrently } from '../../../shared/client/concurrently';
import { incompleteList, readListing } from '../../../shared/client/pagination';
import { statusWord } from '../../../shared/client/statuses';
import type { ErrorCode } from '../../../shared/errors/catalog';
import { type ServiceError, sentences, toResult, unreadable } from '../../../shared/errors/serviceError';
import { isBlank, isRecord } from '../../../shared/lib/json';
import { quantity } from '../../../shared/lib/text';
import { defineOperation } from '../../operation/defineOperation';
import { changeStatus } from '../campaign/setStatus';
import { end } from './end';

/** How often the node reads what is active. It stops what it finds, except in the last round. */
const ROUNDS = 10;

/** The pause between two rounds, because the service hangs up some time after its response. */
const PAUSE_MS = 1000;

/** How many objects are stopped at a time at most. The pace of the run can reduce it. */
const AT_A_TIME = 20;

/** A kind of object that can be stopped. */
interface Kind {
	kind: 'campaign' | 'call';
	/** The listing, and the statuses of active objects, in the order in which a call gets them. */
	path: string;
	statuses: readonly string[];
	/** The statuses of inactive objects. Objects with an unknown status, such as of a newer service, are stopped. */
	over: readonly string[];
	/** The result of a stopped object. */
	stopped: 'paused' | 'ended';
	/** Returns the fields of the output about an object. */
	describe(found: IDataObject): IDataObject;
	stop(api: Api, id: string, agentId: unknown): Promise<unknown>;
}

/** The message about objects that are active although no request has failed. */
const STILL_ACTIVE = {
	message: 'Still active after the last round',
	advice: 'Stop whatever keeps starting it, such as a workflow, then run this again.',
};

const kinds: readonly Kind[] = [
	// Campaigns come first, so that they do not place other calls.
	{
		kind: 'campaign',
		path: 'campaigns',
		statuses: ['active'],
		over: ['draft', 'paused', 'completed', 'cancelled'],
		stopped: 'paused',
		describe: ({ name }) => ({ name: name ?? '', number: '', direction: '' }),
		stop: (api, campaignId) => changeStatus(api, { campaignId, status: 'paused' }),
	},
	{
		kind: 'call',
		path: 'calls',
		statuses: ['initiated', 'ringing', 'answered'],
		over: ['completed', 'failed', 'busy', 'no-answer', 'cancelled'],
		stopped: 'ended',
		describe: ({ direction, from, to }) => ({
			name: '',
			number: (direction === 'inbound' ? from : to) ?? '',
			direction: direction ?? '',
		}),
		stop: async (api, callId, agentId) => {
			if (isBlank(agentId)) {
				throw unreadable('the call is without its agent, which is needed to end it');
			}
			return await end.run(api, { agentId: String(agentId), callId }, {});
		},
	},
];

/** A campaign or call that was found active. */
interface Found {
	facts: IDataObject;
	/** Whether the service has stopped it. */
	isStopped: boolean;
	/** Why the service has not stopped it. */
	error?: ServiceError;
}

/** The objects of one kind. */
interface State {
	kind: Kind;
	/** All objects that were active in any round, by ID. */
	seen: Map<unknown, Found>;
	/** The IDs of the active objects in the last round. */
	active: Set<unknown>;
	/** The first error of the listings in the last round, after which other active objects may exist. */
	error?: ServiceError;
}

/**
 * Awaits one of many requests: its error must not keep the others from being stopped.
 *
 * @throws ServiceError if canceled
 */
async function resultUnlessCanceled<Value>(request: Promise<Value>) {
	const result = await toResult(request);
	if (result.error?.code === 'CANCELED') {
		throw result.error;
	}
	return result;
}

/** Reads the active objects. A listing that fails does not keep the others from being used. */
async function readActive(api: Api, state: State): Promise<void> {
	const { kind, seen } = state;
	state.active = new Set();
	state.error = undefined;
	for (const status of kind.statuses) {
		const listing = { method: 'GET', path: [kind.path], query: { status } } as const;
		const { value, error } = await resultUnlessCanceled(
			readListing(api.request, listing, {
				items: ({ data }) => data,
				limit: Number.POSITIVE_INFINITY,
				keep: (item) => !kind.over.includes(statusWord(item.status)),
			}),
		);
		for (const item of value?.items ?? []) {
			state.active.add(item.id);
			seen.set(item.id, seen.get(item.id) ?? { facts: factsOf(kind, item), isStopped: false });
		}
		const cutOff = value?.cutOff && incompleteList(`The service shows only a part of the active ${kind.kind}s`);
		state.error ??= error ?? (cutOff || undefined);
	}
}

/** Returns the fields of the output about an active object. */
function factsOf({ kind, describe }: Kind, item: IDataObject): IDataObject {
	const agent = isRecord(item.agent) ? (item.agent as IDataObject) : {};
	const agentId = isBlank(agent.id) ? item.agent_id : agent.id;
	return { kind, ...describe(item), agent: agent.name ?? '', agentId: agentId ?? '', id: item.id ?? '' };
}

/** Stops all objects that the last round has found. */
async function stopActive(api: Api, { kind, seen, active }: State): Promise<void> {
	const waiting = [...active].map((id) => seen.get(id) as Found).filter(mayBeStopped);
	await concurrently({ limit: AT_A_TIME }, () => {
		const next = waiting.shift();
		return next && stopOne(api, kind, next);
	});
}

/** Whether to try to stop an object: not if the token lacks the permission. */
const mayBeStopped = ({ error }: Found) => error?.httpStatus !== 403;

async function stopOne(api: Api, { stop }: Kind, found: Found): Promise<void> {
	const { id, agentId } = found.facts;
	const { error } = await resultUnlessCanceled(
		isBlank(id) ? Promise.reject(unreadable('without an ID')) : stop(api, String(id), agentId),
	);
	// The service may list a call for a while after ending it.
	found.isStopped ||= error === undefined;
	found.error = error;
}

/** Returns the output of one kind: an item for each active object, and an error item if others may exist. */
function outputOf({ kind, seen, active, error }: State): IDataObject[] {
	const unread = error ? [outputItem({ kind: kind.kind }, 'failed', error.code, error)] : [];
	const isActive = (id: unknown) => active.has(id) || (error ? undefined : false);
	return [...unread, ...[...seen].map(([id, found]) => resultOf(kind, found, isActive(id)))];
}

/**
 * Returns the output item of an object.
 *
 * @param isActive whether it was active in the last round; undefined if unknown
 */
function resultOf({ stopped }: Kind, { facts, isStopped, error }: Found, isActive: boolean | undefined): IDataObject {
	// The service may have stopped it although the response was lost.
	if ((isStopped || error?.accepted === 'unknown') && !isActive) {
		return outputItem(facts, stopped);
	}
	if (isStopped || error === undefined) {
		return outputItem(facts, 'failed', 'STILL_ACTIVE', STILL_ACTIVE);
	}
	const isOver = isActive === false || (isActive === undefined && [404, 409, 410].includes(error.httpStatus ?? 0));
	return outputItem(facts, isOver ? 'alreadyOver' : 'failed', error.code, error);
}

/** Makes an output item, with the most important fields first. */
function outputItem(
	{ kind, name = '', number = '', agent = '', ...more }: IDataObject,
	result: string,
	code: ErrorCode | '' = '',
	{ message, advice }: Pick<ServiceError, 'message' | 'advice'> = { message: '', advice: '' },
): IDataObject {
	const text = message && sentences(message);
	return { result, kind, name, number, agent, message: text, ...more, code, advice };
}

export const stopAllCalls = defineOperation({
	name: 'Stop All Calls',
	value: 'stopAllCalls',
	action: 'Stop all calls',
	description: 'Pause every active campaign and end every call in progress, incoming ones too. Workflows continue.',
	notice:
		'<b>Execute step</b> also runs the nodes before this one, and they may call. Put this node behind a Manual Trigger in a workflow of its own.',
	oncePerRun: true,
	// Pausing or ending twice has the same result.
	repeat: 'safe',
	async run(api) {
		const states = kinds.map((kind): State => ({ kind, seen: new Map(), active: new Set() }));
		for (let round = 1; ; round++) {
			for (const state of states) {
				await readActive(api, state);
				if (round < ROUNDS) {
					await stopActive(api, state);
				}
			}
			const [{ error: first }] = states;
			if (first && states.every(({ error, seen }) => error && seen.size === 0)) {
				throw first;
			}
			const isDone = ({ error, seen, active }: State) =>
				!error && ![...active].some((id) => mayBeStopped(seen.get(id) as Found));
			// A second round is needed even if nothing was found, because the service lists a call shortly after it has
			// begun.
			if (round === ROUNDS || (round > 1 && states.every(isDone))) {
				break;
			}
			await sleep(PAUSE_MS);
		}
		const output = states.flatMap(outputOf);
		const failures = output.filter(({ result }) => result === 'failed');
		if (failures.length > 0) {
			api.note(`Not everything is stopped: ${failures.length} of ${output.length} failed. They come first.`);
		} else if (output.length === 0) {
			api.note('There was nothing to stop: no campaign is active, and no call in progress.');
		} else {
			const count = (wanted: string) => output.filter(({ result }) => result === wanted).length;
			const ended = count('ended');
			const aboutEnded = ended > 0 ? ' Ended calls are over for good and count as completed.' : '';
			api.note(
				`${quantity(count('paused'), 'campaign')} paused, ${quantity(ended, 'call')} ended.${aboutEnded} Workflows and their executions go on calling: unpublish them, stop the executions, then run this again. Queued calls wait until a campaign is set to Active again.`,
			);
		}
		return [...failures, ...output.filter(({ result }) => result !== 'failed')];
	},
	forTools: false,
});
