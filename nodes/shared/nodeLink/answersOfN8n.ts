import { isRecord } from '../lib/isRecord';
import type { Reply } from './messages';

/** What n8n answers at the address of an execution that is running, and so cannot be resumed yet. */
const RUNNING = /^The execution\b.*\brunning\b/;

/** What n8n answers if the execution was stopped or deleted, has ended, or waits for something else. */
const NOTHING_WAITS =
	/^The (?:execution\b.*\b(?:does not exist|finished)|workflow for execution\b.*\bwaiting webhook)\b/;

function saidBy({ body }: Reply): string {
	return isRecord(body) ? String(body.message) : '';
}

/** Whether n8n itself says that the execution of an address is running. A proxy answers with JSON, too. */
export function saysRunning(reply: Reply): boolean {
	return reply.status === 409 && RUNNING.test(saidBy(reply));
}

/** Whether n8n itself says that the execution of an address does not wait for a message, and never will again. */
export function saysNothingWaits(reply: Reply): boolean {
	return [404, 409].includes(reply.status) && NOTHING_WAITS.test(saidBy(reply));
}
