import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../shared/errors/nodeError';
import { invalid, type ServiceError } from '../../shared/errors/serviceError';
import type { Field } from '../../shared/fields/field';
import { UPDATE_FIELDS } from '../../shared/fields/readFields';
import { lostVariable, useOfItem } from '../../shared/lib/expressions';
import { isRecord } from '../../shared/lib/json';
import { itemOfTool } from '../../shared/n8nInternals';
import type { Operation } from '../operation/operation';

// Checks the stored values of a node for expressions that n8n would evaluate to something else than the author expects.

const FROM_MODEL = 'let the model fill the field in, with the button beside it or $fromAI';

/**
 * Returns the error for a tool whose values would come from another item than the one on which its agent works: n8n
 * evaluates some expressions of a tool with the first item. Returns undefined if all values come from the right item.
 */
export function wrongItemError(caller: IExecuteFunctions, operation: Operation): ServiceError | undefined {
	const node = caller.getNode();
	if (!isTool(node)) {
		return undefined;
	}
	const { isOwn, fromModel, isReplaced, isPaired } = itemOfTool(caller);
	for (const { label, value } of storedValues(operation, node.parameters)) {
		const { any, properties, whole, rest } = useOfItem(value);
		if (any && !isOwn) {
			return invalid(
				`Not sent: the AI agent has several items, and n8n would use the first one for '${label}'`,
				`Put Loop Over Items before the agent, with a batch size of 1; or ${FROM_MODEL}.`,
			);
		}
		if (rest && !isPaired) {
			return invalid(
				`Not sent: n8n would use another item for '${label}' than the one on which the AI agent works`,
				`Use $json, the item that the agent gets; or ${FROM_MODEL}.`,
			);
		}
		const passed = fromModel.filter((name) => properties.includes(name) || (whole && isReplaced));
		if (passed.length > 0) {
			return invalid(
				`Not sent: '${label}' is from the item, and the model has passed another value for it`,
				`Do not pass ${passed.join(', ')}. If the model should choose it, ${FROM_MODEL}.`,
			);
		}
	}
	return undefined;
}

/** Returns the values of an operation as n8n stores them, with their names in the editor. */
function storedValues(
	{ fields, updates, filters, options, sending }: Operation,
	stored: Readonly<Record<string, unknown>>,
): Array<{ label: string; value: unknown }> {
	const groups: ReadonlyArray<[fields: readonly Field[], values: unknown]> = [
		[fields, stored],
		[updates, stored[UPDATE_FIELDS]],
		[filters, stored.filters],
		[options, stored.options],
		[sending, stored.sending],
	];
	return groups.flatMap(([group, values]) =>
		group.flatMap(({ properties }) =>
			properties.map(({ name, displayName }) => ({
				label: displayName,
				value: isRecord(values) ? values[name] : undefined,
			})),
		),
	);
}

/** Returns the error for a text from which n8n would drop a variable; undefined if n8n drops nothing. */
export function lostVariableError(
	operation: Operation,
	stored: Readonly<Record<string, unknown>>,
): ServiceError | undefined {
	for (const { label, value } of storedValues({ ...operation, sending: [] }, stored)) {
		const variable = lostVariable(value);
		if (variable !== undefined) {
			return invalid(
				`'${label}' is an expression, in which n8n replaces ${variable} with nothing`,
				'Switch the field from Expression to Fixed.',
			);
		}
	}
	return undefined;
}
