import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../errors/serviceError';
import { loadKeys } from './keys';
import { type Reply, sendMessage } from './messages';

/**
 * Sends a message to the trigger at an address, which takes a POST whatever method its events are delivered by.
 *
 * @returns the answer, of n8n itself where no trigger listens; undefined: none came at all
 */
export async function askTrigger(
	caller: IExecuteFunctions,
	url: string,
	message: IDataObject,
): Promise<Reply | undefined> {
	const { messages } = await loadKeys(caller);
	return (await attempt(sendMessage(caller.helpers, messages, url, message))).value;
}
