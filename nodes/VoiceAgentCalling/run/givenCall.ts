import type { IDataObject } from 'n8n-workflow';

import { assignsSecret } from '../../shared/client/secrets';
import type { FieldSource } from '../../shared/fields/field';
import { fromJson, isRecord, isTooDeep } from '../../shared/lib/json';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';
import { CALLER_IDS, type CallerIdField } from '../operation/call';
import type { ItemInput } from '../operation/items';
import type { Operation } from '../operation/operation';

/**
 * Returns the call of an item as the user entered it, for the output of an item that failed: number, agent or campaign,
 * context, and whether it is a test call (null if unknown).
 *
 * @param source the parameters of the item, which may be invalid
 * @param input the checked values of the item, if they are valid
 * @param onlyTestCalls whether the credential makes every call a test call; undefined if unknown
 * @returns an empty object if the item places no call
 */
export function givenCall(
	operation: Operation,
	source: FieldSource,
	input: ItemInput | undefined,
	onlyTestCalls: boolean | undefined,
): IDataObject {
	const { callerIdField, checksCall } = operation;
	if (checksCall) {
		const to = enteredNumber(operation, source);
		return isShowable(to) ? ({ to } as IDataObject) : {};
	}
	const given = callerIdField ? enteredCall(operation, callerIdField, source) : callOfRequest(operation, input?.values);
	if (given === undefined) {
		return {};
	}
	const { isTest, payload, ...call } = given as Record<string, unknown>;
	const parsed = fromJson(call.context);
	const context = isTooDeep(parsed) ? undefined : withoutResumeTokens(parsed);
	const isEmpty = context === '' || (isRecord(context) && Object.keys(context).length === 0);
	const all = {
		...call,
		context: isEmpty ? undefined : context,
		payload: withoutResumeTokens(input?.values.payload ?? payload),
	};
	const shown = Object.entries(all).filter(([, value]) => isShowable(value));
	return { ...Object.fromEntries(shown), isTest: isTestCall(isTest, onlyTestCalls) } as IDataObject;
}

/** Returns whether a call would have been a test call; null if unknown. */
function isTestCall(chosen: unknown, onlyTestCalls: boolean | undefined): boolean | null {
	if (chosen === true || onlyTestCalls === true) {
		return true;
	}
	return chosen === false && onlyTestCalls === false ? false : null;
}

function enteredCall(
	{ fields, options }: Operation,
	callerIdField: CallerIdField,
	source: FieldSource,
): Record<string, unknown> {
	const fieldOf = (key: string) => [...fields, ...options].find((field) => field.key === key);
	const read = (key: string, from = source) => fieldOf(key)?.read?.(from);
	const given = unlessItFails(() => source.get('options'));
	const added = isRecord(given) ? given : {};
	const inOptions = { ...source, get: (parameter: string) => added[parameter] };
	return {
		to: enteredNumber({ fields }, source),
		[CALLER_IDS[callerIdField]]: unlessItFails(() => read(callerIdField)),
		context: unlessItFails(() => read('context', inOptions)),
		isTest: unlessItFails(() => read('is_testing')),
		payload: unlessItFails(() => mappedValues(source.get('agentVariables'))),
	};
}

/** Returns the variables that a user maps one by one. @param mapping the parameter Agent Variables */
function mappedValues(mapping: unknown): unknown {
	const values = isRecord(mapping) ? mapping.value : undefined;
	return isRecord(values) && Object.keys(values).length > 0 ? values : undefined;
}

function enteredNumber({ fields }: Pick<Operation, 'fields'>, source: FieldSource): unknown {
	const [number] = fields.find(({ key }) => key === 'to')?.properties ?? [];
	return number && unlessItFails(() => source.get(number.name));
}

/** Returns the value, or undefined if its expression fails. */
function unlessItFails(read: () => unknown): unknown {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** Returns the call of a request that the user wrote; undefined if the request does not place a call. */
function callOfRequest({ callIn }: Operation, values: ItemInput['values'] | undefined) {
	const call = values && callIn(values);
	if (!call || !isRecord(values.body)) {
		return undefined;
	}
	const { to, context } = values.body;
	const { callerIdField, callerId, isTest } = call;
	return { to, ...(callerIdField && { [CALLER_IDS[callerIdField]]: callerId }), context, isTest };
}

/** Whether the output may contain a value. Parameters that a user dropped into the wrong field may contain a secret. */
function isShowable(value: unknown): boolean {
	const isNone = value === undefined || value === null || isTooDeep(value);
	return !isNone && !assignsSecret(String(JSON.stringify(value)));
}
