import type { INodeExecutionData } from 'n8n-workflow';

/**
 * An item as n8n stores it with a waiting execution.
 *
 * n8n takes an item for the error output if it has a property `error`, and then replaces its `json` by the message of
 * the error; or if `json` has nothing but `error`, which it keeps.
 */
export function storedItem({ json, pairedItem, error }: INodeExecutionData): INodeExecutionData {
	return error === undefined ? { json, pairedItem } : { json: { error: json }, pairedItem };
}
