import { createApi } from '../../shared/client/api';
import { concurrently } from '../../shared/client/concurrently';
import {
	CALLER_CODES,
	concernsAllItems,
	mayBeDone,
	notTried,
	OUTCOME_UNKNOWN,
	outcomeUnknown,
} from '../../shared/client/itemErrors';
import { type ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import type { CallBook } from '../callRules/book';
import type { CallGuard } from '../callRules/callGuard';
import type { Calls } from '../callRules/calls';
import { failedBy, type ItemInput, type ItemState, isFailed } from '../operation/items';
import type { Operation } from '../operation/operation';
import { type OperationRun, settleItem } from '../operation/operationRun';
import { idOfCall } from '../operation/responses';
import { doneState, knownState } from './outcomes';

/**
 * Processes the ready items in order, several at a time, and sets their states. When the run stops (see `RunStop`), the
 * remaining items stay ready.
 */
export async function sendItems(operationRun: OperationRun, calls: Calls): Promise<void> {
	const { run, items } = operationRun;
	let next = 0;
	await concurrently(run.pace, () => {
		while (next < items.length && items[next].state.is !== 'ready') {
			next++;
		}
		if (next === items.length || run.stop.isForAll) {
			return undefined;
		}
		const itemIndex = next++;
		return sendItem(operationRun, calls, itemIndex);
	});
}

/** Sends an item, unless its phone was called before: then the item gets that call. */
async function sendItem(operationRun: OperationRun, calls: Calls, itemIndex: number): Promise<void> {
	const { input } = operationRun.items[itemIndex];
	const guard = calls.guardOf(itemIndex);
	if (input === undefined) {
		return;
	}
	if (guard === undefined) {
		return await process(operationRun, itemIndex, input, undefined, calls);
	}
	const { book } = calls;
	const { to } = guard.call;
	for (let flight = book.flightTo(to); flight !== undefined; flight = book.flightTo(to)) {
		await flight;
	}
	const known = book.find(guard.call);
	if (known !== undefined) {
		settleItem(operationRun, itemIndex, knownState(operationRun, known, guard.call));
		return;
	}
	const release = book.claim(to);
	try {
		await process(operationRun, itemIndex, input, guard, calls);
	} finally {
		release();
	}
}

/** Runs the operation for an item. */
async function process(
	operationRun: OperationRun,
	itemIndex: number,
	{ values, local, call }: ItemInput,
	guard: CallGuard | undefined,
	calls: Calls,
): Promise<void> {
	const { run, operation } = operationRun;
	let unwanted: ServiceError | undefined;
	const api = createApi({
		run,
		itemIndex,
		repeat: operation.repeat,
		placesCall: operation.placesCall,
		guard,
		rules: calls.rulesCheckOf(itemIndex),
		throwIfUnwanted(begun) {
			unwanted = begun && !run.stop.isCanceled ? undefined : run.stop.reasonFor(values);
			if (unwanted) {
				throw unwanted;
			}
		},
	});
	const { value, error } = await toResult(operation.run(api, values, local));
	const isTest = call?.isTest;
	if (guard?.withheld !== undefined) {
		settleItem(operationRun, itemIndex, { is: 'withheld', reason: guard.withheld, isTest });
		return;
	}
	if (error !== undefined && error === unwanted && !api.progress.mayHaveActed) {
		settleItem(operationRun, itemIndex, { is: 'notTried', error, isTest });
		return;
	}
	const state =
		error === undefined
			? doneState(operation, value, call, values, api.progress, guard?.entry?.startsAt)
			: failedBy(errorOf(error, operationRun, itemIndex, guard), isTest);
	if (guard !== undefined) {
		recordInBook(state, guard, calls.book);
	}
	if (isFailed(state)) {
		if (state.is === 'unknown') {
			api.markUnknown();
		}
		stopOthers(operationRun, itemIndex, values, state.error);
	}
	settleItem(operationRun, itemIndex, state);
}

/** Records the result of a sent call in the book. */
function recordInBook(state: ItemState, guard: CallGuard, book: CallBook): void {
	const id = state.is === 'done' ? idOfCall(state.items[0]) : undefined;
	if (state.is !== 'done' || state.result !== 'alreadyQueued') {
		guard.settle(id);
		return;
	}
	const { credential, to } = guard.call;
	const own = book.callsWith(credential, to).find((call) => call.id === id);
	if (own !== undefined) {
		const { isTest } = own.group;
		Object.assign(state, { isTest, items: state.items.map((item) => ({ ...item, isTest })) });
	}
	// By the next attempt the existing call may be over, but that attempt must not make the phone ring.
	book.addExisting(guard.call, id ?? '');
}

/** Returns the error of an item, with the editor's field names. If a phone may ring, its outcome is unknown. */
function errorOf(
	error: ServiceError,
	{ run, operation }: OperationRun,
	itemIndex: number,
	guard: CallGuard | undefined,
): ServiceError {
	const isUnknown = guard?.entry !== undefined && error.code !== OUTCOME_UNKNOWN;
	const change = run.log.changeOf(itemIndex);
	const told = isUnknown ? outcomeUnknown(true, error) : change ? mayBeDone(error, change) : error;
	return withEditorNames(told, operation);
}

/**
 * Stops the items that would get the same error: an invalid token, missing credits, an inactive agent or campaign, or a
 * service that cannot be reached or whose rate limit is exceeded for too long.
 */
function stopOthers(
	{ run, operation }: OperationRun,
	itemIndex: number,
	values: ItemInput['values'],
	error: ServiceError,
): void {
	const reason = notTried(error, itemIndex);
	const call = operation.callIn(values);
	if (concernsAllItems(error)) {
		// The run continues, so that each of the other items reports why it was not tried.
		run.stop.some(reason, () => true, values);
	} else if (error.httpStatus === 402) {
		// Test calls need no credits.
		run.stop.some(reason, (other) => call === undefined || operation.callIn(other)?.isTest === false, values);
	} else if (call?.callerId !== undefined && CALLER_CODES.includes(error.code)) {
		run.stop.some(reason, (other) => operation.callIn(other)?.callerId === call.callerId, values);
	}
}

/**
 * Adds the editor's names to an error about fields, because the service uses its own: `phone_number_ids` for
 * "Phone Numbers".
 */
export function withEditorNames(error: ServiceError, operation: Operation): ServiceError {
	const { fields, updates, options, filters } = operation;
	const all = [...fields, ...updates, ...options, ...filters];
	const names = error.fieldNames.flatMap((fieldName) => {
		const label = all.find(({ key }) => key === fieldName)?.properties[0].displayName;
		const sameWords = label?.toLowerCase() === fieldName.replaceAll('_', ' ');
		return label === undefined || sameWords ? [] : [`${fieldName} is '${label}'`];
	});
	if (names.length === 0) {
		return error;
	}
	return error.with({ advice: sentences(error.advice, `In the editor ${names.join(', ')}.`) });
}
