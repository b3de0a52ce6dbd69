import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { verifySignature } from '../../shared/deliveries/signature';
import { toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { fromJson } from '../../shared/lib/fromJson';
import { isRecord } from '../../shared/lib/isRecord';
import { storedInput } from '../../shared/lib/n8nInternals';
import { readRawBody, respond } from '../../shared/lib/webhookResponse';
import { type Keys, loadKeys } from '../../shared/nodeLink/keys';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../shared/nodeLink/messages';
import type { SendRequest } from '../../shared/service/request';
import { connect, send } from '../../shared/service/transport';
import { type AwaitedCampaign, hasEnded, readAgain } from './campaignEnd';
import { type CampaignWait, readCampaignWait } from './campaignState';
import { CAMPAIGN_PARAMETER, COMPLETED_EVENT, campaignSecret, deleteCampaignWebhooks } from './campaignWebhooks';
import { watchDeadline } from './deadline';
import { endWithResponse, isFor, progressOf, waitIdOf } from './state';

/** Less than the timeout of the sender of a message. */
const TIMEOUT_SECONDS = 15;

/** How many campaigns are read at the same time when the time is up. */
const AT_ONCE = 5;

/** Campaigns by ID, as they were read last. */
type Known = Map<string, AwaitedCampaign>;

/** What this process knows about the campaigns of a wait. */
const knownByWait = new BoundedMap<Known>();

/**
 * Receives an event of a campaign that an execution waits for, or the message that the time is up. Resumes the execution
 * when all campaigns have ended, or the time is up. An event only says that there is something to look at: the status
 * and the statistics are read from the service. Never throws.
 */
export async function resumeCampaigns(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const wait = readCampaignWait(caller);
		return wait ? await handle(caller, wait) : respond(caller, 409, 'Nothing waits for this');
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`"${caller.getNode().name}" could not look at the campaigns that it waits for: ${reason}`);
		return respond(caller, 503, 'Try again');
	}
}

/** A request that is authentic: the event of a campaign, or the message that the time is up. */
type Incoming = { campaignId: string; isEnd: boolean } | { timeUp: true };

async function handle(caller: IWebhookFunctions, wait: CampaignWait): Promise<IWebhookResponseData> {
	const keys = await loadKeys(caller);
	const isMessage = caller.getRequestObject().headers[MESSAGE_HEADER] !== undefined;
	const incoming = isMessage ? await readTimeUp(caller, wait, keys) : await readDelivery(caller, wait, keys);
	if ('refused' in incoming) {
		return incoming.refused;
	}
	const progress = progressOf(caller, wait.run);
	if (progress.resumed) {
		return respond(caller, 200, 'OK');
	}
	const known = knownCampaigns(caller, wait);
	const sendRequest = await requestsOf(caller);
	if ('timeUp' in incoming) {
		await lookAtAll(caller, sendRequest, known);
	} else {
		watchDeadline(caller, keys.messages, wait, () => deleteCampaignWebhooks(caller, wait.campaigns));
		const { campaignId, isEnd } = incoming;
		if (!(await look(sendRequest, known, campaignId))) {
			// The service may tell of the end before it shows it. A change of the campaign need not be its end.
			return isEnd ? respond(caller, 503, 'Try again') : respond(caller, 200, 'OK');
		}
		if (!(await haveAllEnded(sendRequest, known))) {
			return respond(caller, 200, 'OK');
		}
	}
	// Another delivery may have resumed the execution during the requests to the service.
	if (progress.resumed) {
		return respond(caller, 200, 'OK');
	}
	progress.resumed = true;
	endWithResponse(caller, progress, () => {
		knownByWait.delete(keyOf(caller, wait));
		void deleteCampaignWebhooks(caller, wait.campaigns);
	});
	const items = storedInput(caller).map((item, index) => ({
		...item,
		json: known.get(idAt(wait, index)) ?? item.json,
	}));
	return { workflowData: [items] };
}

