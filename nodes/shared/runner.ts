import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { createApi, OUTCOME_UNKNOWN, outcomeUnknown } from './api';
import { attempt, isRecord, ServiceError, unreadable } from './errors';
import { requestTimeout } from './fields';
import { readFields } from './input';
import { asNodeError } from './nodeErrors';
import type { Operation, Resource } from './operation';
import { SentRequests } from './sentRequests';
import { connect } from './transport';

/** How many items are read before n8n gets a chance to do something else. */
const CHUNK = 200;

/** How many items are worked on at a time. The output keeps the order of the input. */
const ITEMS_IN_FLIGHT = 5;

/** The checked values of one item, by the service's names. */
type ItemInput = Record<string, unknown> & { requestTimeout?: number };

/** What became of one item; absent while it was not tried. */
type Outcome = { items: IDataObject[] } | { error: ServiceError };

/**
 * Runs the chosen operation for all input items: reads and checks them all, so that nothing is sent
 * when one cannot be, then sends.
 *
 * With On Error set to stop, the first item that does not work out starts nothing new; what is in
 * flight is awaited and remembered, then the error names what is done, unknown and not tried.
 */
export async function runOperation(
	caller: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(caller, resources);
	const inputs = await readItems(caller, operation);
	const goOn = caller.continueOnFail();
	const outcomes: Array<Outcome | undefined> = inputs.map((input) =>
		input instanceof ServiceError ? { error: input } : undefined,
	);
	const runIndex = Number(caller.getWorkflowDataProxy(0).$runIndex);
	const sent = new SentRequests(caller.getContext('node'), runIndex);
	if (goOn || !outcomes.some(failed)) {
		await sendItems({ caller, operation, inputs, outcomes, sent, goOn });
	}
	const first = outcomes.findIndex(failed);
	if (isCancelled(caller) || (first !== -1 && !goOn)) {
		sent.keepForNextTry();
		if (!isCancelled(caller)) throw stoppingError(caller, outcomes, first);
		// n8n tells a cancelled execution from a failed one by this word.
		throw new NodeOperationError(caller.getNode(), 'The execution was canceled', {
			description: summary(outcomes),
		});
	}
	const items = outcomes.flatMap((outcome, itemIndex) => outputItems(caller, outcome, itemIndex));
	// Where the first item has an `error` of the service's own, n8n takes the run for one that failed.
	if (!items[0]?.json.error) sent.forget();
	return [items];
}

function failed(outcome: Outcome | undefined): outcome is { error: ServiceError } {
	return outcome !== undefined && 'error' in outcome;
}

function chosenOperation(caller: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = caller.getNodeParameter('resource', 0);
	const name = caller.getNodeParameter('operation', 0);
	const operation = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === name);
	if (operation === undefined) {
		throw new NodeOperationError(
			caller.getNode(),
			`There is no operation "${String(name)}" for "${String(resource)}"`,
			{ description: "Choose 'Resource' and 'Operation' again." },
		);
	}
	return operation;
}

function isCancelled(caller: IExecuteFunctions): boolean {
	return caller.getExecutionCancelSignal()?.aborted ?? false;
}

/** The input of each item, or why it has none. */
async function readItems(
	caller: IExecuteFunctions,
	operation: Operation,
): Promise<Array<ItemInput | ServiceError>> {
	const { z: zod } = await import('zod/v3');
	const collections = {
		filters: operation.filters,
		options: [...operation.options, requestTimeout],
	};
	const startedByHand = caller.getMode() === 'manual';
	const inputs: Array<ItemInput | ServiceError> = [];
	const { length } = caller.getInputData();
	for (let itemIndex = 0; itemIndex < length && !isCancelled(caller); itemIndex++) {
		if (itemIndex % CHUNK === CHUNK - 1) await sleep(0);
		try {
			inputs.push(
				readFields(zod, operation.fields, collections, {
					get: (parameter) => caller.getNodeParameter(parameter, itemIndex),
					startedByHand,
				}),
			);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw asNodeError(caller.getNode(), error, itemIndex);
			inputs.push(error);
		}
	}
	return inputs;
}

interface Work {
	caller: IExecuteFunctions;
	operation: Operation;
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	sent: SentRequests;
	goOn: boolean;
}

