import type { INodeExecutionData } from 'n8n-workflow';

import { asNodeError } from '../../shared/errors/nodeError';
import { isRecord } from '../../shared/lib/isRecord';
import { createSharedApi } from '../sending/api';
import { canceled } from '../sending/itemErrors';
import type { Job } from './sendItems';

/**
 * The item about all items of a run, linked to each of them, as a list of one; empty if the operation has none, or if the
 * user did not add the option for it.
 *
 * @throws NodeOperationError if the execution is canceled
 */
export async function lastItem({
	run,
	operation,
	inputs,
	outcomes,
	isCanceled,
}: Pick<Job, 'run' | 'operation' | 'inputs' | 'outcomes' | 'isCanceled'>): Promise<INodeExecutionData[]> {
	const { caller } = run;
	const { options } = caller.getNode().parameters;
	const { lastItem: wanted } = operation;
	// Not the checked values: each item may be invalid.
	if (wanted === undefined || !isRecord(options) || !(wanted.option.properties[0].name in options)) {
		return [];
	}
	const api = createSharedApi(run, () => {
		if (isCanceled()) {
			throw canceled();
		}
	});
	const items = inputs.map((input, itemIndex) => ({ input, outcome: outcomes[itemIndex] }));
	try {
		return [{ json: await wanted.make(api, items), pairedItem: items.map((_item, item) => ({ item })) }];
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}
