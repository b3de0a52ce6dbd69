import { type Field, issueOf, jsonValue, kindOf } from '../../../shared/fields/field';
import { json } from '../../../shared/fields/kinds';
import { isJsonObject, isRecord } from '../../../shared/lib/json';

/** Takes the flow out of an output item of Get. n8n shows and copies one item as a list. */
function flowIn(value: unknown): unknown {
	const [item, ...others] = Array.isArray(value) ? value : [value];
	if (others.length > 0 || !isRecord(item) || 'nodes' in item) {
		return value;
	}
	if (isRecord(item.json)) {
		return flowIn(item.json);
	}
	return 'flow_config' in item ? item.flow_config : value;
}

/** A flow, or an output item of Get. */
export const flow: Field<'flow_config', Record<string, unknown>> = {
	...json('flow_config', {
		displayName: 'Flow',
		name: 'flow',
		default: '',
		required: true,
		description:
			'Conversation flow: the ID of its first node, and nodes of the types say, ask, decision, action, transfer and end. Also accepts the output of Agent Flow → Get.',
	}),
	check: (zod) =>
		jsonValue(zod).transform((value, context) => {
			const found = flowIn(value);
			if (isJsonObject(found)) {
				return found;
			}
			context.addIssue(
				found === null && value !== null
					? issueOf('Use the flow of an agent whose conversation mode is flow_driven', {
							ofField: 'has no flow: the language model leads the conversations of this agent',
						})
					: issueOf('Enter one JSON object with initial_node_id and nodes, or an item of Get', {
							ofField: `is ${kindOf(found)}, not an object`,
						}),
			);
			return zod.NEVER;
		}),
};