/** Fills in the outcomes that are still missing. */
async function sendItems({ caller, operation, inputs, outcomes, sent, goOn }: Work): Promise<void> {
	const { value: connection, error: unusable } = await attempt(connect(caller));
	if (unusable !== undefined) throw asNodeError(caller.getNode(), unusable);
	let next = 0;
	let stopped = false;

	const work = async () => {
		while (next < inputs.length && !stopped && !isCancelled(caller)) {
			const itemIndex = next++;
			const input = inputs[itemIndex];
			if (input instanceof ServiceError) continue;
			const { requestTimeout: timeoutSeconds, ...values } = input;
			const api = createApi({
				caller,
				connection,
				sent,
				itemIndex,
				timeoutSeconds,
				repeat: operation.repeat,
				spends: operation.spends,
			});
			const { value, error } = await attempt(operation.run(api, values));
			const outcome = error ? { error } : outcomeOf(operation, value, api.answeredFromMemory);
			outcomes[itemIndex] = outcome;
			stopped ||= failed(outcome) && !goOn;
		}
	};
	await Promise.all(Array.from({ length: ITEMS_IN_FLIGHT }, work));
}

function outcomeOf(
	{ spends }: Operation,
	value: IDataObject | IDataObject[],
	answeredFromMemory: boolean,
): Outcome {
	const items = [value].flat();
	if (!items.every(isRecord)) {
		const error = unreadable('without the data that belong there');
		return { error: spends ? outcomeUnknown(spends, error) : error };
	}
	return { items: answeredFromMemory ? items.map((item) => ({ ...item, alreadySent: true })) : items };
}

function outputItems(
	caller: IExecuteFunctions,
	outcome: Outcome | undefined,
	itemIndex: number,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (outcome === undefined) return [];
	if (!failed(outcome)) return outcome.items.map((json) => ({ json, pairedItem }));
	const { error } = outcome;
	const item: INodeExecutionData = {
		// Not `error`: on a first item n8n would take it for a reason to run the whole node again.
		json: {
			status: 'failed',
			code: error.code,
			message: `${error.message.replace(/\.$/, '')}. ${error.advice}`.trim(),
			httpStatus: error.httpStatus ?? null,
		},
		pairedItem,
	};
	if (caller.getNode().onError === 'continueErrorOutput') {
		// n8n picks the items for the error output by this property, copies them, and replaces the `json`
		// of whatever still has the property afterwards. Not being enumerable, it is not copied.
		const value = asNodeError(caller.getNode(), error, itemIndex);
		Object.defineProperty(item, 'error', { value, enumerable: false });
	}
	return [item];
}

/** The error that ends the run: the first item's, and what became of the others. */
function stoppingError(
	caller: IExecuteFunctions,
	outcomes: ReadonlyArray<Outcome | undefined>,
	first: number,
) {
	const cause = outcomes[first];
	return asNodeError(
		caller.getNode(),
		failed(cause) ? cause.error : undefined,
		first,
		outcomes.length > 1 ? summary(outcomes) : '',
	);
}

/** What became of each item, in one line. */
function summary(outcomes: ReadonlyArray<Outcome | undefined>): string {
	const named: Record<string, number[]> = { Done: [], 'Outcome unknown': [], 'Not done': [], 'Not tried': [] };
	outcomes.forEach((outcome, itemIndex) => {
		if (outcome === undefined) named['Not tried'].push(itemIndex);
		else if (!failed(outcome)) named.Done.push(itemIndex);
		else if (outcome.error.code === OUTCOME_UNKNOWN) named['Outcome unknown'].push(itemIndex);
		else named['Not done'].push(itemIndex);
	});
	const states = Object.entries(named)
		.filter(([, indexes]) => indexes.length > 0)
		.map(([state, indexes]) => `${state}: ${ranges(indexes)}.`);
	return `Items: ${states.join(' ')}`;
}

/** "0-4, 7" for 0, 1, 2, 3, 4, 7. */
function ranges(indexes: readonly number[]): string {
	const parts: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = parts.at(-1);
		if (last && last[1] === index - 1) last[1] = index;
		else parts.push([index, index]);
	}
	return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
