import { notTried } from '../../shared/client/itemErrors';
import type { Run } from '../../shared/client/run';
import type { ServiceError } from '../../shared/errors/serviceError';
import { failedBy, type Item, type ItemState, isFailed } from './items';
import type { Operation } from './operation';

/** A run of an operation for all input items. */
export interface OperationRun {
	run: Run;
	operation: Operation;
	/** All input items of the node, by index. */
	items: readonly Item[];
	/** When the run began, in milliseconds since 1970. */
	startedAt: number;
	/** How the run began, as n8n's mode, such as `manual`; undefined if it cannot be read. */
	rootMode: string | undefined;
	/** Whether the run continues after an item has failed. */
	continueOnFail: boolean;
}

/** Sets the state of an item. With On Error at Stop Workflow, an error stops the run. */
export function settleItem({ run, items, continueOnFail }: OperationRun, itemIndex: number, state: ItemState): void {
	items[itemIndex].state = state;
	if (isFailed(state) && !continueOnFail) {
		run.stop.all(notTried(state.error, itemIndex));
	}
}

/** Fails an item, which is then not sent. */
export function failItem(operationRun: OperationRun, itemIndex: number, error: ServiceError): void {
	settleItem(operationRun, itemIndex, failedBy(error));
}

/** Returns the items that are still to be sent, with their indexes and values. */
export function readyItems({ items }: Pick<OperationRun, 'items'>) {
	return [...items.entries()].flatMap(([itemIndex, { input, state }]) =>
		state.is === 'ready' && input !== undefined ? [{ itemIndex, input }] : [],
	);
}
