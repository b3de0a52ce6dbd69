import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';

import type { TriggerInfo } from '../../shared/triggerClient/checkTrigger';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/triggerClient/messages';
import { seal } from '../../shared/triggerSecrets/resumeToken';
import { triggerPathOf } from '../../shared/triggerSecrets/triggerUrl';
import { respond } from '../../shared/webhookResponse';
import { readSettings } from '../parameters/settings';
import { lastWebhooks } from '../registration/storedState';
import { type Incoming, refuse } from './incoming';
import { tryKeys } from './knownKeys';

/**
 * Responds to a message of an action node with the same credential. The response proves that it comes from this node.
 *
 * @returns undefined if the request is not a message
 */
export async function handleMessage(incoming: Incoming): Promise<IWebhookResponseData | undefined> {
	const { caller, rawBody, url } = incoming;
	const signature = incoming.headers[MESSAGE_HEADER];
	if (typeof signature !== 'string') {
		return undefined;
	}
	const read = await tryKeys(caller, (keys) => {
		const message = readMessage(keys.messages, rawBody, signature);
		return message && { keys, message };
	});
	if (read === undefined) {
		return refuse(caller, 'a message that is not from a node with this credential');
	}
	const { keys, message } = read;
	if (message.to !== triggerPathOf(url)) {
		return refuse(caller, 'a message to another trigger');
	}
	caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(keys.messages, signature));
	if (message.command !== 'check') {
		return respond(caller, 400, { message: 'Unknown command' });
	}
	const { ownerType, chosen, verifyBy, settings } = await readSettings(caller, url);
	const { events, include_call_events: includeCallEvents = false } = settings;
	const info: TriggerInfo = {
		url,
		ownerType,
		chosen,
		verifyBy,
		events,
		includeCallEvents,
		settings: seal(keys.resumeTokens, settings),
		registered: lastWebhooks(caller).map(({ webhookId }) => webhookId),
	};
	return { webhookResponse: info as unknown as IDataObject };
}
