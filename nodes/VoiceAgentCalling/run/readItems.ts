import { type IDataObject, type IExecuteFunctions, sleep } from 'n8n-workflow';

import type { Run } from '../../shared/client/run';
import { asNodeError, isTool } from '../../shared/errors/nodeError';
import { asServiceError, invalid, ServiceError, toResult } from '../../shared/errors/serviceError';
import { type Field, type FieldSource, parametersOf as parametersOfFields, type Zod } from '../../shared/fields/field';
import {
	assertSomethingToUpdate,
	isReadOnce,
	loadZod,
	readFields,
	UPDATE_FIELDS,
} from '../../shared/fields/readFields';
import { dependsOnItem, hasExpression, storedValue } from '../../shared/lib/expressions';
import { isRecord, REDUCE_NESTING_ADVICE, TOO_DEEP } from '../../shared/lib/json';
import { rootOf } from '../../shared/n8nInternals';
import { loadCountries } from '../../shared/phoneNumbers/e164';
import { type ChainedCall, firstOf, isFirst } from '../../shared/triggerSecrets/callChain';
import { withConsent } from '../fields/consent';
import { NumberList } from '../fields/numberList';
import { sendingDefaults } from '../fields/sending';
import { assertAllowed, assertSetByPerson, toolFields, toolLimits } from '../fields/toolLimits';
import type { Item, ItemInput } from '../operation/items';
import type { Operation } from '../operation/operation';
import { lostVariableError, wrongItemError } from './expressionChecks';
import { givenCall } from './givenCall';

/** How many items are read before other work of the event loop runs. */
const CHUNK = 200;

/** The validated parameters of all items. */
export interface Read {
	/** All input items: ready with their input, or failed. If the run was canceled, the last ones lack their input. */
	items: Item[];
	/** The options of the collection Sending. */
	sending: typeof sendingDefaults;
	/** How the run began; see {@link rootOf}. */
	rootMode: string | undefined;
	/** See {@link Run.chain}. */
	chain: Run['chain'];
	/**
	 * Returns the call of an item as the user entered it; empty if the item does not place a call.
	 *
	 * @param onlyTestCalls whether the credential makes every call a test call; undefined if unknown
	 */
	callOf(itemIndex: number, onlyTestCalls: boolean | undefined): IDataObject;
}

/**
 * Reads and validates the parameters of all items. Sends nothing.
 *
 * @throws NodeOperationError if n8n is too old
 */
export async function readItems(
	caller: IExecuteFunctions,
	operation: Operation,
	isCanceled: () => boolean,
): Promise<Read> {
	const { value: zod, error: notLoaded } = await toResult(loadZod());
	if (notLoaded !== undefined) {
		throw asNodeError(caller.getNode(), notLoaded);
	}
	await loadCountries();
	const { mode: rootMode, events } = await rootOf(caller);
	const chain = events?.length === 0 ? undefined : events === undefined ? 'unknown' : await chainOf(events);
	const run = {
		rootMode,
		asTool: isTool(caller.getNode()),
		timezone: caller.getTimezone(),
	};
	const { parameters: stored } = caller.getNode();
	const isOfItem = (parameter: string, member?: string) => dependsOnItem(storedValue(stored, parameter, member));
	const ofOptions = { dependsOnItem: (member: string) => isOfItem('options', member) };
	const once = operation.options.filter((field) => isReadOnce(field, ofOptions));
	const titleOf = (name: string) => {
		const properties = [operation.fields, operation.options].flat().flatMap((field) => field.properties);
		return properties.find((property) => property.name === name)?.displayName;
	};
	const parameters = parametersOf(caller, parametersOfFields(once), titleOf);
	const sourceOf = (itemIndex: number): FieldSource => ({
		...run,
		...parameters,
		dependsOnItem: isOfItem,
		get: (parameter) => parameters.get(parameter, itemIndex),
	});
	/** Returns the result of `read`, or its ServiceError. */
	const checked = <Value>(itemIndex: number, read: (source: FieldSource) => Value): Value | ServiceError => {
		try {
			return read(sourceOf(itemIndex));
		} catch (error) {
			// Returned, not thrown: with On Error set to continue, n8n would pass all items on as if they had succeeded.
			return error instanceof ServiceError ? error : unresolved(error);
		}
	};
	const sending = checked(0, (source) => readFields(zod, [], { sending: operation.sending }, source).input);
	// Kept in `constants`, so that the other items do not read them again.
	const sharedOptions = checked(0, (source) => readFields(zod, [], { options: once }, source));
	const { error: unreadable } =
		sharedOptions instanceof ServiceError ? {} : await toResult(prepare(sharedOptions.local));
	const refusals = [lostVariableError(operation, stored), wrongItemError(caller, operation)];
	const shared = [...refusals, sending, sharedOptions, unreadable];
	const sharedError = shared.find((read): read is ServiceError => read instanceof ServiceError);
	const items = caller
		.getInputData()
		.slice(0, operation.oncePerRun ? 1 : undefined)
		.map((): Item => ({ state: { is: 'ready' } }));
	for (const [itemIndex, item] of items.entries()) {
		if (itemIndex % CHUNK === CHUNK - 1) {
			await sleep(0);
		}
		if (isCanceled()) {
			break;
		}
		// With a shared error, a long list is not read again for each item.
		const read = sharedError ?? checked(itemIndex, (source) => readItem(zod, operation, source));
		if (read instanceof ServiceError) {
			item.state = { is: 'failed', error: read, ...(read === sharedError && { isOfSettings: true }) };
		} else {
			item.input = read;
		}
	}
	return {
		items,
		sending: { ...sendingDefaults, ...(sending instanceof ServiceError ? {} : sending) },
		rootMode,
		chain,
		callOf(itemIndex, onlyTestCalls) {
			try {
				return givenCall(operation, sourceOf(itemIndex), items[itemIndex].input, onlyTestCalls);
			} catch {
				// A value that cannot be shown, such as a circular one, must not lose the results of the other items.
				return {};
			}
		},
	};
}

