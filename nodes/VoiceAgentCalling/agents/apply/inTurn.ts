import { sleep } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { toResult } from '../../../shared/errors/serviceError';

/**
 * Runs the changes of an agent by several items of a run one after the other: the later one has to see what the earlier
 * one has changed.
 *
 * @param agent what the changes have in common, such as the ID of the agent
 */
export async function inTurn<Value>(api: Api, agent: string, change: () => Promise<Value>): Promise<Value> {
	const queue = await api.remember(`changes of ${agent}`, async () => ({ last: Promise.resolve() }));
	const changed = queue.last.then(change);
	// A change that fails can end the run: the pause lets the next one know before it begins.
	queue.last = toResult(changed).then(() => sleep(0));
	return await changed;
}
