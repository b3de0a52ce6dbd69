import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';
import type { CallLimits } from '../sending/callBudget';
import type { Withheld } from './withheld';

/** What an operation returns for one input item: one output item, several, or none. */
export type Output = IDataObject | IDataObject[];

/** The checked values of one input item. */
export interface ItemInput {
	/** The values to send, by the service's names. */
	values: Record<string, unknown>;
	/** The values of the local fields. */
	local: Record<string, unknown>;
	/** How many calls a tool may place; undefined if the node is not a tool. */
	callLimits: CallLimits | undefined;
}

/**
 * An input item of the node: what it asks for, and what became of it.
 *
 * | | `input` | `refusal` | `outcome` |
 * |---|---|---|---|
 * | not read, because the run was canceled | | | |
 * | to be sent | set | | once it is sent or skipped |
 * | invalid, or a check forbids it | | set | the error; or the call of an earlier try |
 * | withheld by the user's rules or a limit | | set | the reason |
 */
export interface Item {
	/** Its checked values; undefined for an item that must not be sent. */
	input?: ItemInput;
	/** Why it must not be sent. */
	refusal?: ServiceError;
	/** What became of it; undefined as long as that is not known. */
	outcome?: ItemOutcome;
}

/**
 * What became of an input item, in the words of this node: `result` of an output item. Its `status` is the service's.
 * Items that place or queue a call always have a result, other items only if they failed.
 *
 * - `placed`, `queued`: the service took the call
 * - `alreadyQueued`: the campaign had a call to the number; no other one was queued
 * - `sameNumber`: the item shares the call of another item with the same number
 * - `failed`: the service did not do it, or it can be repeated: doing it twice makes no difference
 * - `unknown`: the service may have done it, and would do it twice if it were repeated
 * - `notTried`: nothing was sent, because another item failed
 * - `notReady`: nothing was sent, because a check before the call failed
 * - `outsideHours`: nothing was sent, because the call would not be within the calling hours
 * - `blocked`: nothing was sent, because the number is one of the blocked numbers
 * - `noConsent`: nothing was sent, because the person has no valid consent
 * - `tooOften`: nothing was sent, because the phone would be called more often than the frequency cap allows
 * - `limitReached`: nothing was sent, because a limit of the credential is reached
 */
export type ItemResult =
	| 'placed'
	| 'queued'
	| 'alreadyQueued'
	| 'sameNumber'
	| 'failed'
	| 'unknown'
	| 'notTried'
	| 'notReady'
	| Withheld['result'];

/** The result of one input item that was tried. */
export type ItemOutcome = Done | Failed;

interface Failed {
	error: ServiceError;
	/** The index of the earlier item that called the same number. */
	sameNumberAsItem?: number;
	/** Whether the call was, or would have been, a test call; undefined if that is not known. */
	isTest?: boolean;
	/** Whether an earlier try sent the call with other values: the values of the item are not those of the call. */
	hadOtherValues?: boolean;
}

interface Done {
	items: IDataObject[];
	/** What became of the call; undefined for an item that places none. */
	result?: ItemResult;
	/** The index of the earlier item that called the same number: this item shares its call. */
	sameNumberAsItem?: number;
	/** Whether the call is a test call; undefined if that is not known. */
	isTest?: boolean;
	/** Why the call was not sent, for a result that a rule of the user or of the credential brings. Then there are no `items`. */
	withheld?: Withheld;
	/** Whether an earlier try of the run sent the request, and this one did not. */
	sentEarlier?: boolean;
}

/** Whether an item has an error. */
export function failed(outcome: ItemOutcome | undefined): outcome is Failed {
	return outcome !== undefined && 'error' in outcome;
}
