import { createHmac } from 'node:crypto';
import { type IDataObject, type IExecuteFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { webhooksIn } from '../../shared/client/pagination';
import type { SendRequest } from '../../shared/client/request';
import { isGone, ServiceError, toResult } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { isRecord } from '../../shared/lib/json';
import { withoutQuery } from '../../shared/lib/text';
import { isoOf, timeIn } from '../../shared/lib/time';
import { resumesHere } from '../../shared/triggerClient/ownAddress';
import { AFTER_DEADLINE_MS, LAST_LOOKS, mayAnswerLater } from './lastLook';
import { serviceRequests } from './serviceRequests';
import { nodeResumeAddress, type OpenCampaign, type WaitId } from './state';

/** The event that a campaign sends when it is completed. */
export const COMPLETED_EVENT = 'campaign.completed';

/** No event tells that a campaign is cancelled. Its change may be one, which is not published. */
const EVENTS = [COMPLETED_EVENT, 'campaign.updated'];

/** The query parameter with the campaign whose webhook delivers. */
export const CAMPAIGN_PARAMETER = 'campaign';

/** The most that the service accepts: it delivers again while the execution does not wait yet. */
const MAX_RETRIES = 10;

/** The name of a webhook, with the time at which nothing waits for it any more. */
const nameUntil = (until: number) => `n8n waits for this campaign until ${isoOf(until + AFTER_DEADLINE_MS)}`;
const NAME = /^n8n waits for this campaign until (\S+)$/;

/** A wait whose webhooks are created. */
export interface CampaignWebhooks {
	caller: IExecuteFunctions;
	/** For requests that all items share. */
	api: Api;
	keys: Keys;
	wait: WaitId;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
}

/** The URL to which the service delivers the events of a campaign; it resumes this node of this execution. */
export function campaignResumeAddress(caller: IExecuteFunctions | IWebhookFunctions, campaignId: string): string {
	const url = new URL(nodeResumeAddress(caller));
	url.searchParams.set(CAMPAIGN_PARAMETER, campaignId);
	return url.href;
}

/** The signing secret of a campaign's webhook. It is derived, so it is stored nowhere in n8n. */
export function campaignSecret({ secrets }: Pick<Keys, 'secrets'>, wait: WaitId, campaignId: string): string {
	const { execution, node, run } = wait;
	const identity = JSON.stringify(['campaign wait', execution, node, run, campaignId]);
	return createHmac('sha256', secrets).update(identity).digest('hex');
}

/**
 * Creates the webhook by which a campaign resumes the execution. Deletes those of waits that are over, and that of an
 * earlier try or run of the node: its deletion may be on its way, so it is not taken over.
 *
 * @returns ID of the webhook
 * @throws ServiceError
 */
export async function createCampaignWebhook(webhooks: CampaignWebhooks, campaignId: string): Promise<string> {
	const { caller, api, keys, wait, until } = webhooks;
	const path = ['campaigns', campaignId, 'webhooks'];
	const url = campaignResumeAddress(caller, campaignId);
	const list = async () => await api.whole({ method: 'GET', path, codes: { 404: 'CAMPAIGN_NOT_FOUND' } }, webhooksIn);
	// No answer shows the token in the query. Without it, the address has the execution and the node.
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
		throw error ?? noId();
	}
	return String(created.id);
}

/**
 * Deletes the webhooks of a wait that is over. If the service does not answer, it is asked again for a while. What cannot
 * be deleted is logged: it delivers nothing more than the end of its campaign, and the next wait for that campaign deletes
 * it.
 */
export async function deleteCampaignWebhooks(
	caller: IExecuteFunctions | IWebhookFunctions,
	campaigns: readonly OpenCampaign[],
): Promise<void> {
	const endsAt = Date.now() + LAST_LOOKS.forMs;
	const sendRequest = serviceRequests(caller, { maxWaitSeconds: LAST_LOOKS.forMs / 1000, endsAt });
	const deleteOne = async ({ id, webhookId }: OpenCampaign) => {
		for (;;) {
			const { error } = await toResult(deleteCampaignWebhook(sendRequest, id, webhookId));
			if (error === undefined) {
				return;
			}
			if (!mayAnswerLater(error) || Date.now() + LAST_LOOKS.everyMs >= endsAt) {
				caller.logger.warn(
					`"${caller.getNode().name}" could not delete its webhook of campaign ${id}: ${error.message}`,
				);
				return;
			}
			await sleep(LAST_LOOKS.everyMs);
		}
	};
	await Promise.all(campaigns.map(deleteOne));
}

/** Deletes a webhook, if it exists. @throws ServiceError */
export async function deleteCampaignWebhook(
	sendRequest: SendRequest,
	campaignId: string,
	webhookId: string,
): Promise<void> {
	const path = ['campaigns', campaignId, 'webhooks', webhookId];
	const { error } = await toResult(sendRequest({ method: 'DELETE', path }));
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}

/** Whether a webhook belongs to a wait of this n8n that is over, such as that of an execution that was stopped. */
function isOver(caller: IExecuteFunctions, { name, webhook_url: url }: IDataObject): boolean {
	const [, until = ''] = NAME.exec(String(name)) ?? [];
	return (timeIn(until) ?? Number.POSITIVE_INFINITY) < Date.now() && resumesHere(caller, String(url));
}

function noId(): ServiceError {
	return new ServiceError('The service created a webhook, but neither returned its ID nor lists it', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Run the workflow again, or set Wait By to Polling.',
		accepted: 'unknown',
	});
}
