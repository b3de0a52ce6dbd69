import type { INode } from 'n8n-workflow';

import { ServiceError } from './serviceError';

/** Whether an AI agent runs the node. n8n gives the tool form of a node a type of its own. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** The error for what an AI agent must not do. @param what the operation or the value */
export function notForTools(what: string): ServiceError {
	return new ServiceError(`${what} is not open to an AI agent`, {
		code: 'NOT_FOR_TOOLS',
		advice: 'Do this in a workflow of its own, where a person decides.',
		accepted: 'no',
	});
}
