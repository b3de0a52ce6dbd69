/** The statuses of an agent that makes and takes calls; the API reference uses one, the public documentation the other. */
const PUBLISHED: unknown[] = ['published', 'active'];

/** Whether an agent with this status makes and takes calls. */
export function isPublished(status: unknown): boolean {
	return PUBLISHED.includes(status);
}
