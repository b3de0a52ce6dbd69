import { createHash } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asNodeError } from '../../shared/errors/nodeError';
import { attempt, isGone, ServiceError } from '../../shared/errors/serviceError';
import { LONGEST_URL } from '../../shared/fields/webhooks';
import { isRecord } from '../../shared/lib/isRecord';
import { isLoopback } from '../../shared/service/baseUrl';
import { readPage, webhooksIn } from '../../shared/service/pagination';
import { type Connection, connect, send } from '../../shared/service/transport';
import { type Chosen, type Owner, readSettings, sources } from '../parameters/settings';
import { changeKey, forget, registered } from './deliveryKeys';
import { settingsWithKey, webhooksPath } from './webhookRequest';

/** The settings that the service gives back in a listing, so that a change by hand is seen. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

/** The service need not keep the order of the events. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

function digestOf({ settings, requireHeader }: Chosen): string {
	return createHash('sha256')
		.update(JSON.stringify([settings, requireHeader]))
		.digest('hex');
}

/** What the service is to have, and how to reach it. */
interface Wanted extends Chosen {
	caller: IHookFunctions;
	connection: Connection;
}

/** @throws ServiceError when the settings cannot be used */
async function readWanted(caller: IHookFunctions): Promise<Wanted> {
	const connection = await connect(caller);
	const url = caller.getNodeWebhookUrl('default') ?? '';
	assertReachable(url, connection.base);
	return { caller, connection, ...(await readSettings(caller, url)) };
}

/**
 * The webhooks of the campaign or agent that deliver to exactly this node's URL, and the one that this node
 * registered: n8n's address may have changed since.
 */
async function findWebhooks(wanted: Wanted): Promise<IDataObject[]> {
	const { webhookId } = registered(wanted.caller);
	const body = await send(wanted.caller, wanted.connection, {
		method: 'GET',
		path: webhooksPath(wanted),
		codes: { 404: sources[wanted.source].noOwner },
	});
	// An answer without a list is refused, not taken for an empty one: that would register a double.
	return readPage(body, webhooksIn, 1).items.filter(
		({ webhook_url: url, id }) => url === wanted.settings.webhook_url || id === webhookId,
	);
}

/** Sends the settings with a new key, and keeps what was registered in the static data. */
async function write(wanted: Wanted, webhookId?: string): Promise<void> {
	const { caller, connection, source, ownerId, settings, requireHeader } = wanted;
	const known = registered(caller);
	known.instanceId = caller.getInstanceId();
	const { answer: id } = await changeKey(known, requireHeader, async (key) => {
		const { data } = await send(caller, connection, {
			method: webhookId === undefined ? 'POST' : 'PUT',
			path: webhooksPath(wanted, webhookId),
			body: { ...settings, ...settingsWithKey(settings, key) },
			codes: { 404: sources[source].noOwner },
		});
		return webhookId ?? idIn(data);
	});
	Object.assign(known, { source, ownerId, webhookId: id, digest: digestOf(wanted) });
}

/** @throws ServiceError where the answer to a registration has no ID in it */
function idIn(data: unknown): string {
	if (isRecord(data) && typeof data.id === 'string') {
		return data.id;
	}
	throw new ServiceError('The service registered the webhook, but did not say its ID', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Publish the workflow again: the webhook is then found by its URL.',
		taken: 'unknown',
	});
}

/** Tells whether a webhook that is there is the one that this node wants, and has its key. */
function isUpToDate(wanted: Wanted, webhook: IDataObject): boolean {
	const { settings } = wanted;
	const known = registered(wanted.caller);
	return (
		known.webhookId === webhook.id &&
		known.secret !== undefined &&
		!known.unsettled &&
		known.digest === digestOf(wanted) &&
		LISTED.every((key) => sameValue(webhook[key], settings[key]))
	);
}

/** Removes what an earlier delete could not: the webhook of a campaign or agent that is not chosen any more. */
async function removeStranded({ caller, connection, ...chosen }: Wanted): Promise<void> {
	const { source, ownerId, webhookId } = registered(caller);
	if (source === undefined || ownerId === undefined || webhookId === undefined) {
		return;
	}
	if (source === chosen.source && ownerId === chosen.ownerId) {
		return;
	}
	await remove(caller, connection, { source, ownerId }, webhookId);
}

/** Deletes a webhook; one that is not there any more is as good as deleted. */
async function remove(caller: IHookFunctions, connection: Connection, owner: Owner, webhookId: string): Promise<void> {
	const { error } = await attempt(send(caller, connection, { method: 'DELETE', path: webhooksPath(owner, webhookId) }));
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}

/** @throws ServiceError for a URL that the service cannot deliver to, with what to do about it */
function assertReachable(url: string, service: URL): void {
	const { hostname } = new URL(url);
	if ((isLoopback(hostname) || hostname === '0.0.0.0') && !isLoopback(service.hostname)) {
		throw new ServiceError(`The service cannot deliver events to ${url}: that address is on this machine`, {
			code: 'WEBHOOK_URL_NOT_PUBLIC',
			advice:
				"Set the environment variable N8N_WEBHOOK_URL (before n8n 3: WEBHOOK_URL) to the address at which n8n can be reached from the Internet, restart n8n and publish again. For a try-out, use a tunnel, or the sandbox of this node's project.",
			taken: 'no',
		});
	}
	if (url.length > LONGEST_URL) {
		throw new ServiceError(`The webhook URL has ${url.length} characters, and the service takes ${LONGEST_URL}`, {
			code: 'WEBHOOK_URL_TOO_LONG',
			advice: 'Use a shorter address for n8n.',
			taken: 'no',
		});
	}
}

/**
 * Looks for the webhook by its exact URL, test and production URL apart, or by its ID, and brings it up to date when
 * anything about it is unknown or different.
 *
 * @returns false when it is not there
 */
export async function checkExists(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		const [webhook, ...doubles] = await findWebhooks(wanted);
		if (webhook === undefined) {
			return false;
		}
		await removeStranded(wanted);
		if (!isUpToDate(wanted, webhook)) {
			await write(wanted, String(webhook.id));
		}
		for (const { id } of doubles) {
			await remove(caller, wanted.connection, wanted, String(id));
		}
		return true;
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

/** Registers the webhook with a new key. n8n has asked {@link checkExists} before. */
export async function create(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		await removeStranded(wanted);
		await write(wanted);
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
	const { source, ownerId, webhookId } = known;
	if (source === undefined || ownerId === undefined || webhookId === undefined) {
		return true;
	}
	try {
		await remove(caller, await connect(caller), { source, ownerId }, webhookId);
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
	forget(known);
	return true;
}
