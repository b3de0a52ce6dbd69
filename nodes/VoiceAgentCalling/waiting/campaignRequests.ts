import { createHmac } from 'node:crypto';
import { type IDataObject, type IExecuteFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { webhooksIn } from '../../shared/client/pagination';
import { objectIn } from '../../shared/client/refusals';
import type { SendRequest } from '../../shared/client/request';
import { isFinished, statusWord } from '../../shared/client/statuses';
import { isGone, ServiceError, toResult, unreadable, unwrap } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { isRecord } from '../../shared/lib/json';
import { withoutQuery } from '../../shared/lib/text';
import { isoOf, timeIn } from '../../shared/lib/time';
import { resumesHere } from '../../shared/triggerClient/ownAddress';
import { AFTER_DEADLINE_MS, LAST_ATTEMPTS, maySucceedLater, serviceRequests } from './serviceRequests';
import { type AwaitedCampaign, nodeResumeAddress, type OpenCampaign, type WaitId } from './wait';

/** Reads a campaign. @throws ServiceError also if it does not exist */
export async function readCampaign(sendRequest: SendRequest, id: string): Promise<AwaitedCampaign> {
	const body = await sendRequest({
		method: 'GET',
		path: ['campaigns', id],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	});
	const data = objectIn(body, 'the campaign');
	if (typeof data.status !== 'string') {
		throw unreadable('without the status of the campaign');
	}
	const { name, status, stats } = data as IDataObject & AwaitedCampaign;
	const outcome = isFinished(status) ? (statusWord(status) as AwaitedCampaign['outcome']) : 'timedOut';
	return { id, name, status, stats, outcome };
}

/** Reads a campaign again. @param known its last values, which are kept if it was deleted @throws ServiceError */
export async function readAgain(sendRequest: SendRequest, known: AwaitedCampaign): Promise<AwaitedCampaign> {
	const result = await toResult(readCampaign(sendRequest, known.id));
	if (result.error && isGone(result.error)) {
		return { ...known, outcome: 'deleted' };
	}
	return unwrap(result);
}

/** The event that a campaign sends when it is completed. */
export const COMPLETED_EVENT = 'campaign.completed';

/** No event reports that a campaign was cancelled. A change event may; the service does not publish it. */
const EVENTS = [COMPLETED_EVENT, 'campaign.updated'];

/** The query parameter with the ID of the campaign. */
export const CAMPAIGN_PARAMETER = 'campaign';

/** The maximum of the service: it delivers again if the execution is not waiting yet. */
const MAX_RETRIES = 10;

/** The name of a webhook, with the time after which no execution waits for it. */
const nameUntil = (until: number) => `n8n waits for this campaign until ${isoOf(until + AFTER_DEADLINE_MS)}`;
const NAME = /^n8n waits for this campaign until (\S+)$/;

/** A wait whose webhooks are created. */
interface CampaignWebhooks {
	caller: IExecuteFunctions;
	/** For requests that all items share. */
	api: Api;
	keys: Keys;
	wait: WaitId;
	/** When the time limit is reached, in milliseconds since 1970. */
	until: number;
}

/** Returns the URL to which the service delivers the events of a campaign. It resumes this node of this execution. */
export function campaignResumeAddress(caller: IExecuteFunctions | IWebhookFunctions, campaignId: string): string {
	const url = new URL(nodeResumeAddress(caller));
	url.searchParams.set(CAMPAIGN_PARAMETER, campaignId);
	return url.href;
}

/** Derives the signing secret of a campaign's webhook. n8n stores it nowhere. */
export function campaignSecret({ secrets }: Pick<Keys, 'secrets'>, wait: WaitId, campaignId: string): string {
	const { execution, node, run } = wait;
	const identity = JSON.stringify(['campaign wait', execution, node, run, campaignId]);
	return createHmac('sha256', secrets).update(identity).digest('hex');
}

/**
 * Creates the webhook by which a campaign resumes the execution. Deletes the webhooks of waits that are over, and the
 * webhook of an earlier attempt or run of this node: it cannot be reused, because its deletion may be in progress.
 *
 * @returns ID of the webhook
 * @throws ServiceError
 */
export async function createCampaignWebhook(webhooks: CampaignWebhooks, campaignId: string): Promise<string> {
	const { caller, api, keys, wait, until } = webhooks;
	const path = ['campaigns', campaignId, 'webhooks'];
	const url = campaignResumeAddress(caller, campaignId);
	const list = async () => await api.whole({ method: 'GET', path, codes: { 404: 'CAMPAIGN_NOT_FOUND' } }, webhooksIn);
	// No response shows the token in the query. The rest of the address identifies the execution and the node.
	const isOwn = ({ webhook_url }: IDataObject) => withoutQuery(String(webhook_url)) === withoutQuery(url);
	const listed = await list();
	for (const { id } of listed.filter((webhook) => isOwn(webhook) || isOver(caller, webhook))) {
		await toResult(deleteCampaignWebhook(api.request, campaignId, String(id)));
	}
	const body = {
		name: nameUntil(until),
		webhook_url: url,
		events: EVENTS,
		webhook_secret: campaignSecret(keys, wait, campaignId),
		max_retries: MAX_RETRIES,
		enabled: true,
	};
	const { value, error } = await toResult(api.request({ method: 'POST', path, body, repeat: 'never' }));
	if (isRecord(value?.data) && typeof value.data.id === 'string') {
		return value.data.id;
	}
	if (error?.accepted === 'no') {
		throw error;
	}
	// The service may have created it without a readable response.
	const before = new Set(listed.map(({ id }) => id));
	const created = (await list()).find((webhook) => isOwn(webhook) && !before.has(webhook.id));
	if (created === undefined) {
		throw (
			error ??
			new ServiceError('The service created a webhook, but neither returned its ID nor lists it', {
				code: 'UNREADABLE_ANSWER',
				advice: 'Run the workflow again, or set Wait By to Polling.',
				accepted: 'unknown',
			})
		);
	}
	return String(created.id);
}

/**
 * Deletes the webhooks of a wait that is over. While the service does not respond, the requests are repeated for a
 * while. A webhook that cannot be deleted is logged: it delivers only the end of its campaign, and the next wait for
 * that campaign deletes it.
 */
export async function deleteCampaignWebhooks(
	caller: IExecuteFunctions | IWebhookFunctions,
	campaigns: readonly OpenCampaign[],
): Promise<void> {
	const endsAt = Date.now() + LAST_ATTEMPTS.forMs;
	const sendRequest = serviceRequests(caller, { maxWaitSeconds: LAST_ATTEMPTS.forMs / 1000, endsAt });
	const deleteOne = async ({ id, webhookId }: OpenCampaign) => {
		for (;;) {
			const { error } = await toResult(deleteCampaignWebhook(sendRequest, id, webhookId));
			if (error === undefined) {
				return;
			}
			if (!maySucceedLater(error) || Date.now() + LAST_ATTEMPTS.everyMs >= endsAt) {
				caller.logger.warn(
					`"${caller.getNode().name}" could not delete its webhook of campaign ${id}: ${error.message}`,
				);
				return;
			}
			await sleep(LAST_ATTEMPTS.everyMs);
		}
	};
	await Promise.all(campaigns.map(deleteOne));
}

/** Deletes a webhook, if it exists. @throws ServiceError */
async function deleteCampaignWebhook(sendRequest: SendRequest, campaignId: string, webhookId: string): Promise<void> {
	const path = ['campaigns', campaignId, 'webhooks', webhookId];
	const { error } = await toResult(sendRequest({ method: 'DELETE', path }));
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}

/** Whether a webhook belongs to a wait of this n8n that is over, for example of a stopped execution. */
function isOver(caller: IExecuteFunctions, { name, webhook_url: url }: IDataObject): boolean {
	const [, until = ''] = NAME.exec(String(name)) ?? [];
	return (timeIn(until) ?? Number.POSITIVE_INFINITY) < Date.now() && resumesHere(caller, String(url));
}
