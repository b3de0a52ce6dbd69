import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';
import type { CallLimits } from '../sending/callBudget';

/** An output item with a file. */
export class ItemWithFile {
	readonly json: IDataObject;

	readonly binary: IBinaryKeyData;

	constructor(json: IDataObject, binary: IBinaryKeyData) {
		this.json = json;
		this.binary = binary;
	}
}

/** What an operation returns for one input item: one output item, several, or none. */
export type Output = IDataObject | ItemWithFile | Array<IDataObject | ItemWithFile>;

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
 * What became of an input item, in the words of this node: `result` of an output item. Its `status` is the service's.
 *
 * - `failed`: the service did not do it
 * - `unknown`: the service may have done it
 * - `notTried`: nothing was sent, because of what another item met
 */
export type ItemResult = 'failed' | 'unknown' | 'notTried';

/** The result of one input item that was tried. */
export type Outcome = Done | Failed;

interface Failed {
	error: ServiceError;
	/** The index of the earlier item that called the same number. */
	sameNumberAsItem?: number;
}

interface Done {
	items: Array<IDataObject | ItemWithFile>;
	/** The index of the earlier item that called the same number: this item shares its call. */
	sameNumberAsItem?: number;
}

/** Whether an item has an error. */
export function failed(outcome: Outcome | undefined): outcome is Failed {
	return outcome !== undefined && 'error' in outcome;
}
