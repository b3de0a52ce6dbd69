import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { NOT_TRIED, OUTCOME_UNKNOWN } from '../../shared/client/itemErrors';
import type { ServiceError } from '../../shared/errors/serviceError';
import type { Withheld } from '../../shared/errors/withheld';
import type { Call } from './call';

/** What an operation returns for one input item: one output item, several, or none. */
export type Output = IDataObject | IDataObject[];

/** The checked values of one input item. */
export interface ItemInput {
	/** The values to send, by the service's names. */
	values: Record<string, unknown>;
	/** The values of the local fields. */
	local: Record<string, unknown>;
	/** The call that the item requests; undefined if the item does not place a call. */
	call: Call | undefined;
	/** How many calls a tool may place; undefined if the node is not a tool. */
	toolLimits: { maxCalls: number; maxCallsPerHour: number } | undefined;
}

/** An input item of the node. */
export interface Item {
	/** Its checked values; undefined if they are invalid, or were not read because the run was canceled. */
	input?: ItemInput;
	state: ItemState;
}

/** The state of an input item: to be sent, or its result. */
export type ItemState = Ready | Held | Failed | Done;

/** To be sent. */
interface Ready {
	is: 'ready';
}

/** Not sent, because a rule of the user or a limit does not allow the call. This is not an error. */
interface Held {
	is: 'withheld';
	reason: Withheld;
	/** Whether it would have been a test call; undefined if unknown. */
	isTest?: boolean;
}

/**
 * - `failed`: the service did not execute the request, or the request can be repeated without harm
 * - `unknown`: the service may have executed the request, and would execute it twice if it were repeated
 * - `notTried`: nothing was sent, because of another item, an earlier run, or the end of the run
 */
interface Failed {
	is: 'failed' | 'unknown' | 'notTried';
	error: ServiceError;
	/** Whether the call was, or would have been, a test call; undefined if unknown. */
	isTest?: boolean;
	/** Whether the phone may ring nevertheless, because of another item, node or run. */
	mayRing?: true;
	/** Whether an earlier attempt sent the call with other values than the item has now. */
	valuesChanged?: boolean;
	/** Whether the mistake is in settings that all items share: once they are corrected, the item may be called. */
	isOfSettings?: true;
}

interface Done {
	is: 'done';
	items: IDataObject[];
	/** The result of the call; undefined for an item that does not place a call. */
	result?: CallResult;
	/** The index of the item with the same number whose call this item shares. */
	sameNumberAsItem?: number;
	/** Whether the call is a test call; undefined if unknown. */
	isTest?: boolean;
	/** Whether an earlier attempt of the run, and not this attempt, has sent the request. */
	sentEarlier?: boolean;
	/** Whether it was sent with another credential: this one may be unable to read its outcome. */
	isElsewhere?: boolean;
	/** When the phone can ring at the earliest, in milliseconds since 1970; undefined for at once, or if it is unknown. */
	startsAt?: number;
}

/**
 * The result of a call that the service has:
 *
 * - `placed`, `queued`: the service accepted the call
 * - `alreadyQueued`: the campaign already had a call to the number, so that no other call was queued
 * - `sameNumber`: another item, or an earlier call of a tool, has called the same number
 */
export type CallResult = 'placed' | 'queued' | 'alreadyQueued' | 'sameNumber';

/**
 * The result of an input item, as `result` in the output item. (`status` there comes from the service.) Items that
 * place or queue a call always have a result, other items only if they are not done. `notReady`: variables of
 * the agent lack a value. (Check Before Calling returns its own `ready` and `notReady`: `readinessItem`.)
 */
export type ItemResult = CallResult | 'failed' | 'unknown' | 'notTried' | 'notReady' | Withheld['result'];

/** Returns the state of an item with an error. @param isTest whether its call would have been a test call, if known */
export function failedBy(error: ServiceError, isTest?: boolean): ItemState {
	const is = error.code === NOT_TRIED ? 'notTried' : error.code === OUTCOME_UNKNOWN ? 'unknown' : 'failed';
	return { is, error, isTest };
}

/** The columns of a call that come first in n8n's table view, where a reader looks, and those that come last. */
const FIRST_COLUMNS = ['result', 'to', 'outcome', 'context', 'isTest', 'message'];
const LAST_COLUMNS = ['code', 'httpStatus', 'nextAllowedAt', 'advice'];

/** The outcome of an item without a call of its own: `result` says why. */
export const NO_OUTCOME = 'notCalled';

/** The outcome of a call while it is awaited, which n8n stores, or of one that may have been placed. */
export const NOT_KNOWN = 'unknown';

/** Whether the outcome of an output item says that no phone rings for it any more. */
export function isCallOver({ json: { outcome } }: Pick<INodeExecutionData, 'json'>): boolean {
	return ![undefined, 'timedOut', NOT_KNOWN].some((open) => open === outcome);
}

/**
 * Orders the fields of an item of a call. Items with and without a call have the same columns first. Without metadata,
 * the variables of the agent tell people apart.
 */
export function inColumnOrder(json: IDataObject): IDataObject {
	const first = FIRST_COLUMNS.map((name) => (name === 'context' && !(name in json) ? 'payload' : name));
	const others = Object.keys(json).filter((name) => !first.includes(name) && !LAST_COLUMNS.includes(name));
	const names = [...first, ...others, ...LAST_COLUMNS].filter((name) => name in json);
	return Object.fromEntries(names.map((name) => [name, json[name]]));
}

/** Whether an item has an error. */
export function isFailed(state: ItemState): state is Failed {
	return 'error' in state;
}
