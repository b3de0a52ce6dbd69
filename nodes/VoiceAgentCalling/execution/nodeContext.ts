import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../shared/errors/aiTool';

/** The contexts of tools outside of an execution: by what n8n runs them with, then by the name of the node. */
const contexts = new WeakMap<object, Map<string, IDataObject>>();

/**
 * What the node remembers between the tries of Retry On Fail, and between its runs in one execution.
 *
 * The MCP Server Trigger runs tools outside of an execution, where n8n has no context for a node. What lasts there over
 * all tries is the object that n8n makes for each request of an MCP client: each request is a run of its own.
 */
export function contextOf(caller: IExecuteFunctions): IDataObject {
	const node = caller.getNode();
	if (!isTool(node)) {
		return caller.getContext('node');
	}
	try {
		return caller.getContext('node');
	} catch {
		const request = caller.getExecuteData();
		const byName = contexts.get(request) ?? new Map<string, IDataObject>();
		const context = byName.get(node.name) ?? {};
		contexts.set(request, byName.set(node.name, context));
		return context;
	}
}
