import type { DoubleOptions } from '../../n8n.mts';
import { runOf } from '../../shared/client/run.mts';
import { type Answers, NOT_FOUND, withId } from './service.mts';

/** A run of the node with a service that has these responses. */
export function runWith(answers: Answers, options: DoubleOptions = {}) {
	const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1/', '');
	const answer = (path: string) => withId(answers[path] ?? NOT_FOUND, path);
	const made = runOf({ service: ({ url }) => answer(pathOf(url)), ...options });
	return { ...made, read: () => made.requests.map(({ url }) => pathOf(url)) };
}