/** Reads a message of this node that the time is up. The response proves that it comes from a node with the same credential. */
async function readTimeUp(
	caller: IWebhookFunctions,
	{ run }: CampaignWait,
	{ messages }: Keys,
): Promise<Incoming | { refused: IWebhookResponseData }> {
	const signature = caller.getRequestObject().headers[MESSAGE_HEADER];
	const message = readMessage(messages, await readRawBody(caller), signature);
	if (message === undefined) {
		return { refused: respond(caller, 401, 'Unauthorized') };
	}
	caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(messages, String(signature)));
	if (message.timeUp !== true || !isFor(waitIdOf(caller, run), message)) {
		return { refused: respond(caller, 409, 'Nothing waits for this') };
	}
	return { timeUp: true };
}

/** Reads a delivery of the service, if it is signed with the secret of the campaign that its URL names. */
async function readDelivery(
	caller: IWebhookFunctions,
	{ run, campaigns }: CampaignWait,
	keys: Keys,
): Promise<Incoming | { refused: IWebhookResponseData }> {
	const { headers, query } = caller.getRequestObject();
	const rawBody = await readRawBody(caller);
	const campaign = campaigns.find(({ id }) => id === query[CAMPAIGN_PARAMETER]);
	const secret = campaign && campaignSecret(keys, waitIdOf(caller, run), campaign.id);
	const delivery = { rawBody, headers, now: Date.now() };
	const event = secret && verifySignature(delivery, [{ secret }]).authentic ? fromJson(rawBody.toString('utf8')) : '';
	if (campaign === undefined || !isRecord(event)) {
		caller.logger.warn(`"${caller.getNode().name}" refused a delivery that the service has not signed for its wait`);
		return { refused: respond(caller, 401, 'Unauthorized') };
	}
	return { campaignId: campaign.id, isEnd: event.event === COMPLETED_EVENT };
}

async function requestsOf(caller: IWebhookFunctions): Promise<SendRequest> {
	const connection = await connect(caller);
	return (request) => send(caller, connection, request, TIMEOUT_SECONDS);
}

function keyOf(caller: IWebhookFunctions, { run }: CampaignWait): string {
	return JSON.stringify(waitIdOf(caller, run));
}

/** The ID of the campaign for which an item waits; empty for an item that does not wait. */
function idAt({ campaigns }: CampaignWait, index: number): string {
	return campaigns.find(({ items }) => items.includes(index))?.id ?? '';
}

/** The awaited campaigns by ID: as this process has read them, or as they were stored. */
function knownCampaigns(caller: IWebhookFunctions, wait: CampaignWait): Known {
	const key = keyOf(caller, wait);
	const known = knownByWait.get(key);
	if (known) {
		return known;
	}
	const items = storedInput(caller);
	const stored: Known = new Map(
		wait.campaigns.map(({ id, items: [index] }) => [id, items[index]?.json as AwaitedCampaign]),
	);
	knownByWait.set(key, stored);
	return stored;
}

/** Reads a campaign again. @returns whether it has ended @throws ServiceError */
async function look(sendRequest: SendRequest, known: Known, id: string): Promise<boolean> {
	const campaign = await readAgain(sendRequest, known.get(id) as AwaitedCampaign);
	known.set(id, campaign);
	return hasEnded(campaign);
}

const openIn = (known: Known) => [...known].filter(([, campaign]) => !hasEnded(campaign)).map(([id]) => id);

/** Reads campaigns up to the first one that has not ended. @throws ServiceError */
async function haveAllEnded(sendRequest: SendRequest, known: Known): Promise<boolean> {
	for (const id of openIn(known)) {
		if (!(await look(sendRequest, known, id))) {
			return false;
		}
	}
	return true;
}

/** Reads all campaigns that are not known to have ended. One that cannot be read stays as it is. */
async function lookAtAll(caller: IWebhookFunctions, sendRequest: SendRequest, known: Known): Promise<void> {
	const ids = openIn(known);
	while (ids.length > 0) {
		const looks = ids.splice(0, AT_ONCE).map((id) => toResult(look(sendRequest, known, id)));
		for (const { error } of await Promise.all(looks)) {
			if (error) {
				caller.logger.warn(
					`"${caller.getNode().name}" could not read a campaign when its time was up: ${error.message}`,
				);
			}
		}
	}
}
