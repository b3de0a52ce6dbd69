import { createHmac } from 'node:crypto';

import { loadKeys } from '../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../nodes/shared/nodeLink/messages.ts';

/** How a node answered a message. */
export interface MessageReply {
	status: number;
	text: string;
	body: Record<string, unknown>;
	/** Whether a node with the key has answered. */
	proven: boolean;
}

/** The key of the messages among nodes whose credential has this token. */
export async function messageKey(environmentToken: string): Promise<Buffer> {
	const { messages } = await loadKeys({ getCredentials: async () => ({ environmentToken }) as never });
	return messages;
}

/**
 * Sends a message to a node as another node of the package does, or as somebody who has altered it.
 *
 * @param message as text: byte for byte, without the time
 * @param signature in the place of the right one
 */
export async function sendMessageTo(
	url: string,
	key: Buffer,
	message: object | string,
	{ method = 'POST', signedWith = key, signature = '' } = {},
): Promise<MessageReply> {
	const body = typeof message === 'string' ? message : JSON.stringify({ at: Date.now(), ...message });
	const header = signature || createHmac('sha256', signedWith).update(body).digest('hex');
	const headers = { 'content-type': 'application/json', [MESSAGE_HEADER]: header };
	const response = await fetch(url, { method, body, headers });
	const text = await response.text();
	return {
		status: response.status,
		text,
		body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
		proven: response.headers.get(MESSAGE_HEADER) === proofFor(key, header),
	};
}
