import type { IDataObject } from 'n8n-workflow';

import type { FieldSource } from '../../shared/fields/field';
import { fromJson } from '../../shared/lib/fromJson';
import { isRecord } from '../../shared/lib/isRecord';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import { assignsSecret } from '../../shared/service/secrets';
import type { ItemInput } from '../operation/items';
import type { CalledBy, Operation } from '../operation/operation';

/** The service's names for the ID of who calls. */
const CALLER_IDS: Record<CalledBy, string> = { agentId: 'agent_id', campaignId: 'campaign_id' };

/**
 * The call of an item as the user entered it, for the output of an item that failed: its number, its agent or campaign
 * and its context.
 *
 * @param source the parameters of the item, which may be invalid
 * @param input the checked values of the item, if they are valid
 * @returns an empty object where the item places no call
 */
export function givenCall(operation: Operation, source: FieldSource, input: ItemInput | undefined): IDataObject {
	const { calledBy } = operation;
	const given = calledBy ? entered(operation, calledBy, source) : inRequest(operation, input?.values);
	const context = withoutTickets(fromJson(given.context));
	const isEmpty = context === '' || (isRecord(context) && Object.keys(context).length === 0);
	const call = { ...given, context: isEmpty ? undefined : context };
	return Object.fromEntries(Object.entries(call).filter(([, value]) => isShowable(value))) as IDataObject;
}

function entered({ fields, options }: Operation, calledBy: CalledBy, source: FieldSource): Record<string, unknown> {
	const fieldOf = (key: string) => [...fields, ...options].find((field) => field.key === key);
	const read = (key: string, from = source) => fieldOf(key)?.read?.(from);
	const added = addedOptions(source);
	const inOptions = { ...source, get: (parameter: string) => added[parameter] };
	const [number] = fieldOf('to')?.properties ?? [];
	return {
		to: number && source.get(number.name),
		[CALLER_IDS[calledBy]]: read(calledBy),
		context: read('context', inOptions),
	};
}

/** The options that the user added; none where one of their expressions fails. */
function addedOptions(source: FieldSource): Record<string, unknown> {
	try {
		const options = source.get('options');
		return isRecord(options) ? options : {};
	} catch {
		return {};
	}
}

/** The call of a request that the user wrote. */
function inRequest({ callIn }: Operation, values: ItemInput['values'] | undefined): Record<string, unknown> {
	const call = values && callIn(values);
	if (!call || !isRecord(values.body)) {
		return {};
	}
	const { to, context } = values.body;
	return { to, ...(call.calledBy && { [CALLER_IDS[call.calledBy]]: call.callerId }), context };
}

/** Somebody may have dropped the parameters of another operation into a field. */
function isShowable(value: unknown): boolean {
	return value !== undefined && value !== null && !assignsSecret(String(JSON.stringify(value)));
}
