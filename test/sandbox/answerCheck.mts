import { join } from 'node:path';

import { readDocument } from '../../sandbox/contract/document.mts';

/** An answer of a route, as the sandbox hands it to `onAnswer`. */
export interface CheckedAnswer {
	status: number;
	body: unknown;
	type?: string;
}

/**
 * Compares answers with docs/openapi.json. It is stricter than the document: fields that the document does not have
 * are mistakes too.
 * @returns a function that returns what is wrong with an answer of a route; undefined if nothing is
 */
export function answerCheck(
	file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'),
): (request: { method: string; path: string }, answer: CheckedAnswer) => string | undefined {
	const document = readDocument(file);
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
