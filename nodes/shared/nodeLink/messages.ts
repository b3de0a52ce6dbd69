import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IDataObject, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

/** Carries the HMAC of a message of one node of this package to another, in hex. */
export const MESSAGE_HEADER = 'x-voice-agent-calling-message';

/** How far the time in a message may be from now, either way. */
const WINDOW_MS = 5 * 60_000;

const TIMEOUT_MS = 20_000;

function hmac(key: Buffer, body: string | Buffer): Buffer {
	return createHmac('sha256', key).update(body).digest();
}

/** The proof that an answer comes from a node with the same credential: the message's own signature, signed once more. */
export function proofFor(key: Buffer, signature: string): string {
	return hmac(key, signature).toString('hex');
}

/**
 * Tells whether a message comes from a node with the same credential, and was sent just now.
 *
 * @param header the value of {@link MESSAGE_HEADER}
 * @returns what it says; undefined: it is not to be believed
 */
export function readMessage(key: Buffer, rawBody: Buffer, header: unknown): IDataObject | undefined {
	if (typeof header !== 'string' || !/^[0-9a-f]{64}$/.test(header)) {
		return undefined;
	}
	if (!timingSafeEqual(hmac(key, rawBody), Buffer.from(header, 'hex'))) {
		return undefined;
	}
	const message = JSON.parse(rawBody.toString('utf8')) as IDataObject & { at: number };
	return Math.abs(Date.now() - message.at) <= WINDOW_MS ? message : undefined;
}

/** What came back of a message. */
export interface Reply {
	status: number;
	body: unknown;
	/** Whether it was answered by a node with the same credential. */
	proven: boolean;
}

/**
 * Sends a message to another node of this package, on this n8n.
 *
 * @throws Error when nobody answers
 */
export async function sendMessage(
	helpers: Pick<RequestHelperFunctions, 'httpRequest'>,
	key: Buffer,
	url: string,
	message: IDataObject,
): Promise<Reply> {
	const body = JSON.stringify({ ...message, at: Date.now() });
	const signature = hmac(key, body).toString('hex');
	const response = (await helpers.httpRequest({
		method: 'POST',
		url,
		body,
		headers: { 'content-type': 'application/json', [MESSAGE_HEADER]: signature },
		timeout: TIMEOUT_MS,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	})) as IN8nHttpFullResponse;
	const { statusCode: status, headers, body: answer } = response;
	return { status, body: answer, proven: headers[MESSAGE_HEADER] === proofFor(key, signature) };
}
