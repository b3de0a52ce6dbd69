import type { DoubleOptions } from '../../n8n.mts';
import { runOf } from '../sending/run.mts';
import { type Answers, NOT_FOUND } from './service.mts';

/** A run of the node with a service that has these responses. */
export function runWith(answers: Answers, options: DoubleOptions = {}) {
	const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1/', '');
	const made = runOf({ service: ({ url }) => answers[pathOf(url)] ?? NOT_FOUND, ...options });
	return { ...made, read: () => made.requests.map(({ url }) => pathOf(url)) };
}
