import { type IDataObject, type IHookFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { readWhole, webhooksIn } from '../../shared/client/pagination';
import { type RateLimit, rateLimitOf } from '../../shared/client/rateLimit';
import type { ServiceRequest } from '../../shared/client/request';
import { type Connection, send } from '../../shared/client/transport';
import { isGone, ServiceError, toResult, unreadable, unwrap } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { isRecord } from '../../shared/lib/json';
import { type Owner, ownerTypes, type SecretVersions, webhooksPath } from '../../shared/owner';
import { acceptedAddress } from '../../shared/triggerSecrets/deliverySecret';
import type { TriggerSettings } from '../parameters/settings';

/** How many requests are sent at the same time. */
export const REQUESTS_AT_ONCE = 5;

/** How the trigger sends requests to the service. */
export interface ServiceClient {
	caller: IHookFunctions | IWebhookFunctions;
	connection: Connection;
	/** How long each response may take, in seconds. */
	timeoutSeconds?: number;
	/** How long a request waits for a rate limit, in seconds. */
	maxWaitSeconds: number;
}

/** How often a request is sent that a rate limit refuses. */
const MAX_ATTEMPTS = 3;

/**
 * Sends a request. If a rate limit refuses it, waits for the time that the service returns, and repeats it.
 *
 * @throws ServiceError
 */
export async function sendRequest(client: ServiceClient, request: ServiceRequest): Promise<IDataObject> {
	const { caller, connection, timeoutSeconds, maxWaitSeconds } = client;
	for (let attempt = 1; ; attempt++) {
		let limit: RateLimit | undefined;
		const sentAt = performance.now();
		const sent = send(caller, connection, request, timeoutSeconds, (headers) => {
			limit = rateLimitOf(headers, Date.now(), performance.now() - sentAt);
		});
		const result = await toResult(sent);
		if (result.error?.httpStatus !== 429 || attempt === MAX_ATTEMPTS) {
			return unwrap(result);
		}
		const untilReset = limit?.remaining === 0 ? limit.endsIn : undefined;
		const seconds = result.error.retryAfter ?? (untilReset && untilReset / 1000);
		if (seconds === undefined || seconds > maxWaitSeconds) {
			throw result.error;
		}
		await sleep(Math.max(seconds, 0.1) * 1000);
	}
}

/** Lists the webhooks of a campaign or agent. @throws ServiceError */
export async function webhooksOf(client: ServiceClient, owner: Owner): Promise<IDataObject[]> {
	const codes = { 404: ownerTypes[owner.ownerType].noOwner };
	const list = { method: 'GET', path: webhooksPath(owner), codes } as const;
	// A missing or incomplete list is an error: an unlisted webhook would be registered a second time.
	const webhooks = await readWhole(async (request) => await sendRequest(client, request), list, { items: webhooksIn });
	if (webhooks.length > 0 && webhooks.every(({ webhook_url: url }) => typeof url !== 'string')) {
		throw unreadable('without the URLs of the webhooks');
	}
	return webhooks;
}

/** Deletes a webhook, if it exists. @throws ServiceError */
export async function deleteWebhook(client: ServiceClient, owner: Owner, webhookId: string): Promise<void> {
	const { error } = await toResult(sendRequest(client, { method: 'DELETE', path: webhooksPath(owner, webhookId) }));
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}

/** The webhooks that the service should have, and the client for it. */
export interface DesiredWebhooks extends ServiceClient, TriggerSettings {
	keys: Keys;
	/** Whether the webhooks are for a test run in the editor. */
	isTest: boolean;
}

/**
 * Registers the webhook of an owner, or updates it with all settings.
 *
 * @param webhookId the ID of the webhook to update; undefined to register one
 * @returns the ID of the webhook
 * @throws ServiceError
 */
export async function writeWebhook(
	desired: DesiredWebhooks,
	owner: Owner,
	versions: SecretVersions,
	webhookId?: string,
): Promise<string> {
	const { settings, verifyBy, keys, isTest } = desired;
	const target = { url: settings.webhook_url, isTest };
	const accepted = acceptedAddress(keys, target, owner, versions, verifyBy, settings.custom_headers);
	const { data } = await sendRequest(desired, {
		method: webhookId === undefined ? 'POST' : 'PUT',
		path: webhooksPath(owner, webhookId),
		body: { ...settings, ...accepted },
		...(webhookId === undefined && { codes: { 404: ownerTypes[owner.ownerType].noOwner } }),
	});
	return webhookId ?? webhookIdIn(data);
}

/** Reads the ID in the response to a registration. @throws ServiceError if it is missing */
function webhookIdIn(data: unknown): string {
	if (isRecord(data) && ['string', 'number'].includes(typeof data.id)) {
		return String(data.id);
	}
	throw new ServiceError('The service registered the webhook, but did not return its ID', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Publish the workflow again: the trigger then finds the webhook by its URL.',
		accepted: 'unknown',
	});
}
