import { readDocument } from '../../sandbox/contract/document.mts';
import { openApiDocument } from '../../sandbox/openApi/document.mts';

/** A response of a route, as passed to `onResponse`. */
export interface CheckedResponse {
	status: number;
	body: unknown;
	type?: string;
}

/**
 * Compares responses with the OpenAPI document. It is stricter than the document: unknown fields are differences too.
 * @returns a function that returns the differences of a response; undefined without a difference
 */
export function responseCheck(): (
	request: { method: string; path: string },
	response: CheckedResponse,
) => string | undefined {
	const document = readDocument(openApiDocument());
	return ({ method, path }, { status, body, type }) => {
		// Undefined values are not sent.
		const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
		const found = document.differences(
			method,
			path.replace(/:(\w+)/g, '{$1}'),
			status,
			sent,
			type ?? 'application/json',
		);
		return found.length === 0
			? undefined
			: `${method} ${path} ${status}: ${found.join(', ')}\n${JSON.stringify(sent).slice(0, 2000)}`;
	};
}
