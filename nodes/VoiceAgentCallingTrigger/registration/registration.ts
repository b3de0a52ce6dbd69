import type { IHookFunctions } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/client/address';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../shared/client/statuses';
import { connect, send } from '../../shared/client/transport';
import { asRegistrationError } from '../../shared/errors/nodeError';
import {
	invalid,
	isGone,
	type ServiceError,
	sentences,
	serviceError,
	toResult,
	unwrap,
} from '../../shared/errors/serviceError';
import { loadKeys } from '../../shared/keys';
import { inBatches } from '../../shared/lib/collections';
import { isSameOwner, type Owner, ownerUrl, type SecretVersions, webhooksPath } from '../../shared/owner';
import {
	byAddress,
	type ListedWebhook,
	nextVersions,
	type WebhooksByAddress,
} from '../../shared/triggerSecrets/secretVersions';
import { hasTriggerPath, isOtherUrl, isTestUrl } from '../../shared/triggerSecrets/triggerUrl';
import { readSettings, type TriggerSettings } from '../parameters/settings';
import {
	type DesiredWebhooks,
	deleteWebhook,
	REQUESTS_AT_ONCE,
	type ServiceClient,
	sendRequest,
	webhooksOf,
	writeWebhook,
} from './serviceClient';
import { type LastWebhook, lastWebhooks, storeWebhooks } from './storedState';

/** How long a request waits for a rate limit while a workflow is published. */
const REGISTRATION_TIMEOUT_SECONDS = 60;

/** The settings that the service returns in a listing, which show changes made outside n8n. */
const LISTED = ['name', 'events', 'enabled', 'include_call_events'] as const;

/** Compares arrays as sets: the service may return the events in another order. */
function sameValue(left: unknown, right: unknown): boolean {
	const [one, other] = [left, right].map((value) => (Array.isArray(value) ? value.toSorted() : value));
	return JSON.stringify(one) === JSON.stringify(other);
}

/** A client of the service for a hook of n8n. */
type HookClient = ServiceClient & { caller: IHookFunctions };

async function clientOf(caller: IHookFunctions): Promise<HookClient> {
	return { caller, connection: await connect(caller), maxWaitSeconds: REGISTRATION_TIMEOUT_SECONDS };
}

/** The webhooks that a hook of n8n has to register. */
type Desired = DesiredWebhooks & HookClient;

function triggerUrlOf(caller: IHookFunctions): string {
	return caller.getNodeWebhookUrl('default') ?? '';
}

/** Reads the desired webhooks. @throws ServiceError if a setting is invalid, or the service cannot reach this n8n */
async function readDesired(caller: IHookFunctions): Promise<Desired> {
	const client = await clientOf(caller);
	const keys = await loadKeys(caller);
	const settings = await readSettings(caller, triggerUrlOf(caller));
	if (!hasTriggerPath(settings.settings.webhook_url)) {
		throw invalid(
			`The ID of the node's webhook is not a UUID: ${caller.getNode().webhookId ?? 'it is missing'}`,
			"Copy the trigger in the editor, paste it, and delete this one: n8n then makes an ID. Or set 'webhookId' in the JSON of the node to a UUID. Other nodes find a trigger by it.",
		);
	}
	for (const owner of settings.chosen) {
		const versions = { current: Date.now(), previous: [] };
		const url = ownerUrl(settings.settings.webhook_url, owner, versions, settings.verifyBy, keys.fingerprint);
		assertDeliverable(url, client.connection.base);
	}
	return { ...client, ...settings, keys, isTest: caller.getMode() === 'manual' };
}

/** Adds the ID of a campaign or agent to its error, if several are chosen. */
function withOwner({ chosen }: TriggerSettings, { ownerType, ownerId }: Owner, error: ServiceError): ServiceError {
	return chosen.length === 1 ? error : error.with({ message: `${error.message} (${ownerType} ${ownerId})` });
}

/** Lists the webhooks of an owner. @throws ServiceError */
async function listWebhooks(client: ServiceClient, triggerUrl: string, owner: Owner): Promise<WebhooksByAddress> {
	return byAddress(await webhooksOf(client, owner), triggerUrl);
}

