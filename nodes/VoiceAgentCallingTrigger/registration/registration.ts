import type { IHookFunctions } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/deliveries/address';
import { asRegistrationError } from '../../shared/errors/nodeError';
import { sentences, toResult } from '../../shared/errors/serviceError';
import { inBatches } from '../../shared/lib/inBatches';
import { isTestUrl } from '../../shared/nodeLink/listener';
import { isSameOwner, type Owner, type Source } from '../../shared/nodeLink/owner';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../shared/service/finishedCampaign';
import { connect, send } from '../../shared/service/transport';
import { readSettings } from '../parameters/settings';
import { type Found, findConnected, isToRestoreComplete, noteTakenDown, toRestore } from './connected';
import { clearRegistration, type OwnWebhook, ownRegistration, type Registration, storedWebhooks } from './deliveryKeys';
import { AT_ONCE, type Reach, removeWebhook, webhooksOf } from './reach';
import { digestOf, webhookOf } from './webhookRequest';
import { about, type Wanted, writeAll } from './writeAll';

/** How long a rate limit may hold up a request while a workflow is published. */
const PATIENCE_SECONDS = 60;

/** The settings that the service returns in a listing: a change outside n8n shows in them. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

/** Compares arrays as sets: the service may return the events in another order. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

async function reachService(caller: IHookFunctions): Promise<Reach & { caller: IHookFunctions }> {
	return { caller, connection: await connect(caller), patienceSeconds: PATIENCE_SECONDS };
}

/** @throws ServiceError if the settings are invalid, or the service cannot reach this n8n */
async function readWanted(caller: IHookFunctions): Promise<Wanted> {
	const reached = await reachService(caller);
	const wanted = { ...reached, ...(await readSettings(caller, caller.getNodeWebhookUrl('default') ?? '')) };
	for (const owner of wanted.chosen) {
		assertDeliverable(webhookOf(wanted, owner).webhook_url, reached.connection.base);
	}
	return wanted;
}

/**
 * Finds the webhooks of each chosen owner that deliver to its URL, and the one that this node registered: n8n's address
 * may have changed since.
 */
async function findWebhooks(wanted: Wanted): Promise<Found[]> {
	const stored = storedWebhooks(ownRegistration(wanted.caller));
	return await inBatches(wanted.chosen, AT_ONCE, async (owner) => {
		const { value, error } = await toResult(webhooksOf(wanted, owner));
		if (error !== undefined) {
			throw about(wanted, owner, error);
		}
		const own = stored.find((webhook) => isSameOwner(webhook, owner))?.webhookId;
		const url = webhookOf(wanted, owner).webhook_url;
		return { owner, webhooks: value.filter(({ webhook_url, id }) => webhook_url === url || id === own) };
	});
}

/** Whether n8n starts, and activates what was published before. */
function isStarting(caller: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(caller.getActivationMode());
}

/**
 * Whether the registered webhooks need no update. When a workflow is published, they always need one: the service
 * returns neither the secrets nor all settings, so nobody knows what it has. When n8n starts, it has what is stored.
 */
function isUpToDate(wanted: Wanted, found: readonly Found[]): boolean {
	if (!isStarting(wanted.caller)) {
		return false;
	}
	const registration = ownRegistration(wanted.caller);
	const stored = storedWebhooks(registration);
	return (
		registration.secret !== undefined &&
		!registration.unsettled &&
		found.every(({ owner, webhooks: [webhook] }) => {
			const settings = webhookOf(wanted, owner);
			const own = stored.find((other) => isSameOwner(other, owner));
			return (
				own !== undefined &&
				own.webhookId === webhook?.id &&
				own.digest === digestOf(wanted, owner) &&
				LISTED.every((key) => sameValue(webhook[key], settings[key]))
			);
		})
	);
}

/** Deletes the webhooks of owners that are no longer chosen, if n8n's call of `delete` has failed. */
async function removeStranded(wanted: Wanted): Promise<void> {
	const registration = ownRegistration(wanted.caller);
	const isChosen = (webhook: Owner) => wanted.chosen.some((owner) => isSameOwner(owner, webhook));
	const stored = storedWebhooks(registration);
	const stranded = stored.filter((webhook) => !isChosen(webhook));
	for (const webhook of stranded) {
		await removeWebhook(wanted, webhook, webhook.webhookId);
	}
	if (stranded.length > 0) {
		registration.webhooks = stored.filter(isChosen);
	}
}

/** The connected owners: none at a test URL, or if the trigger accepts no connections. */
async function findAllConnected(wanted: Wanted): Promise<Found[]> {
	const { caller, acceptsConnections, source, settings, chosen } = wanted;
	if (!acceptsConnections || isTestUrl(settings.webhook_url)) {
		return [];
	}
	const known = toRestore(caller, ownRegistration(caller));
	return await findConnected(wanted, source, settings.webhook_url, known, chosen, isToRestoreComplete(caller));
}

