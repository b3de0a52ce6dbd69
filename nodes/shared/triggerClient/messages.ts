import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { textsOf } from '../errors/catalog';
import { COMMON_ADVICE, type Destination, isTimeout, whyNotSent } from '../errors/notSent';
import { type Result, ServiceError, toResult } from '../errors/serviceError';
import { loadKeys } from '../keys';
import { triggerPathOf } from '../triggerSecrets/triggerUrl';
import { PUBLIC_ADDRESS_VARIABLE } from '../webhookResponse';

/** The header with the HMAC-SHA256 of a message between nodes of this package, in hex. */
export const MESSAGE_HEADER = 'x-voice-agent-calling-message';

/** How far the time in a message may be from now, in the past or the future. */
const MESSAGE_WINDOW_MS = 5 * 60_000;

/** How long a node may take to respond, by default. */
const REPLY_TIMEOUT_MS = 20_000;

function hmac(key: Buffer, body: string | Buffer): Buffer {
	return createHmac('sha256', key).update(body).digest();
}

/**
 * Proves that a reply comes from a node with the same credential.
 *
 * @param signature the signature of the message
 * @returns the HMAC of that signature, in hex
 */
export function proofFor(key: Buffer, signature: string): string {
	return hmac(key, signature).toString('hex');
}

/**
 * Reads a message, if it comes from a node with the same credential and was sent within the last five minutes.
 *
 * @param header the value of {@link MESSAGE_HEADER}
 * @returns the message; undefined if its signature is missing or wrong, or its time is outside the window
 */
export function readMessage(key: Buffer, rawBody: Buffer, header: unknown): IDataObject | undefined {
	if (typeof header !== 'string' || !/^[0-9a-f]{64}$/.test(header)) {
		return undefined;
	}
	if (!timingSafeEqual(hmac(key, rawBody), Buffer.from(header, 'hex'))) {
		return undefined;
	}
	const message = JSON.parse(rawBody.toString('utf8')) as IDataObject & { at: number };
	return Math.abs(Date.now() - message.at) <= MESSAGE_WINDOW_MS ? message : undefined;
}

/** The HTTP response to a message. */
export interface Reply {
	status: number;
	body: unknown;
	/** Whether a node with the same credential has responded. */
	proven: boolean;
	/** The target of a redirect, which is not followed. */
	location?: unknown;
}

/**
 * Sends a message to another node of this package, on this n8n.
 *
 * @throws ServiceError `NO_ANSWER` if there is no HTTP response
 */
export async function sendMessage(
	helpers: Pick<RequestHelperFunctions, 'httpRequest'>,
	key: Buffer,
	url: string,
	message: IDataObject,
	timeoutMs = REPLY_TIMEOUT_MS,
): Promise<Reply> {
	const body = JSON.stringify({ ...message, at: Date.now() });
	const signature = hmac(key, body).toString('hex');
	let response: IN8nHttpFullResponse;
	try {
		response = (await helpers.httpRequest({
			method: 'POST',
			url,
			body,
			headers: { 'content-type': 'application/json', [MESSAGE_HEADER]: signature },
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (cause) {
		throw noReply(cause, url);
	}
	const { statusCode: status, headers, body: replyBody } = response;
	const proven = headers[MESSAGE_HEADER] === proofFor(key, signature);
	return { status, body: replyBody, proven, location: headers.location };
}

/** What to do if n8n does not respond at its own public address. */
const [, REACH_N8N] = textsOf('NO_ANSWER');

/** This n8n, at its own public address. */
const OWN_ADDRESS: Destination = {
	address: 'this address',
	advice: {
		...COMMON_ADVICE,
		allow: "Allow n8n's own public address in its SSRF protection settings.",
		port: 'Check that the port of the public address of n8n is for https and not for http, and check any proxy before n8n.',
		reach: REACH_N8N,
		rename: `Set n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} to an address with the host name of the certificate.`,
		renew: 'Renew the certificate.',
	},
};

/** Creates the error for a message to this n8n without an HTTP response. The error's message is only the reason. */
export function noReply(cause: unknown, url?: string): ServiceError {
	const unsent = whyNotSent(cause, OWN_ADDRESS, url === undefined ? undefined : new URL(url));
	const what = isTimeout(cause) ? 'no answer came in time' : 'the connection was closed before an answer came';
	return new ServiceError(unsent?.what ?? what, {
		code: 'NO_ANSWER',
		advice: unsent?.advice ?? OWN_ADDRESS.advice.reach,
		accepted: unsent ? 'no' : 'unknown',
	});
}

/**
 * Sends a message to the trigger at a URL, always as a POST. Only the trigger with this path accepts it.
 *
 * @returns the reply, which is from n8n itself if no trigger listens; an error if there was no HTTP response
 */
export async function messageTrigger(
	caller: IExecuteFunctions,
	url: string,
	message: IDataObject,
): Promise<Result<Reply>> {
	const { messages } = await loadKeys(caller);
	return await toResult(sendMessage(caller.helpers, messages, url, { ...message, to: triggerPathOf(url) }));
}
