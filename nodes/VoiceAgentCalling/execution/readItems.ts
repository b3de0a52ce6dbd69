import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { isTool } from '../../shared/errors/aiTool';
import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, toResult } from '../../shared/errors/serviceError';
import type { Field, FieldSource, Zod } from '../../shared/fields/field';
import { assertSomethingToUpdate, loadZod, readFields, UPDATE_FIELDS } from '../../shared/fields/readFields';
import { loadCountries } from '../../shared/phoneNumbers/e164';
import { sendingDefaults, sendingFields } from '../fields/sending';
import { assertAllowed, toolFields } from '../fields/toolLimits';
import type { ItemInput } from '../operation/items';
import type { Operation } from '../operation/operation';

/** How many items are read before the event loop continues. */
const CHUNK = 200;

/** The values of the node's parameters. */
export interface Read {
	/** The input of each item, or why it has none; fewer than there are items when cancelled. */
	inputs: Array<ItemInput | ServiceError>;
	/** How the items are sent. */
	sending: typeof sendingDefaults;
}

/** Reads and checks all items, and how they are sent. Sends nothing. */
export async function readItems(
	caller: IExecuteFunctions,
	operation: Operation,
	isCancelled: () => boolean,
): Promise<Read> {
	const { value: zod, error: tooOld } = await toResult(loadZod());
	if (tooOld !== undefined) {
		throw asNodeError(caller.getNode(), tooOld);
	}
	await loadCountries();
	const run = {
		startedByHand: caller.getMode() === 'manual',
		asTool: isTool(caller.getNode()),
		timezone: caller.getTimezone(),
	};
	const parameters = parametersOf(caller);
	/** @returns what `read` gives, or what is wrong with the item */
	const checked = <Value>(itemIndex: number, read: (source: FieldSource) => Value): Value | ServiceError => {
		const get = (parameter: string) => parameters.get(parameter, itemIndex);
		try {
			return read({ ...run, ...parameters, get });
		} catch (error) {
			if (error instanceof ServiceError) {
				return error;
			}
			throw asNodeError(caller.getNode(), error, itemIndex);
		}
	};
	const sending = checked(0, (source) => readFields(zod, [], { sending: sendingFields }, source).input);
	const inputs: Read['inputs'] = [];
	const { length } = caller.getInputData();
	for (let itemIndex = 0; itemIndex < length && !isCancelled(); itemIndex++) {
		if (itemIndex % CHUNK === CHUNK - 1) {
			await sleep(0);
		}
		const input = checked(itemIndex, (source) => readItem(zod, operation, source));
		inputs.push(sending instanceof ServiceError ? sending : input);
	}
	return { inputs, sending: { ...sendingDefaults, ...(sending instanceof ServiceError ? {} : sending) } };
}

/**
 * Reads parameters. getNodeParameter is slow, so a parameter without an expression, which is the same for all items, is
 * read once.
 */
function parametersOf(caller: IExecuteFunctions) {
	const { parameters } = caller.getNode();
	const known = new Map<string, { isConstant: boolean; value?: unknown }>();
	const about = (parameter: string) => {
		const found = known.get(parameter) ?? { isConstant: !hasExpression(parameters[parameter]) };
		known.set(parameter, found);
		return found;
	};
	return {
		constants: new Map<Field, unknown>(),
		isConstant: (parameter: string) => about(parameter).isConstant,
		get(parameter: string, itemIndex: number): unknown {
			const found = about(parameter);
			if (!found.isConstant) {
				return caller.getNodeParameter(parameter, itemIndex);
			}
			if (!('value' in found)) {
				found.value = caller.getNodeParameter(parameter, itemIndex);
			}
			return found.value;
		},
	};
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') {
		return value.startsWith('=');
	}
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** @throws ServiceError */
function readItem(zod: Zod, operation: Operation, source: FieldSource): ItemInput {
	const { fields, updates, filters, options, placesCall } = operation;
	const { input: values, local } = readFields(zod, fields, { [UPDATE_FIELDS]: updates, filters, options }, source);
	assertSomethingToUpdate(updates, values);
	operation.check?.(values);
	const guard = source.asTool && placesCall ? readFields(zod, toolFields, {}, source).input : undefined;
	if (guard) {
		assertAllowed(String(values.to), guard.allowedPrefixes);
	}
	return { values, local, maxCalls: guard?.maxCalls };
}
