import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asServiceError, messageWithAdvice, type ServiceError, serviceError, wholeAdvice } from './serviceError';

/**
 * Converts an error to n8n's error types. Only the texts of the nodes are copied, never the error of an HTTP library,
 * which contains the request's headers and therefore the token.
 *
 * @param itemIndex the input item that caused it, counted from 0
 * @param more a sentence to append to the description
 * @returns a NodeApiError for an error with an HTTP status, otherwise a NodeOperationError
 */
export function asNodeError(
	node: INode,
	cause: unknown,
	itemIndex?: number,
	more = '',
): NodeApiError | NodeOperationError {
	const error = asServiceError(cause);
	if (isTool(node)) {
		// An AI agent gets only one text: the message, or in older versions of n8n the description, if it exists.
		return toNodeError(node, error, messageWithAdvice(error, more), undefined, itemIndex);
	}
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	return toNodeError(node, error, error.message + item, wholeAdvice(error, more), itemIndex);
}

/**
 * Converts an error in the registration of a trigger, see {@link asNodeError}. The editor shows only the message, so it
 * contains the advice.
 */
export function asRegistrationError(node: INode, cause: unknown): NodeApiError | NodeOperationError {
	const error = asServiceError(cause);
	return toNodeError(node, error, messageWithAdvice(error), undefined);
}

function toNodeError(
	node: INode,
	{ code, httpStatus }: ServiceError,
	message: string,
	description: string | undefined,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	// n8n logs the node of an error, so the parameters are left out: they may contain secrets.
	const withoutParameters: INode = { ...node, parameters: {} };
	if (httpStatus === undefined) {
		return new NodeOperationError(withoutParameters, message, { description, itemIndex });
	}
	const plain: JsonObject = { message, code };
	return new NodeApiError(withoutParameters, plain, {
		message,
		description,
		httpCode: String(httpStatus),
		itemIndex,
	});
}

/** Whether an AI agent runs the node. The tool variant of a node has its own type, which ends in `Tool`. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** Creates the error for an action that an AI agent may not take. @param what the name of the operation or value */
export function notForTools(what: string): ServiceError {
	return serviceError('NOT_FOR_TOOLS', { what });
}

/** Creates the error for a value that a person may set in a tool, but a model must not. @param what its name */
export function onlyByPerson(what: string): ServiceError {
	const advice = 'Enter it as a fixed value in the node. A value from an expression may come from the model.';
	return notForTools(what).with({ advice });
}