/** Whether n8n is starting, and activates the workflows that were published before. */
function isStarting(caller: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(caller.getActivationMode());
}

/** Whether the service lists exactly one webhook of an owner, with the desired settings. */
function isUpToDate({ settings, verifyBy, keys }: Desired, owner: Owner, { own }: WebhooksByAddress): boolean {
	const [webhook, ...duplicates] = own;
	if (webhook?.versions === undefined || duplicates.length > 0) {
		return false;
	}
	const url = ownerUrl(settings.webhook_url, owner, webhook.versions, verifyBy, keys.fingerprint);
	return webhook.listed.webhook_url === url && LISTED.every((key) => sameValue(webhook.listed[key], settings[key]));
}

/** Logs a warning about the webhooks. */
function warn(caller: IHookFunctions, what: string, advice: string, metadata: object = {}): void {
	const { id, name } = caller.getWorkflow();
	const text = sentences(`"${caller.getNode().name}" in workflow "${name}": ${what}`, advice);
	caller.logger.warn(text, { workflowId: id, ...metadata });
}

/**
 * Runs a hook of n8n. An error stops the publication of the workflow. While n8n is starting, errors are only logged:
 * n8n would otherwise call {@link deleteRegistration} for correct webhooks.
 */
async function runHook(caller: IHookFunctions, run: () => Promise<boolean>): Promise<boolean> {
	try {
		return await run();
	} catch (cause) {
		const error = asRegistrationError(caller.getNode(), cause);
		if (!isStarting(caller)) {
			throw error;
		}
		warn(
			caller,
			`the webhooks could not be checked while n8n started, and were left unchanged: ${error.message}`,
			"Use Webhook → 'Check Registration'.",
		);
		return true;
	}
}

/**
 * Whether the webhooks of all chosen owners exist and need no update. When a workflow is published, they always need an
 * update: the service returns neither the secrets nor all settings, so they cannot be compared.
 */
export async function checkExists(caller: IHookFunctions): Promise<boolean> {
	if (!isStarting(caller)) {
		return false;
	}
	return await runHook(caller, async () => {
		const desired = await readDesired(caller);
		const current = await inBatches(desired.chosen, REQUESTS_AT_ONCE, async (owner) => {
			const { value, error } = await toResult(listWebhooks(desired, desired.settings.webhook_url, owner));
			if (error !== undefined) {
				throw withOwner(desired, owner, error);
			}
			return isUpToDate(desired, owner, value);
		});
		return current.every(Boolean);
	});
}

/** Registers the missing webhooks of the chosen owners, and updates the others. */
export async function createRegistration(caller: IHookFunctions): Promise<boolean> {
	return await runHook(caller, async () => {
		const desired = await readDesired(caller);
		const left = await deleteStranded(desired);
		const written = await writeAll(desired);
		storeWebhooks(caller, [...written, ...left]);
		await warnOfFinished(desired);
		return true;
	});
}

/**
 * Writes the webhook of each chosen owner, until an error occurs. n8n then calls {@link deleteRegistration}.
 *
 * @throws ServiceError the first error
 */
async function writeAll(desired: Desired): Promise<LastWebhook[]> {
	const before = lastWebhooks(desired.caller);
	let failed: ServiceError | undefined;
	const written = await inBatches(desired.chosen, REQUESTS_AT_ONCE, async (owner) => {
		if (failed !== undefined) {
			return [];
		}
		const last = before.find((webhook) => isSameOwner(webhook, owner));
		const { value, error } = await toResult(writeOne(desired, owner, last));
		if (error !== undefined) {
			failed ??= withOwner(desired, owner, error);
			return [];
		}
		return [value];
	});
	if (failed !== undefined) {
		throw failed;
	}
	return written.flat();
}

/**
 * Registers or updates the webhook of an owner, and deletes its duplicates.
 *
 * @param last the last versions of the owner's secret
 */
