import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';

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
	/** For requests, by the service's names. */
	values: Record<string, unknown>;
	/** Of the fields that this node alone reads. */
	local: Record<string, unknown>;
	/** How many calls a person allows a model to place in one run; undefined: the node is not a tool. */
	maxCalls: number | undefined;
}

/** The result of one input item that was tried. */
export type Outcome = Done | { error: ServiceError };

interface Done {
	items: Array<IDataObject | ItemWithFile>;
	/** The earlier item with the same number, whose call this is. */
	sameNumberAsItem?: number;
}

/** Whether an item was tried and failed. */
export function failed(outcome: Outcome | undefined): outcome is { error: ServiceError } {
	return outcome !== undefined && 'error' in outcome;
}
