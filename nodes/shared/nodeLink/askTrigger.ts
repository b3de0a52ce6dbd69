import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Result, toResult } from '../errors/serviceError';
import { loadKeys } from './keys';
import { type Reply, sendMessage } from './messages';

/** How long a trigger may take for a command that makes it send requests to the service, in milliseconds. */
const COMMAND_TIMEOUT_MS = 60_000;

/**
 * Sends a message to the trigger at a URL. It is a POST, whatever method the trigger's events are delivered by.
 *
 * @returns the reply, from n8n itself if no trigger listens; an error if there was no HTTP response
 */
export async function askTrigger(caller: IExecuteFunctions, url: string, message: IDataObject): Promise<Result<Reply>> {
	const { messages } = await loadKeys(caller);
	const timeout = message.command === 'check' ? undefined : COMMAND_TIMEOUT_MS;
	return await toResult(sendMessage(caller.helpers, messages, url, message, timeout));
}
