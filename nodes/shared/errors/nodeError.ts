import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isTool } from './aiTool';
import { asServiceError, sentences } from './serviceError';

/**
 * Makes n8n's own error. It holds texts made here, never what an HTTP library threw: that would carry
 * the request's headers, and with them the token.
 *
 * @param itemIndex the input item that it is about, counted from 0 as n8n does
 * @param more a sentence to add to the description
 */
export function asNodeError(
	node: INode,
	cause: unknown,
	itemIndex?: number,
	more = '',
): NodeApiError | NodeOperationError {
	const { message: what, advice, code, httpStatus } = asServiceError(cause);
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	// A model is told the message alone, so the advice has to be in it.
	const message = isTool(node) ? sentences(what, advice) : what + item;
	const description = [advice, more].filter(Boolean).join(' ');
	// n8n writes the node of an error to its log: not with secrets that were typed into its fields.
	const named: INode = { ...node, parameters: {} };
	if (httpStatus === undefined) {
		return new NodeOperationError(named, message, { description, itemIndex });
	}
	const plain: JsonObject = { message, code };
	return new NodeApiError(named, plain, {
		message,
		description,
		httpCode: String(httpStatus),
		itemIndex,
	});
}
