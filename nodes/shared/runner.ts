import { sleep, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { createApi } from './api';
import { attempt, ServiceError } from './errors';
import { inEditorsNames } from './fieldNames';
import { requestTimeout } from './fields';
import { assertSomethingToUpdate, loadZod, readFields, UPDATE_FIELDS } from './input';
import { asNodeError } from './nodeErrors';
import type { Operation, Resource } from './operation';
import {
	failed,
	outcomeOf,
	outputItems,
	stoppingError,
	summary,
	type Outcome,
} from './outcomes';
import { SentRequests } from './sentRequests';
import { assertAllowed, CallBudget, isTool, notForTools, toolFields } from './toolGuard';
import { connect } from './transport';

/** How many items are read before n8n gets a chance to do something else. */
const CHUNK = 200;

/** How many items are worked on at a time. The output keeps the order of the input. */
const ITEMS_IN_FLIGHT = 5;

/** The checked values of one item, by the service's names, and what a person allows a model. */
interface ItemInput {
	values: Record<string, unknown> & { requestTimeout?: number };
	maxCalls: number | undefined;
}

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
	const context = caller.getContext('node');
	const sent = new SentRequests(context, runIndex);
	const notes = new Set<string>();
	if (goOn || !outcomes.some(failed)) {
		await sendItems({ caller, operation, inputs, outcomes, context, sent, notes, goOn });
	}
	const first = outcomes.findIndex(failed);
	if (isCancelled(caller) || (first !== -1 && !goOn)) {
		sent.keepForNextTry();
		if (!isCancelled(caller)) throw stoppingError(caller, outcomes, first);
		throw asNodeError(caller.getNode(), cancelled(summary(outcomes)));
	}
	caller.addExecutionHints(...[...notes].map((message) => ({ message })));
	const items = outcomes.flatMap((outcome, itemIndex) => outputItems(caller, outcome, itemIndex));
	// Where the first item has an `error` of the service's own, n8n takes the run for one that failed.
	if (!items[0]?.json.error) sent.forget();
	return [items];
}

function chosenOperation(caller: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = caller.getNodeParameter('resource', 0);
	const name = caller.getNodeParameter('operation', 0);
	const operation = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === name);
	if (operation === undefined) {
		const error = new ServiceError(`There is no operation "${String(name)}" for "${String(resource)}"`, {
			code: 'INVALID_INPUT',
			advice: "Choose 'Resource' and 'Operation' again.",
			taken: 'no',
		});
		throw asNodeError(caller.getNode(), error);
	}
	if (isTool(caller.getNode()) && !operation.forTools) {
		throw asNodeError(caller.getNode(), notForTools(`'${operation.name}'`));
	}
	return operation;
}

/** n8n tells a cancelled execution from a failed one by the word in the message. */
function cancelled(advice: string): ServiceError {
	return new ServiceError('The execution was canceled', { code: 'CANCELED', advice, taken: 'no' });
}

function isCancelled(caller: IExecuteFunctions): boolean {
	return caller.getExecutionCancelSignal()?.aborted ?? false;
}

/** The input of each item, or why it has none. */
async function readItems(
	caller: IExecuteFunctions,
	operation: Operation,
): Promise<Array<ItemInput | ServiceError>> {
	const { value: zod, error: tooOld } = await attempt(loadZod());
	if (tooOld !== undefined) throw asNodeError(caller.getNode(), tooOld);
	const collections = {
		[UPDATE_FIELDS]: operation.updates,
		filters: operation.filters,
		options: [...operation.options, requestTimeout],
	};
	const run = {
		startedByHand: caller.getMode() === 'manual',
		asTool: isTool(caller.getNode()),
		timezone: caller.getTimezone(),
	};
	const inputs: Array<ItemInput | ServiceError> = [];
	const { length } = caller.getInputData();
	for (let itemIndex = 0; itemIndex < length && !isCancelled(caller); itemIndex++) {
		if (itemIndex % CHUNK === CHUNK - 1) await sleep(0);
		const source = {
			...run,
			get: (parameter: string) => caller.getNodeParameter(parameter, itemIndex),
		};
		try {
			const values = readFields(zod, operation.fields, collections, source);
			assertSomethingToUpdate(operation.updates, values);
			operation.check?.(values);
			const guarded = run.asTool && operation.spends;
			const guard = guarded ? readFields(zod, toolFields, {}, source) : undefined;
			if (guard) assertAllowed(values.to, guard.allowedPrefixes);
			inputs.push({ values, maxCalls: guard?.maxCalls });
		} catch (error) {
			if (!(error instanceof ServiceError)) throw asNodeError(caller.getNode(), error, itemIndex);
			inputs.push(error);
		}
	}
	return inputs;
}

/** What {@link sendItems} needs. */
interface Job {
	caller: IExecuteFunctions;
	operation: Operation;
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	/** n8n's context of the node: it lasts as long as the execution. */
	context: IDataObject;
	sent: SentRequests;
	notes: Set<string>;
	goOn: boolean;
}

/** Fills in the outcomes that are still missing. */
async function sendItems(job: Job): Promise<void> {
	const { caller, operation, inputs, outcomes, context, sent, notes, goOn } = job;
	const { value: connection, error: unusable } = await attempt(connect(caller));
	if (unusable !== undefined) throw asNodeError(caller.getNode(), unusable);
	let next = 0;
	let stopped = false;

	const work = async () => {
		while (next < inputs.length && !stopped && !isCancelled(caller)) {
			const itemIndex = next++;
			const input = inputs[itemIndex];
			if (input instanceof ServiceError) continue;
			const { maxCalls } = input;
			const { requestTimeout: timeoutSeconds, ...values } = input.values;
			const api = createApi({
				caller,
				connection,
				sent,
				notes,
				itemIndex,
				timeoutSeconds,
				repeat: operation.repeat,
				spends: operation.spends,
				budget: maxCalls === undefined ? undefined : new CallBudget(context, maxCalls),
			});
			const { value, error } = await attempt(operation.run(api, values));
			const outcome = error
				? { error: inEditorsNames(error, operation) }
				: outcomeOf(operation, value, api.answeredFromMemory);
			outcomes[itemIndex] = outcome;
			stopped ||= failed(outcome) && !goOn;
		}
	};
	await Promise.all(Array.from({ length: ITEMS_IN_FLIGHT }, work));
}