/** Registers or updates all webhooks, and deletes duplicates. */
async function register(wanted: Wanted, found: readonly Found[]): Promise<void> {
	await removeStranded(wanted);
	const isCurrent = isUpToDate(wanted, found);
	const connected = isCurrent ? [] : await findAllConnected(wanted);
	if (!isCurrent) {
		await writeAll(wanted, found, connected);
	}
	for (const { owner, webhooks } of [...found, ...connected]) {
		for (const { id } of webhooks.slice(1)) {
			await removeWebhook(wanted, owner, String(id));
		}
	}
}

/** How long to wait for a campaign's status: publishing waits for it. */
const STATUS_TIMEOUT_SECONDS = 5;

/**
 * Warns in n8n's log of each campaign that is completed or cancelled, when somebody publishes or tests the workflow.
 * This is no error: calls in progress and late reports still send events, and an error would stop the workflow's other
 * triggers too. If a campaign cannot be read, there is no warning.
 */
async function warnOfFinished({ caller, connection, source, chosen }: Wanted): Promise<void> {
	if (source !== 'campaign' || isStarting(caller)) {
		return;
	}
	await inBatches(chosen, AT_ONCE, async ({ ownerId }) => {
		const request = { method: 'GET', path: ['campaigns', ownerId] } as const;
		const { value = {} } = await toResult(send(caller, connection, request, STATUS_TIMEOUT_SECONDS));
		const finished = finishedCampaign(value);
		if (finished !== undefined) {
			const { id, name } = caller.getWorkflow();
			const what = `"${caller.getNode().name}" in workflow "${name}": ${finished}`;
			caller.logger.warn(sentences(what, ABOUT_FINISHED_CAMPAIGN), { workflowId: id, campaignId: ownerId });
		}
	});
}

/**
 * Finds the webhooks by their IDs or their exact URLs, which are others for a test run. If all exist, updates them
 * unless they are known to be up to date, and deletes duplicates.
 *
 * @returns false if one does not exist: n8n then calls {@link createRegistration}
 */
export async function checkExists(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		const found = await findWebhooks(wanted);
		if (found.some(({ webhooks }) => webhooks.length === 0)) {
			return false;
		}
		await register(wanted, found);
		return true;
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
}

/** Registers the webhooks that do not exist and updates the others, with a new key. */
export async function createRegistration(caller: IHookFunctions): Promise<boolean> {
	try {
		const wanted = await readWanted(caller);
		await register(wanted, await findWebhooks(wanted));
		await warnOfFinished(wanted);
		return true;
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
}

/**
 * Deletes the webhooks that this node registered. The static data keeps those of which that has failed, so that the next
 * registration can delete them.
 */
export async function deleteRegistration(caller: IHookFunctions): Promise<boolean> {
	const registration = ownRegistration(caller);
	const stored = storedWebhooks(registration);
	try {
		// What cannot be found must not keep the others.
		const { value: connected = [], error: notFound } = await toResult(takeDownConnected(caller, registration));
		const others = connected.flatMap(({ owner, webhooks }) =>
			webhooks.map(({ id }) => ({ ...owner, webhookId: String(id) })),
		);
		const all = [...stored, ...others];
		if (all.length === 0 && notFound === undefined) {
			return true;
		}
		const reach = await reachService(caller);
		const results = await inBatches(all, AT_ONCE, async (webhook) => {
			return { webhook, ...(await toResult(removeWebhook(reach, webhook, webhook.webhookId))) };
		});
		const error = results.find((result) => result.error !== undefined)?.error ?? notFound;
		if (error !== undefined) {
			const isLeft = (one: OwnWebhook) =>
				results.some((result) => result.webhook === one && result.error !== undefined);
			registration.webhooks = stored.filter(isLeft);
			throw error;
		}
	} catch (error) {
		throw asRegistrationError(caller.getNode(), error);
	}
	clearRegistration(registration);
	return true;
}

/**
 * Finds the webhooks of the connected owners, with the parameters with which the workflow was published, and remembers
 * the owners, so that the next publication restores them.
 *
 * @returns none at a test URL, or if the trigger accepts no connections
 */
async function takeDownConnected(caller: IHookFunctions, registration: Partial<Registration>): Promise<Found[]> {
	const url = caller.getNodeWebhookUrl('default') ?? '';
	const isAccepting = String(caller.getNodeParameter('options.acceptConnections', false)) === 'true';
	if (!isAccepting || isTestUrl(url)) {
		return [];
	}
	const { value: settings } = await toResult(readSettings(caller, url));
	const source = caller.getNodeParameter('source', 'campaign') as Source;
	const chosen = [...storedWebhooks(registration), ...(settings?.chosen ?? [])];
	const known = toRestore(caller, registration);
	const connected = await findConnected(await reachService(caller), source, url, known, chosen);
	const owners = connected.map(({ owner }) => owner);
	noteTakenDown(caller, registration, owners, true);
	return connected;
}
