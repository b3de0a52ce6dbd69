import type { ServiceError } from '../../shared/errors/serviceError';
import { canceled } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import type { ItemInput, Outcome } from './items';
import type { Operation } from './operation';

/** A run of an operation for all input items. */
export interface OperationRun {
	run: Run;
	operation: Operation;
	/** What was read, by item: an error for an item that must not be sent. */
	inputs: Array<ItemInput | ServiceError>;
	/** What became of the items; undefined as long as that is not known. */
	outcomes: Array<Outcome | undefined>;
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

/** Fails an item: it is not sent. */
export function failItem({ inputs, outcomes }: OperationRun, itemIndex: number, error: ServiceError): void {
	inputs[itemIndex] = error;
	outcomes[itemIndex] = { error };
}
