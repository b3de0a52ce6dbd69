import type { INode } from 'n8n-workflow';

import { ServiceError } from './serviceError';

/** Whether an AI agent runs the node. The tool variant of a node has its own type, which ends in `Tool`. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** The error for something that an AI agent may not do. @param what the name of the operation or value */
export function notForTools(
	what: string,
	advice = 'Do this in a workflow of its own, where a person decides.',
): ServiceError {
	return new ServiceError(`${what} is not open to an AI agent`, { code: 'NOT_FOR_TOOLS', advice, accepted: 'no' });
}

/** The error for a value that a person may give to a tool, and a model must not. @param what the name of the value */
export function onlyByPerson(what: string): ServiceError {
	return notForTools(
		what,
		'Whoever built the workflow can enter it as a fixed value: an expression counts as the model.',
	);
}
