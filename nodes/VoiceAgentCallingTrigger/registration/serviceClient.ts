import { type IDataObject, type IHookFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { readWhole, webhooksIn } from '../../shared/client/pagination';
import { type RateLimit, rateLimitOf } from '../../shared/client/rateLimit';
import type { ServiceRequest } from '../../shared/client/request';
import { type Connection, send } from '../../shared/client/transport';
import { isGone, toResult, unreadable, unwrap } from '../../shared/errors/serviceError';
import { type Owner, ownerTypes, webhooksPath } from '../../shared/owner';

/** How many requests are sent at the same time. */
export const REQUESTS_AT_ONCE = 5;

/** How the trigger sends requests to the service. */
export interface ServiceClient {
	caller: IHookFunctions | IWebhookFunctions;
	connection: Connection;
	/** How long each response may take, in seconds. */
	timeoutSeconds?: number;
	/** How long a rate limit may hold a request up, in seconds. */
	patienceSeconds: number;
}

/** How often a request is sent that a rate limit refuses. */
const TRIES = 3;

/** Sends a request. If a rate limit refuses it, waits as long as the service asks, and sends it again. @throws ServiceError */
export async function ask(client: ServiceClient, request: ServiceRequest): Promise<IDataObject> {
	const { caller, connection, timeoutSeconds, patienceSeconds } = client;
	for (let tries = 1; ; tries++) {
		let limit: RateLimit | undefined;
		const sentAt = performance.now();
		const sent = send(caller, connection, request, timeoutSeconds, (headers) => {
			limit = rateLimitOf(headers, Date.now(), performance.now() - sentAt);
		});
		const result = await toResult(sent);
		if (result.error?.httpStatus !== 429 || tries === TRIES) {
			return unwrap(result);
		}
		const untilReset = limit?.remaining === 0 ? limit.endsIn : undefined;
		const seconds = result.error.retryAfter ?? (untilReset && untilReset / 1000);
		if (seconds === undefined || seconds > patienceSeconds) {
			throw result.error;
		}
		await sleep(Math.max(seconds, 0.1) * 1000);
	}
}

/** Lists the webhooks of a campaign or agent. @throws ServiceError */
export async function webhooksOf(client: ServiceClient, owner: Owner): Promise<IDataObject[]> {
	const codes = { 404: ownerTypes[owner.ownerType].noOwner };
	const list = { method: 'GET', path: webhooksPath(owner), codes } as const;
	// No list, or a part of it, is an error: what is not listed would be registered a second time.
	const webhooks = await readWhole(async (request) => await ask(client, request), list, { items: webhooksIn });
	if (webhooks.length > 0 && webhooks.every(({ webhook_url: url }) => typeof url !== 'string')) {
		throw unreadable('without the URLs of the webhooks');
	}
	return webhooks;
}

/** Deletes a webhook, if it exists. @throws ServiceError */
export async function removeWebhook(client: ServiceClient, owner: Owner, webhookId: string): Promise<void> {
	const { error } = await toResult(ask(client, { method: 'DELETE', path: webhooksPath(owner, webhookId) }));
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}
