import type { INode } from 'n8n-workflow';

import { type ServiceError, serviceError } from './serviceError';

/** Whether an AI agent runs the node. The tool variant of a node has its own type, which ends in `Tool`. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** The error for something that an AI agent may not do. @param what the name of the operation or value */
export function notForTools(what: string): ServiceError {
	return serviceError('NOT_FOR_TOOLS', { what });
}

/** The error for a value that a person may give to a tool, and a model must not. @param what the name of the value */
export function onlyByPerson(what: string): ServiceError {
	const advice = 'Enter it as a fixed value in the node. A value from an expression may come from the model.';
	return notForTools(what).with({ advice });
}
