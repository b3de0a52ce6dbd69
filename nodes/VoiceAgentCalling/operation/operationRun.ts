import type { ServiceError } from '../../shared/errors/serviceError';
import { canceled } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import type { Item } from './items';
import type { Operation } from './operation';

/** A run of an operation for all input items. */
export interface OperationRun {
	run: Run;
	operation: Operation;
	/** All input items of the node, by index. */
	items: readonly Item[];
	/** When the run began, in milliseconds since 1970. */
	startedAt: number;
	isCanceled(): boolean;
}

/** @throws ServiceError if the run is canceled */
export function throwIfCanceled({ isCanceled }: Pick<OperationRun, 'isCanceled'>): void {
	if (isCanceled()) {
		throw canceled();
	}
}

/** Takes an item out of the run: it is not sent. @param outcome what the node says about it; by default it has failed */
export function refuseItem(item: Item, refusal: ServiceError, outcome: Item['outcome'] = { error: refusal }): void {
	item.input = undefined;
	item.refusal = refusal;
	item.outcome = outcome;
}
