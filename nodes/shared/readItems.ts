import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { attempt, ServiceError } from './errors';
import type { Zod } from './field';
import { assertSomethingToUpdate, loadZod, readFields, UPDATE_FIELDS } from './input';
import { asNodeError } from './nodeErrors';
import type { Operation } from './operation';
import type { ItemInput } from './sendItems';
import { sendingDefaults, sendingFields } from './sendingFields';
import { assertAllowed, isTool, toolFields } from './toolGuard';

/** How many items are read before n8n gets a chance to do something else. */
const CHUNK = 200;

/** What the node's parameters say. */
export interface Read {
	/** The input of each item, or why it has none; fewer than there are items when cancelled. */
	inputs: Array<ItemInput | ServiceError>;
	/** How the items are sent. */
	sending: typeof sendingDefaults;
}

/** Reads and checks all items, and how they are to be sent. Costs no request. */
export async function readItems(
	caller: IExecuteFunctions,
	operation: Operation,
	isCancelled: () => boolean,
): Promise<Read> {
	const { value: zod, error: tooOld } = await attempt(loadZod());
	if (tooOld !== undefined) throw asNodeError(caller.getNode(), tooOld);
	const run = {
		startedByHand: caller.getMode() === 'manual',
		asTool: isTool(caller.getNode()),
		timezone: caller.getTimezone(),
	};
	const sourceOf = (itemIndex: number) => ({
		...run,
		get: (parameter: string) => caller.getNodeParameter(parameter, itemIndex),
	});
	const inputs: Read['inputs'] = [];
	const { length } = caller.getInputData();
	let itemIndex = 0;
	try {
		const sending = readFields(zod, [], { sending: sendingFields }, sourceOf(0));
		for (; itemIndex < length && !isCancelled(); itemIndex++) {
			if (itemIndex % CHUNK === CHUNK - 1) await sleep(0);
			inputs.push(readItem(zod, operation, sourceOf(itemIndex)));
		}
		return { inputs, sending: { ...sendingDefaults, ...sending } };
	} catch (error) {
		throw asNodeError(caller.getNode(), error, itemIndex);
	}
}

/** @returns the item's values, or what is wrong with them */
function readItem(
	zod: Zod,
	operation: Operation,
	source: Parameters<typeof readFields>[3],
): ItemInput | ServiceError {
	const { fields, updates, filters, options, spends } = operation;
	try {
		const values = readFields(zod, fields, { [UPDATE_FIELDS]: updates, filters, options }, source);
		assertSomethingToUpdate(updates, values);
		operation.check?.(values);
		const guard = source.asTool && spends ? readFields(zod, toolFields, {}, source) : undefined;
		if (guard) assertAllowed(values.to, guard.allowedPrefixes);
		return { values, maxCalls: guard?.maxCalls };
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
}