async function writeOne(desired: Desired, owner: Owner, last: SecretVersions | undefined): Promise<LastWebhook> {
	const listed = await listWebhooks(desired, desired.settings.webhook_url, owner);
	warnOfOthers(desired.caller, owner, listed.samePath);
	const [webhook] = listed.own;
	if (webhook?.versions !== undefined && isStarting(desired.caller) && isUpToDate(desired, owner, listed)) {
		return { ...owner, ...webhook.versions, webhookId: webhook.id };
	}
	const versions = nextVersions(webhook?.versions ?? last, Date.now());
	const webhookId = await writeWebhook(desired, owner, versions, webhook?.id);
	// Another process, or a request of this process without a response, may have registered a webhook as well.
	const own = webhook === undefined ? await listRegistered(desired, owner, webhookId) : listed.own;
	for (const { id } of own.slice(1)) {
		await deleteWebhook(desired, owner, id);
	}
	return { ...owner, ...versions, webhookId };
}

/**
 * Lists the webhooks of an owner that deliver to the trigger, after it was registered. If the service returns its URL in
 * another form, its deliveries would be refused, and nothing would find or delete it later.
 *
 * @returns without the registered webhook if the list lags behind
 * @throws ServiceError `URL_NOT_KEPT` after deleting the registered webhook
 */
async function listRegistered(desired: Desired, owner: Owner, webhookId: string): Promise<ListedWebhook[]> {
	const { webhook_url: wanted } = desired.settings;
	const { own } = await listWebhooks(desired, wanted, owner);
	if (own.length > 0) {
		return own;
	}
	const { value = {} } = await toResult(sendRequest(desired, { method: 'GET', path: webhooksPath(owner, webhookId) }));
	if (isOtherUrl(value.data, wanted)) {
		await deleteWebhook(desired, owner, webhookId);
		throw serviceError('URL_NOT_KEPT');
	}
	return own;
}

/** Logs the webhooks of another n8n, which are left unchanged. */
function warnOfOthers(caller: IHookFunctions, { ownerType }: Owner, others: readonly ListedWebhook[]): void {
	for (const { id: webhookId, address } of others) {
		const { origin, pathname } = new URL(address);
		warn(
			caller,
			`another webhook of the ${ownerType} delivers to ${origin}${pathname}, not to ${triggerUrlOf(caller)}`,
			"If a copy of this n8n is there, this is correct. If this n8n was there before it moved, delete that webhook; to move one without losing its deliveries, use Webhook → 'Update' with the new URL instead of publishing.",
			{ webhookId },
		);
	}
}

/**
 * Deletes the webhooks of owners that are no longer chosen: n8n's call of `delete` may have failed.
 *
 * @returns the webhooks that could not be deleted
 */
async function deleteStranded(desired: Desired): Promise<LastWebhook[]> {
	const left: LastWebhook[] = [];
	for (const webhook of ofOtherOwners(lastWebhooks(desired.caller), desired.chosen)) {
		const { error } = await toResult(deleteOwn(desired, webhook, webhook));
		if (error !== undefined) {
			left.push(webhook);
		}
	}
	return left;
}

/** Returns the webhooks that belong to none of the owners. */
function ofOtherOwners(webhooks: readonly LastWebhook[], owners: readonly Owner[]): LastWebhook[] {
	return webhooks.filter((webhook) => !owners.some((owner) => isSameOwner(owner, webhook)));
}

/** How far clocks may differ, in milliseconds. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * Deletes all webhooks of an owner that deliver to the trigger. At a test URL, webhooks that were just created are
 * kept: n8n ends a test run when the next one may have begun.
 *
 * @param only the only webhook to delete, unless it has changed since: the owner may have been connected meanwhile
 * @returns the newest webhook that the service listed
 * @throws ServiceError
 */
