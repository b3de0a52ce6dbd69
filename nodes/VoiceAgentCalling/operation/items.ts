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

/** The result of one input item that was tried. */
export type Outcome = Done | { error: ServiceError };

interface Done {
	items: Array<IDataObject | ItemWithFile>;
	/** The index of the earlier item that called the same number: this item shares its call. */
	sameNumberAsItem?: number;
}

/** Whether an item has an error. */
export function failed(outcome: Outcome | undefined): outcome is { error: ServiceError } {
	return outcome !== undefined && 'error' in outcome;
}
