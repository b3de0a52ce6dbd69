import { createHmac } from 'node:crypto';

import { loadKeys } from '../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../nodes/shared/triggerClient/messages.ts';
import { triggerPathOf } from '../nodes/shared/triggerSecrets/triggerUrl.ts';

/** A node's response to a message. */
export interface MessageReply {
	status: number;
	text: string;
	body: Record<string, unknown>;
	/** Whether the response proves that the node has the key. */
	proven: boolean;
}

/** Returns the key of messages between nodes whose credential has this token. */
export async function messageKey(environmentToken: string): Promise<Buffer> {
	const { messages } = await loadKeys({ getCredentials: async () => ({ environmentToken }) as never });
	return messages;
}

/**
 * Sends a message to a node like another node of the package, or like an attacker.
 *
 * @param message an object to which the time and the path of the target are added, or text to send unchanged
 * @param signature replaces the correct signature
 */
export async function sendMessageTo(
	url: string,
	key: Buffer,
	message: object | string,
	{ signedWith = key, signature = '' } = {},
): Promise<MessageReply> {
	const body =
		typeof message === 'string' ? message : JSON.stringify({ at: Date.now(), to: triggerPathOf(url), ...message });
	const header = signature || createHmac('sha256', signedWith).update(body).digest('hex');
	const headers = { 'content-type': 'application/json', [MESSAGE_HEADER]: header };
	const response = await fetch(url, { method: 'POST', body, headers });
	const text = await response.text();
	return {
		status: response.status,
		text,
		body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
		proven: response.headers.get(MESSAGE_HEADER) === proofFor(key, header),
	};
}
