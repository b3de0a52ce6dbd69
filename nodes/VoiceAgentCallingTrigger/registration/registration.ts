import type { IHookFunctions } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/deliveries/address';
import { asRegistrationError } from '../../shared/errors/nodeError';
import { isGone, type Result, type ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { inBatches } from '../../shared/lib/inBatches';
import { loadKeys } from '../../shared/nodeLink/keys';
import { isTestUrl } from '../../shared/nodeLink/listener';
import { isSameOwner, type Owner, type Source } from '../../shared/nodeLink/owner';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../shared/service/finishedCampaign';
import { connect, send } from '../../shared/service/transport';
import { readSettings, type TriggerSettings } from '../parameters/settings';
import { type Found, findConnected, isToRestoreComplete, noteRestored, noteTakenDown, toRestore } from './connected';
import {
	changeKey,
	clearRegistration,
	type DeliveryKey,
	type OwnWebhook,
	ownRegistration,
	type Registration,
	storedWebhooks,
	successors,
} from './deliveryKeys';
import { adoptKeyInUse, noteInUse } from './newerKey';
import { nodeKey } from './nodeKey';
import { AT_ONCE, type Reach, removeWebhook, webhooksOf } from './reach';
import { digestOf, webhookOf, writeWebhook } from './webhookRequest';

/** How long a rate limit may hold up a request while a workflow is published. */
const PATIENCE_SECONDS = 60;

/** The settings that the service returns in a listing: a change outside n8n shows in them. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

/** Compares arrays as sets: the service may return the events in another order. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

/** The webhooks that the service should have, and how to reach the service. */
interface Wanted extends Reach, TriggerSettings {
	caller: IHookFunctions;
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

/** The error of one campaign or agent, with its ID if several are chosen. */
function about({ chosen }: TriggerSettings, { source, ownerId }: Owner, error: ServiceError): ServiceError {
	return chosen.length === 1 ? error : error.with({ message: `${error.message} (${source} ${ownerId})` });
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

/**
 * Sends the settings with a new key, and stores the registration in the static data. If one webhook fails, those that
 * this call has registered are deleted. A connected webhook that fails is no reason for that.
 *
 * @param found the chosen owners
 * @param connected the others
 */
async function write(wanted: Wanted, found: readonly Found[], connected: readonly Found[]): Promise<void> {
	const { caller, requireHeader } = wanted;
	const registration = ownRegistration(caller);
	registration.instanceId = caller.getInstanceId();
	registration.workflowId = caller.getWorkflow().id ?? '';
	const keyOptions = { chain: (await loadKeys(caller)).secrets, withHeader: requireHeader };
	const node = nodeKey(caller);
	adoptKeyInUse(node, registration, successors(registration, keyOptions));
	const { result } = await changeKey(registration, keyOptions, async (key, taken) => {
		const onTaken = () => {
			taken();
			noteInUse(node, key);
		};
		const written = await writeEach(wanted, found, key, onTaken);
		const failed = written.find(({ error }) => error !== undefined);
		if (failed?.error !== undefined) {
			registration.webhooks = [...storedWebhooks(registration), ...(await rollBack(wanted, written))];
			throw about(wanted, failed.owner, failed.error);
		}
		const lost = await connectAgain(wanted, connected, key, onTaken);
		return { webhooks: written.map(({ owner, value = '' }) => ownWebhook(wanted, owner, value)), lost };
	});
	registration.webhooks = result.webhooks;
	noteRestored(caller, registration, result.lost);
}

function ownWebhook(wanted: TriggerSettings, owner: Owner, webhookId: string): OwnWebhook {
	return { ...owner, webhookId, digest: digestOf(wanted, owner) };
}

/**
 * Registers or updates the webhooks of connected owners. One that fails is tried twice, then named in n8n's log.
 *
 * @returns the owners whose webhook has failed
 */
async function connectAgain(
	wanted: Wanted,
	connected: readonly Found[],
	key: DeliveryKey,
	onTaken: () => void,
): Promise<Owner[]> {
	const lost = await inBatches(connected, AT_ONCE, async ({ owner, webhooks: [webhook] }) => {
		const id = webhook && String(webhook.id);
		const connect = async () => await toResult(writeWebhook(wanted, wanted, owner, key, id));
		let { error } = await connect();
		if (error?.accepted === 'no' && !isGone(error)) {
			({ error } = await connect());
		}
		if (error === undefined) {
			onTaken();
			return [];
		}
		if (isGone(error)) {
			return [];
		}
		const { name } = wanted.caller.getNode();
		wanted.caller.logger.warn(
			sentences(
				`"${name}" could not connect the ${owner.source} ${owner.ownerId} again: ${error.message}`,
				"Use 'Connect to Trigger', or publish the workflow again.",
			),
			{ workflowId: wanted.caller.getWorkflow().id },
		);
		return [owner];
	});
	return lost.flat();
}

/** A webhook that was sent to the service: its ID, or the error. */
type Written = Result<string> & { owner: Owner; isNew: boolean };

/** Registers or updates the webhook of each owner. After an error, no others are sent. */
async function writeEach(
	wanted: Wanted,
	found: readonly Found[],
	key: DeliveryKey,
	onTaken: () => void,
): Promise<Written[]> {
	let hasFailed = false;
	const written = await inBatches(found, AT_ONCE, async ({ owner, webhooks: [webhook] }) => {
		if (hasFailed) {
			return [];
		}
		const id = webhook && String(webhook.id);
		const result = await toResult(writeWebhook(wanted, wanted, owner, key, id));
		if (result.error === undefined) {
			onTaken();
		} else {
			hasFailed = true;
		}
		return [{ ...result, owner, isNew: id === undefined }];
	});
	return written.flat();
}

/**
 * Deletes the webhooks that were registered just now, also those of which no response tells.
 *
 * @returns those that could not be deleted: `delete` has to
 */
async function rollBack(wanted: Wanted, written: readonly Written[]): Promise<OwnWebhook[]> {
	const left: OwnWebhook[] = [];
	for (const { owner, isNew, value, error } of written) {
		if (!isNew || error?.accepted === 'no') {
			continue;
		}
		const url = webhookOf(wanted, owner).webhook_url;
		const { value: listed = [] } = value === undefined ? await toResult(webhooksOf(wanted, owner)) : {};
		const ids =
			value === undefined ? listed.filter(({ webhook_url }) => webhook_url === url).map(({ id }) => id) : [value];
		for (const id of ids.map(String)) {
			const removed = await toResult(removeWebhook(wanted, owner, id));
			if (removed.error !== undefined) {
				left.push(ownWebhook(wanted, owner, id));
			}
		}
	}
	return left;
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
		await write(wanted, found, connected);
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