/** Returns the calls that led to some events. An event without them begins a chain. */
async function chainOf(events: readonly IDataObject[]): Promise<ChainedCall[]> {
	const { readEvent } = await import('../../shared/events/event.js');
	return events.flatMap((event) => {
		const { callChain } = event;
		const calls = (Array.isArray(callChain) ? callChain.filter(isRecord) : []).map(({ phone, at }) => ({
			phone: String(phone),
			at: String(at),
		}));
		const { callId, id } = readEvent(event);
		// An event that does not name its call may have the ID of its campaign or agent where others have that of the call.
		const { id: owner } = event.webhookOwner as IDataObject;
		const name = [callId, id].find((one) => one !== undefined && one !== owner) ?? JSON.stringify(event);
		return calls.some(isFirst) ? calls : [firstOf(name), ...calls];
	});
}

/** Reads long lists without blocking the event loop. @throws ServiceError */
async function prepare(values: Readonly<Record<string, unknown>>): Promise<void> {
	for (const value of Object.values(values)) {
		if (value instanceof NumberList) {
			await value.prepare();
		}
	}
}

/** Saves time: n8n would search all properties of the node for a `validateType`, which none of them has. */
const withoutValidation = { skipValidation: true };

/**
 * Reads parameters. getNodeParameter is slow, so each parameter is read once per item, and only once in the run if it
 * does not contain an expression.
 *
 * @param once the options that are read for the first item only
 * @param titleOf returns the name of a parameter in the editor, if it has one of its own
 */
function parametersOf(
	caller: IExecuteFunctions,
	once: ReadonlySet<string | undefined>,
	titleOf: (name: string) => string | undefined,
) {
	const { parameters } = caller.getNode();
	const cache = new Map<string, { isConstant: boolean; readFor?: number; value?: unknown }>();
	const entryOf = (parameter: string, stored: unknown = parameters[parameter]) => {
		const entry = cache.get(parameter) ?? { isConstant: !hasExpression(stored) };
		cache.set(parameter, entry);
		return entry;
	};
	const read = (parameter: string, itemIndex: number, entry: ReturnType<typeof entryOf>): unknown => {
		const isRead = entry.isConstant ? entry.readFor !== undefined : entry.readFor === itemIndex;
		if (!isRead) {
			try {
				entry.value = caller.getNodeParameter(parameter, itemIndex, undefined, withoutValidation);
			} catch (error) {
				throw unresolved(error, titleOf(parameter.replace('options.', '')));
			}
			entry.readFor = itemIndex;
		}
		return entry.value;
	};
	/**
	 * Reads the members of Options one by one: the expressions of some are evaluated for the first item only, and an error
	 * names the member.
	 */
	const readOptions = (stored: Record<string, unknown>, itemIndex: number) => {
		const members = Object.entries(stored).map(([name, value]) => {
			const path = `options.${name}`;
			const isOnce = once.has(name);
			const entry = entryOf(path, isOnce ? undefined : value);
			return [name, read(path, isOnce ? 0 : itemIndex, entry)] as const;
		});
		return Object.fromEntries(members);
	};
	return {
		constants: new Map<Field, unknown>(),
		isConstant: (parameter: string, member?: string) => {
			const collection: unknown = parameters[parameter];
			return member !== undefined && isRecord(collection)
				? !hasExpression(collection[member])
				: entryOf(parameter).isConstant;
		},
		get(parameter: string, itemIndex: number): unknown {
			const stored = parameters[parameter];
			return parameter === 'options' && isRecord(stored)
				? readOptions(stored, itemIndex)
				: read(parameter, itemIndex, entryOf(parameter));
		},
	};
}

/** Returns the error of an item for which n8n cannot resolve a parameter. @param title of the parameter, if known */
function unresolved(error: unknown, title?: string): ServiceError {
	const { message } = asServiceError(error);
	// JavaScript reports this where n8n calls a function for each level of nesting.
	return message.startsWith('Maximum call stack')
		? invalid(`A value ${TOO_DEEP}`, `${REDUCE_NESTING_ADVICE}.`)
		: invalid(
				title === undefined ? message : `'${title}': ${message}`,
				title === undefined ? 'Check the expressions in the fields of this node.' : 'Check its expression.',
			);
}

/** Reads and validates one item. @throws ServiceError if it is invalid */
function readItem(zod: Zod, operation: Operation, source: FieldSource): ItemInput {
	const { fields, updates, filters, options, placesCall, checksCall } = operation;
	const { input, local } = readFields(zod, fields, { [UPDATE_FIELDS]: updates, filters, options }, source);
	const values = placesCall ? withConsent(input, local) : input;
	assertSomethingToUpdate(updates, values);
	operation.check?.(values);
	if (!source.asTool || !(placesCall || checksCall)) {
		return { values, local, call: undefined, toolLimits: undefined };
	}
	assertSetByPerson(toolLimits, source.isConstant);
	const { allowedPrefixes, ...limits } = readFields(zod, toolFields, {}, source).input;
	const number = isRecord(values.to) ? values.to.number : values.to;
	if (number !== undefined) {
		assertAllowed(String(number), allowedPrefixes);
	}
	return { values, local, call: undefined, toolLimits: limits };
}
