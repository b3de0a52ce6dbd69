import { createHash } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/deliveries/address';
import { asRegistrationError } from '../../shared/errors/nodeError';
import { isGone, ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { loadKeys } from '../../shared/nodeLink/keys';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../shared/service/finishedCampaign';
import { readPage, webhooksIn } from '../../shared/service/pagination';
import { type Connection, connect, send } from '../../shared/service/transport';
import { readSettings, type TriggerSettings } from '../parameters/settings';
import { type Owner, sources } from '../parameters/source';
import { changeKey, clearRegistration, ownRegistration, successors } from './deliveryKeys';
import { adoptKeyInUse, noteInUse } from './newerKey';
import { nodeKey } from './nodeKey';
import { settingsWithKey, webhooksPath } from './webhookRequest';

/** The settings that the service returns in a listing: a change outside n8n shows in them. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

/** Compares arrays as sets: the service may return the events in another order. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

function digestOf({ settings, requireHeader }: TriggerSettings): string {
	return createHash('sha256')
		.update(JSON.stringify([settings, requireHeader]))
		.digest('hex');
}

/** The webhook that the service should have, and how to reach the service. */
interface WantedWebhook extends TriggerSettings {
	caller: IHookFunctions;
	connection: Connection;
}

/** @throws ServiceError if the settings are invalid, or the service cannot reach this n8n */
async function readWanted(caller: IHookFunctions): Promise<WantedWebhook> {
	const connection = await connect(caller);
	const url = caller.getNodeWebhookUrl('default') ?? '';
	assertDeliverable(url, connection.base);
	return { caller, connection, ...(await readSettings(caller, url)) };
}

/**
 * Finds the webhooks of the campaign or agent that deliver to this node's URL, and the one that this node registered:
 * n8n's address may have changed since.
 */
async function findWebhooks(wanted: WantedWebhook): Promise<IDataObject[]> {
	const { webhookId } = ownRegistration(wanted.caller);
	const body = await send(wanted.caller, wanted.connection, {
		method: 'GET',
		path: webhooksPath(wanted),
		codes: { 404: sources[wanted.source].noOwner },
	});
	// A response without a list is an error. Treating it as an empty list would register a duplicate.
	return readPage(body, webhooksIn, 1).items.filter(
		({ webhook_url: url, id }) => url === wanted.settings.webhook_url || id === webhookId,
	);
}

/** Sends the settings with a new key, and stores the registration in the static data. @param webhookId to update one */
async function write(wanted: WantedWebhook, webhookId?: string): Promise<void> {
	const { caller, connection, source, ownerId, settings, requireHeader } = wanted;
	const registration = ownRegistration(caller);
	registration.instanceId = caller.getInstanceId();
	registration.workflowId = caller.getWorkflow().id ?? '';
	const keyOptions = { chain: (await loadKeys(caller)).secrets, withHeader: requireHeader };
	const node = nodeKey(caller);
	adoptKeyInUse(node, registration, successors(registration, keyOptions));
	const { result: id } = await changeKey(registration, keyOptions, async (key) => {
		const { data } = await send(caller, connection, {
			method: webhookId === undefined ? 'POST' : 'PUT',
			path: webhooksPath(wanted, webhookId),
			body: { ...settings, ...settingsWithKey(settings, key) },
			codes: { 404: sources[source].noOwner },
		});
		noteInUse(node, key);
		return webhookId ?? idIn(data);
	});
	Object.assign(registration, { source, ownerId, webhookId: id, digest: digestOf(wanted) });
}

/** @throws ServiceError if the response to a registration has no ID */
function idIn(data: unknown): string {
	if (isRecord(data) && typeof data.id === 'string') {
		return data.id;
	}
	throw new ServiceError('The service registered the webhook, but did not return its ID', {
		code: 'UNREADABLE_ANSWER',
		advice: 'Publish the workflow again: the trigger then finds the webhook by its URL.',
		accepted: 'unknown',
	});
}

/** Whether n8n starts, and activates what was published before. */
function isStarting(caller: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(caller.getActivationMode());
}

/**
 * Whether a registered webhook needs no update. When a workflow is published, it always needs one: the service returns
 * neither the secret nor all settings, so nobody knows what it has. When n8n starts, it has what is stored.
 */
function isUpToDate(wanted: WantedWebhook, webhook: IDataObject): boolean {
	if (!isStarting(wanted.caller)) {
		return false;
	}
	const { settings } = wanted;
	const registration = ownRegistration(wanted.caller);
	return (
		registration.webhookId === webhook.id &&
		registration.secret !== undefined &&
		!registration.unsettled &&
		registration.digest === digestOf(wanted) &&
		LISTED.every((key) => sameValue(webhook[key], settings[key]))
	);
}

/** Deletes the webhook of a campaign or agent that is no longer selected, if n8n's call of `delete` has failed. */
async function removeStranded({ caller, connection, ...wanted }: WantedWebhook): Promise<void> {
	const { source, ownerId, webhookId } = ownRegistration(caller);
	if (source === undefined || ownerId === undefined || webhookId === undefined) {
		return;
	}
	if (source === wanted.source && ownerId === wanted.ownerId) {
		return;
	}
	await remove(caller, connection, { source, ownerId }, webhookId);
}

/** Deletes a webhook, if it exists. */
async function remove(caller: IHookFunctions, connection: Connection, owner: Owner, webhookId: string): Promise<void> {
	const { error } = await toResult(
		send(caller, connection, { method: 'DELETE', path: webhooksPath(owner, webhookId) }),
	);
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
}

/** How long to wait for the campaign's status: publishing waits for it. */
const STATUS_TIMEOUT_SECONDS = 5;

/**
 * Warns in n8n's log if the campaign is completed or cancelled, when somebody publishes or tests the workflow. This is
 * no error: calls in progress and late reports still send events, and an error would stop the workflow's other triggers
 * too. If the campaign cannot be read, there is no warning.
 */
async function warnIfFinished({ caller, connection, source, ownerId }: WantedWebhook): Promise<void> {
	if (source !== 'campaign' || isStarting(caller)) {
		return;
	}
	const request = { method: 'GET', path: ['campaigns', ownerId] } as const;
	const { value = {} } = await toResult(send(caller, connection, request, STATUS_TIMEOUT_SECONDS));
	const finished = finishedCampaign(value);
	if (finished !== undefined) {
		const { id, name } = caller.getWorkflow();
		const what = `"${caller.getNode().name}" in workflow "${name}": ${finished}`;
		caller.logger.warn(sentences(what, ABOUT_FINISHED_CAMPAIGN), { workflowId: id, campaignId: ownerId });
	}
}

/**
 * Finds the webhook by its ID or its exact URL, which is another one for a test run. Updates it unless it is known to be
 * up to date, and deletes duplicates.
 *
 * @returns false if it does not exist
 */
export async function checkExists(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		const [webhook, ...duplicates] = await findWebhooks(wanted);
		if (webhook === undefined) {
			return false;
		}
		await removeStranded(wanted);
		if (!isUpToDate(wanted, webhook)) {
			await write(wanted, String(webhook.id));
		}
		for (const { id } of duplicates) {
			await remove(caller, wanted.connection, wanted, String(id));
		}
		return true;
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
}

/** Registers the webhook with a new key. n8n calls {@link checkExists} first. */
export async function createRegistration(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		await removeStranded(wanted);
		await write(wanted);
		await warnIfFinished(wanted);
		return true;
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
}

/**
 * Deletes the webhook that this node registered. Its static data stays until that has succeeded, so that the next
 * registration can delete the webhook.
 */
export async function deleteRegistration(caller: IHookFunctions): Promise<boolean> {
	const registration = ownRegistration(caller);
	const { source, ownerId, webhookId } = registration;
	if (source === undefined || ownerId === undefined || webhookId === undefined) {
		return true;
	}
	try {
		await remove(caller, await connect(caller), { source, ownerId }, webhookId);
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
	clearRegistration(registration);
	return true;
}
