import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asServiceError } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { respond } from '../../shared/lib/webhookResponse';
import { loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import { type Owner, ownerIn } from '../../shared/nodeLink/owner';
import { readSettings } from '../parameters/settings';
import { assureConnected, connectOwner, disconnectOwner } from '../registration/connections';
import { ownRegistration, storedWebhooks } from '../registration/deliveryKeys';
import { putBackNewerKey, successorsOf } from '../registration/newerKey';
import { nodeKey } from '../registration/nodeKey';
import { rotate } from '../registration/rotation';
import { refuse } from './responses';

/** Rotations by the signature of their message, so that a replayed message does not rotate again. */
const rotationsByMessage = new BoundedMap<Promise<number>>();

/**
 * Handles a message from an action node with the same credential. The response proves that it comes from this node.
 *
 * @returns undefined if the request is not a message
 */
export async function handleCommand(
	caller: IWebhookFunctions,
	rawBody: Buffer,
): Promise<IWebhookResponseData | undefined> {
	const signature = caller.getHeaderData()[MESSAGE_HEADER];
	if (typeof signature !== 'string') {
		return undefined;
	}
	const { messages } = await loadKeys(caller);
	const message = readMessage(messages, rawBody, signature);
	if (message === undefined) {
		return refuse(caller, 'a message that is not from a node with this credential');
	}
	caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(messages, signature));
	switch (message.command) {
		case 'check':
			return { webhookResponse: await describeRegistration(caller, message) };
		case 'rotateSecret':
			return await rotateSecret(caller, signature, message);
		case 'connect':
			return await connectOrDisconnect(caller, message, connectOwner, 'connected');
		case 'disconnect':
			return await connectOrDisconnect(caller, message, disconnectOwner, 'disconnected');
		default:
			return respond(caller, 400, { message: 'Unknown command' });
	}
}

/** The owner that a message names. */
function ownerOf({ source, ownerId }: IDataObject): Owner | undefined {
	return ownerIn({ [String(source)]: ownerId });
}

/**
 * The webhook that the node has registered for the owner that a message names: one that is chosen or connected.
 * Otherwise that of the first one.
 */
async function registered(caller: IWebhookFunctions, asked: IDataObject): Promise<IDataObject> {
	const webhooks = storedWebhooks(ownRegistration(caller));
	const isAsked = ({ source, ownerId }: Owner) => source === asked.source && ownerId === asked.ownerId;
	const chosen = webhooks.find(isAsked);
	const owner = ownerOf(asked);
	if (chosen === undefined && owner !== undefined && caller.getMode() !== 'manual') {
		const webhookId = String(asked.webhookId);
		if (await assureConnected(caller, owner, webhookId)) {
			return { ...owner, webhookId };
		}
	}
	const { source, ownerId, webhookId } = { ...(chosen ?? webhooks.at(0)) };
	return { source, ownerId, webhookId };
}

/**
 * The node's webhook of the owner that a message names, the events that it has to deliver, and whether an older secret
 * had been written back. n8n stores the newer one with the response.
 */
async function describeRegistration(caller: IWebhookFunctions, message: IDataObject): Promise<IDataObject> {
	const following = await successorsOf(caller, nodeKey(caller), ownRegistration(caller));
	const oldSecret = putBackNewerKey(caller, following);
	const { events, include_call_events: includeCallEvents = false } = (await readSettings(caller, '')).settings;
	return { registered: await registered(caller, message), events, includeCallEvents, oldSecret };
}

/**
 * Rotates the secrets of all webhooks, if the message names one of them. On success n8n sends the response, after it has
 * stored the new key.
 */
async function rotateSecret(
	caller: IWebhookFunctions,
	signature: string,
	message: IDataObject,
): Promise<IWebhookResponseData> {
	if (caller.getMode() === 'manual') {
		return respond(caller, 409, { rotated: false, message: 'A test run keeps the secret that it has' });
	}
	const own = await registered(caller, message);
	if (own.webhookId !== undefined && message.webhookId !== own.webhookId) {
		return respond(caller, 409, { rotated: false, registered: own });
	}
	const rotation = rotationsByMessage.get(signature) ?? rotate(caller);
	rotationsByMessage.set(signature, rotation);
	try {
		const until = await rotation;
		return { webhookResponse: { rotated: true, oldSecretAcceptedUntil: new Date(until).toISOString() } };
	} catch (cause) {
		const { code, message, advice, accepted } = asServiceError(cause);
		const rotated = accepted === 'unknown' ? 'unknown' : false;
		return respond(caller, 502, { rotated, code, message, advice });
	}
}

/** Registers or deletes the webhook of the owner that the message names. @param done what the reply calls a success */
async function connectOrDisconnect(
	caller: IWebhookFunctions,
	message: IDataObject,
	run: (caller: IWebhookFunctions, owner: Owner) => Promise<IDataObject>,
	done: 'connected' | 'disconnected',
): Promise<IWebhookResponseData> {
	const owner = ownerOf(message);
	if (owner === undefined) {
		return respond(caller, 400, { [done]: false, message: 'The message names no campaign or agent' });
	}
	if (caller.getMode() === 'manual') {
		return respond(caller, 409, { [done]: false, message: 'A test run has no connections' });
	}
	try {
		return { webhookResponse: { [done]: true, ...(await run(caller, owner)) } };
	} catch (cause) {
		const { message: what, advice, accepted, httpStatus } = asServiceError(cause);
		const isKnown = accepted === 'no';
		return respond(caller, 502, { [done]: isKnown ? false : 'unknown', message: what, advice, httpStatus });
	}
}
