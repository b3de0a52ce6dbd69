import { readDocument } from '../../sandbox/contract/document.mts';
import { openApiDocument } from '../../sandbox/openApi/document.mts';

/** An answer of a route, as the sandbox hands it to `onAnswer`. */
export interface CheckedResponse {
	status: number;
	body: unknown;
	type?: string;
}

/**
 * Compares answers with the OpenAPI document. It is stricter than the document: fields that the document does not have
 * are mistakes too.
 * @returns a function that returns what is wrong with an answer of a route; undefined if nothing is
 */
export function responseCheck(): (
	request: { method: string; path: string },
	response: CheckedResponse,
) => string | undefined {
	const document = readDocument(openApiDocument());
	return ({ method, path }, { status, body, type }) => {
		// As it is sent: without values that are undefined.
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
