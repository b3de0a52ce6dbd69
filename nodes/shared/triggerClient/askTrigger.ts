import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Result, toResult } from '../errors/serviceError';
import { loadKeys } from '../keys';
import { triggerPathOf } from '../triggerSecrets/triggerUrl';
import { type Reply, sendMessage } from './messages';

/**
 * Sends a message to the trigger at a URL. It is a POST, whatever method the trigger's events are delivered by. Only the
 * trigger with this path accepts it.
 *
 * @returns the reply, from n8n itself if no trigger listens; an error if there was no HTTP response
 */
export async function askTrigger(caller: IExecuteFunctions, url: string, message: IDataObject): Promise<Result<Reply>> {
	const { messages } = await loadKeys(caller);
	return await toResult(sendMessage(caller.helpers, messages, url, { ...message, to: triggerPathOf(url) }));
}
