import { createHash, randomBytes } from 'node:crypto';

import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { isLoopback } from '../shared/baseUrl';
import { attempt, isRecord, ServiceError } from '../shared/errors';
import { asNodeError } from '../shared/nodeErrors';
import { connect, send, type Connection, type ServiceRequest } from '../shared/transport';
import { LONGEST_URL } from '../shared/webhookFields';
import { readSettings, type Settings } from './settings';

/** What the node's static data holds while a webhook is registered. */
interface Registered {
	campaignId: string;
	webhookId: string;
	/** Key of the signatures: 32 random bytes in hex. The service never gives it back. */
	secret: string;
	/** Of the settings as registered: the service does not give all of them back. */
	digest: string;
}

/** The settings that the service gives back in a listing, so that a change by hand is seen. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

function registered(caller: IHookFunctions): Partial<Registered> {
	return caller.getWorkflowStaticData('node') as Partial<Registered>;
}

function webhooksPath(campaignId: string): string[] {
	return ['campaigns', campaignId, 'webhooks'];
}

/** The service need not keep the order of the events. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

function digestOf(settings: Settings): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

/** One attempt to bring the service and the node's static data in line. */
class Registration {
	private constructor(
		private readonly caller: IHookFunctions,
		private readonly connection: Connection,
		private readonly campaignId: string,
		private readonly settings: Settings,
	) {}

	/** @throws ServiceError when the settings cannot be used */
	static async open(caller: IHookFunctions): Promise<Registration> {
		const connection = await connect(caller);
		const url = caller.getNodeWebhookUrl('default') ?? '';
		assertReachable(url, connection.base);
		const { campaignId, settings } = await readSettings(caller, url);
		return new Registration(caller, connection, campaignId, settings);
	}

	private async request(request: ServiceRequest): Promise<IDataObject> {
		return await send(this.caller, this.connection, request);
	}

	/** The webhooks of the campaign that deliver to exactly this node's URL. */
	async find(): Promise<IDataObject[]> {
		const { data } = await this.request({
			method: 'GET',
			path: webhooksPath(this.campaignId),
			codes: { 404: 'CAMPAIGN_NOT_FOUND' },
		});
		const webhooks = isRecord(data) && Array.isArray(data.webhooks) ? data.webhooks : [];
		return webhooks.filter(
			(webhook): webhook is IDataObject =>
				isRecord(webhook) && webhook.webhook_url === this.settings.webhook_url,
		);
	}

	async create(): Promise<void> {
		const secret = newSecret();
		const { data } = await this.request({
			method: 'POST',
			path: webhooksPath(this.campaignId),
			body: { ...this.settings, webhook_secret: secret },
		});
		if (!isRecord(data) || typeof data.id !== 'string') {
			throw new ServiceError('The service registered the webhook, but did not say its ID', {
				code: 'UNREADABLE_ANSWER',
				advice: 'Publish the workflow again: the webhook is then found by its URL.',
				taken: 'unknown',
			});
		}
		this.remember(data.id, secret);
	}

	/** Makes a webhook that is there the one that this node wants, unless it is already. */
	async adopt(webhook: IDataObject): Promise<void> {
		const known = registered(this.caller);
		const webhookId = String(webhook.id);
		const unchanged =
			known.webhookId === webhookId &&
			known.secret !== undefined &&
			known.digest === digestOf(this.settings) &&
			LISTED.every((key) => sameValue(webhook[key], this.settings[key]));
		if (unchanged) return;
		const secret = newSecret();
		await this.request({
			method: 'PUT',
			path: [...webhooksPath(this.campaignId), webhookId],
			body: { ...this.settings, webhook_secret: secret },
		});
		this.remember(webhookId, secret);
	}

	private remember(webhookId: string, secret: string): void {
		const { campaignId, settings } = this;
		Object.assign(registered(this.caller), { campaignId, webhookId, secret, digest: digestOf(settings) });
	}

	/** Removes what an earlier delete could not: the webhook of a campaign that is not chosen any more. */
	async removeStranded(): Promise<void> {
		const { campaignId, webhookId } = registered(this.caller);
		if (campaignId === undefined || webhookId === undefined || campaignId === this.campaignId) return;
		await remove(this.caller, this.connection, campaignId, webhookId);
	}

	/** Removes webhooks that deliver to the same URL as the one that is kept. */
	async removeDoubles(webhooks: readonly IDataObject[]): Promise<void> {
		for (const { id } of webhooks) {
			await remove(this.caller, this.connection, this.campaignId, String(id));
		}
	}
}

function newSecret(): string {
	return randomBytes(32).toString('hex');
}

/** Deletes a webhook; one that is not there any more is as good as deleted. */
async function remove(
	caller: IHookFunctions,
	connection: Connection,
	campaignId: string,
	webhookId: string,
): Promise<void> {
	const { error } = await attempt(
		send(caller, connection, {
			method: 'DELETE',
			path: [...webhooksPath(campaignId), webhookId],
		}),
	);
	if (error !== undefined && error.httpStatus !== 404 && error.httpStatus !== 410) throw error;
}

/** @throws ServiceError for a URL that the service cannot deliver to, with what to do about it */
function assertReachable(url: string, service: URL): void {
	const { hostname } = new URL(url);
	if ((isLoopback(hostname) || hostname === '0.0.0.0') && !isLoopback(service.hostname)) {
		throw new ServiceError(
			`The service cannot deliver events to ${url}: that address is on this machine`,
			{
				code: 'WEBHOOK_URL_NOT_PUBLIC',
				advice:
					"Set the environment variable N8N_WEBHOOK_URL (before n8n 3: WEBHOOK_URL) to the address at which n8n can be reached from the Internet, restart n8n and publish again. For a try-out, use a tunnel, or the sandbox of this node's project.",
				taken: 'no',
			},
		);
	}
	if (url.length > LONGEST_URL) {
		throw new ServiceError(
			`The webhook URL has ${url.length} characters, and the service takes ${LONGEST_URL}`,
			{ code: 'WEBHOOK_URL_TOO_LONG', advice: 'Use a shorter address for n8n.', taken: 'no' },
		);
	}
}

/**
 * Looks for the webhook by its exact URL, test and production URL apart, and brings it up to date when
 * anything about it is unknown or different.
 *
 * @returns false when it is not there
 */
export async function checkExists(caller: IHookFunctions): Promise<boolean> {
	try {
		const registration = await Registration.open(caller);
		const [first, ...doubles] = await registration.find();
		if (first === undefined) return false;
		await registration.removeStranded();
		await registration.adopt(first);
		await registration.removeDoubles(doubles);
		return true;
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

/** Registers the webhook with a new signing secret. n8n has asked {@link checkExists} before. */
export async function create(caller: IHookFunctions): Promise<boolean> {
	try {
		const registration = await Registration.open(caller);
		await registration.removeStranded();
		await registration.create();
		return true;
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

/**
 * Removes the webhook that this node registered. The static data stays until that has worked, so that
 * the next registration can make up for it.
 */
export async function deleteRegistration(caller: IHookFunctions): Promise<boolean> {
	const known = registered(caller);
	if (known.campaignId === undefined || known.webhookId === undefined) return true;
	try {
		await remove(caller, await connect(caller), known.campaignId, known.webhookId);
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
	delete known.campaignId;
	delete known.webhookId;
	delete known.secret;
	delete known.digest;
	return true;
}
