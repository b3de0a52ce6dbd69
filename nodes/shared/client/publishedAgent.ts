import { statusWord } from './forms';

/** The statuses of an agent that makes and takes calls; the API reference uses one, the public documentation the other. */
const PUBLISHED: unknown[] = ['published', 'active'];

/** Whether an agent with this status is being edited, and makes and takes no calls. */
export function isDraft(status: unknown): boolean {
	return ['draft', 'inactive'].includes(statusWord(status));
}

/** Whether an agent with this status makes and takes calls. */
export function isPublished(status: unknown): boolean {
	return PUBLISHED.includes(statusWord(status));
}