async function deleteOwn(client: HookClient, owner: Owner, only?: LastWebhook): Promise<ListedWebhook | undefined> {
	const { caller } = client;
	const { ownerType, ownerId } = owner;
	const triggerUrl = triggerUrlOf(caller);
	const now = Date.now();
	const { value, error } = await toResult(listWebhooks(client, triggerUrl, owner));
	if (error !== undefined) {
		if (isGone(error)) {
			warn(
				caller,
				`the ${ownerType} ${ownerId} cannot be found with the token of the credential, so none of its webhooks was deleted`,
				'If the credential had the token of another environment before, delete the webhook in that environment.',
			);
			return undefined;
		}
		throw error;
	}
	warnOfOthers(caller, owner, value.samePath);
	const isFromNextStart = ({ versions }: ListedWebhook) =>
		isTestUrl(triggerUrl) &&
		versions !== undefined &&
		versions.current > now &&
		versions.current < now + CLOCKS_DIFFER_MS;
	const isWanted = ({ id, versions }: ListedWebhook) =>
		only === undefined || (id === only.webhookId && versions?.current === only.current);
	for (const webhook of value.own.filter((one) => isWanted(one) && !isFromNextStart(one))) {
		await deleteWebhook(client, owner, webhook.id);
	}
	if (value.own.some((one) => one.id === only?.webhookId && !isWanted(one))) {
		warn(
			caller,
			`the webhook of the ${ownerType} ${ownerId}, which is no longer chosen, still delivers here: its secret was replaced, or it was connected since`,
			"If it was not connected, use Webhook → 'Disconnect From Trigger'.",
			{ webhookId: only?.webhookId },
		);
	}
	return value.own[0];
}

/** The advice for a webhook that could not be deleted. */
const STAYS =
	'Until it is deleted there, or the workflow is published and unpublished again, the webhook stays at the service, which goes on delivering.';

/**
 * Deletes the webhooks of the chosen owners that deliver to the trigger, and the webhooks that the trigger had last.
 * The webhooks of connected owners stay: they belong to the node that connected them.
 */
export async function deleteRegistration(caller: IHookFunctions): Promise<boolean> {
	const { value: settings } = await toResult(readSettings(caller, triggerUrlOf(caller)));
	const { error } = await toResult(deleteAll(caller, settings?.chosen ?? []));
	if (error !== undefined) {
		const advice = sentences(error.advice, STAYS);
		throw asRegistrationError(caller.getNode(), error.with({ advice }));
	}
	return true;
}

/** Deletes the webhooks of the chosen owners, and the stranded ones. @throws ServiceError the first error */
async function deleteAll(caller: IHookFunctions, chosen: readonly Owner[]): Promise<void> {
	const last = lastWebhooks(caller);
	const stranded = ofOtherOwners(last, chosen);
	if (chosen.length + stranded.length === 0) {
		return;
	}
	const client = await clientOf(caller);
	const results = await inBatches(chosen, REQUESTS_AT_ONCE, async (owner) => {
		const result = await toResult(deleteOwn(client, owner));
		return { ...result, owner };
	});
	const strandedResults = await inBatches(stranded, REQUESTS_AT_ONCE, async (webhook) =>
		toResult(deleteOwn(client, webhook, webhook)),
	);
	// Versions that were rotated since this publication are accepted for an hour after the next publication.
	const present = results.flatMap(({ owner, value }) =>
		value?.versions === undefined ? [] : [{ ...owner, ...value.versions, webhookId: value.id }],
	);
	storeWebhooks(caller, [...present, ...ofOtherOwners(last, present)]);
	[...results, ...strandedResults].forEach(unwrap);
}

/** How long to wait for a campaign's status: publishing waits for it. */
const STATUS_TIMEOUT_SECONDS = 5;

/**
 * Warns in n8n's log of each campaign that is completed or cancelled, when somebody publishes or tests the workflow.
 * This is not an error: calls in progress and late reports still send events, and an error would stop the workflow's
 * other triggers as well. If a campaign cannot be read, nothing is logged.
 */
async function warnOfFinished({ caller, connection, ownerType, chosen }: Desired): Promise<void> {
	if (ownerType !== 'campaign' || isStarting(caller)) {
		return;
	}
	await inBatches(chosen, REQUESTS_AT_ONCE, async ({ ownerId }) => {
		const request = { method: 'GET', path: ['campaigns', ownerId] } as const;
		const { value = {} } = await toResult(send(caller, connection, request, STATUS_TIMEOUT_SECONDS));
		const finished = finishedCampaign(value);
		if (finished !== undefined) {
			warn(caller, finished, ABOUT_FINISHED_CAMPAIGN, { campaignId: ownerId });
		}
	});
}
