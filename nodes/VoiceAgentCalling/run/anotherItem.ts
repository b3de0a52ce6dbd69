import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../shared/errors/nodeError';
import { invalid, type ServiceError } from '../../shared/errors/serviceError';
import { useOfItem } from '../../shared/lib/expressions';
import { itemOfTool } from '../../shared/n8nInternals';
import type { Operation } from '../operation/operation';
import { storedValues } from './storedValues';

/** What helps whoever built the workflow. */
const FROM_MODEL = 'let the model fill the field in, with the button beside it or $fromAI';

/**
 * Returns the error for a tool that has a value of another item than the one on which its agent works, because n8n
 * evaluates some expressions of tools with the first item; undefined if each value is of the right item.
 */
export function anotherItem(caller: IExecuteFunctions, operation: Operation): ServiceError | undefined {
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
