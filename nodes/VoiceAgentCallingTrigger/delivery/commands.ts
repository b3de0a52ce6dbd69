import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asServiceError } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { respond } from '../../shared/lib/webhookResponse';
import { loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import type { Owner } from '../../shared/nodeLink/owner';
import { readSettings } from '../parameters/settings';
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
		default:
			return respond(caller, 400, { message: 'Unknown command' });
	}
}

/** The webhook that the node has registered for the owner that a message names; otherwise the first one. */
function registered(caller: IWebhookFunctions, asked: IDataObject): IDataObject {
	const webhooks = storedWebhooks(ownRegistration(caller));
	const isAsked = ({ source, ownerId }: Owner) => source === asked.source && ownerId === asked.ownerId;
	const { source, ownerId, webhookId } = { ...(webhooks.find(isAsked) ?? webhooks.at(0)) };
	return { source, ownerId, webhookId };
}

/**
 * The node's webhook of the owner that a message names, the events that it has to deliver, those with a payload template, and whether an older secret had
 * been written back. n8n stores the newer one with the response.
 */
async function describeRegistration(caller: IWebhookFunctions, message: IDataObject): Promise<IDataObject> {
	const following = await successorsOf(caller, nodeKey(caller), ownRegistration(caller));
	const oldSecret = putBackNewerKey(caller, following);
	const { settings } = await readSettings(caller, '');
	const { events, include_call_events: includeCallEvents = false, payload_templates: templates } = settings;
	const templated = Object.keys(templates);
	return { registered: registered(caller, message), events, includeCallEvents, templated, oldSecret };
}

/**
 * Rotates the secrets of all webhooks, if the message names one of them. On success n8n sends the response, after it has stored the
 * new key.
 */
async function rotateSecret(
	caller: IWebhookFunctions,
	signature: string,
	message: IDataObject,
): Promise<IWebhookResponseData> {
	if (caller.getMode() === 'manual') {
		return respond(caller, 409, { rotated: false, message: 'A test run keeps the secret that it has' });
	}
	const own = registered(caller, message);
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
