import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { loadKeys } from './keys';
import { sendMessage, type Reply } from './messages';

/** What a trigger may listen for, the usual one first. */
const METHODS = ['POST', 'PUT', 'PATCH'] as const;

/** n8n's answer to a method or a path that no published workflow listens for. */
const NOBODY = 404;

/**
 * Sends a message to the trigger at an address, by whichever method its events are delivered.
 *
 * @returns the answer, of n8n itself where no trigger listens; undefined: none came at all
 */
export async function askTrigger(caller: IExecuteFunctions, url: string, message: IDataObject): Promise<Reply | undefined> {
	const { messages: key } = await loadKeys(caller);
	let reply: Reply | undefined;
	for (const method of METHODS) {
		try {
			reply = await sendMessage(caller.helpers, key, url, message, method);
		} catch {
			return undefined;
		}
		if (reply.proven || reply.status !== NOBODY) return reply;
	}
	return reply;
}
