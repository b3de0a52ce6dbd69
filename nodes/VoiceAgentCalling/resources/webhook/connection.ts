import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { webhooksIn } from '../../../shared/client/pagination';
import { isGone, ServiceError, serviceError, toResult, unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { isSameOwner, type Owner, ownerTypes, type SecretVersions, webhooksPath } from '../../../shared/owner';
import {
	checkTriggerAt,
	type NoReplyCode,
	type NoTrigger,
	problemOf,
	type TriggerInfo,
	withDetail,
} from '../../../shared/triggerClient/checkTrigger';
import { acceptedAddress, type CustomHeader } from '../../../shared/triggerSecrets/deliverySecret';
import { unseal } from '../../../shared/triggerSecrets/resumeToken';
import { byAddress, type ListedWebhook, nextVersions } from '../../../shared/triggerSecrets/secretVersions';
import { isOtherUrl } from '../../../shared/triggerSecrets/triggerUrl';

/** Why no trigger responds at the URL that the user has chosen. */
const whyNot: Record<NoReplyCode, string> = {
	NOT_ON_THIS_N8N: 'The URL of the trigger is not on this n8n',
	TEST_URL: 'The URL is a test URL, which works only while the editor listens',
	NOT_A_TRIGGER: 'The URL is not that of a Voice Agent Calling Trigger',
	NO_ANSWER: 'n8n does not answer at the URL of the trigger',
	NOT_PUBLISHED: 'No published workflow listens at the URL of the trigger',
	N8N_REFUSED: 'No trigger answers at the URL',
	TRIGGER_NOT_PROVEN: 'No Voice Agent Calling Trigger with the same credential answers at the URL',
};

/** How often duplicates are searched for: concurrent runs can register new duplicates. */
const MAX_ROUNDS = 5;

const WRONG_URL_CODES: readonly NoReplyCode[] = ['NOT_A_TRIGGER', 'NOT_ON_THIS_N8N', 'TEST_URL'];

const USE_PRODUCTION_URL = "Choose a trigger from the list, or use the trigger's production URL.";

function refusal(what: string, why: string, advice: string): ServiceError {
	return new ServiceError(`${what}. ${why}`, { code: 'NOT_CONNECTED', advice, accepted: 'no' });
}

/** @throws ServiceError with the code of why no trigger responds at the URL */
function throwNoTrigger(noTrigger: NoTrigger<NoReplyCode>, what: string): never {
	const { code, detail } = noTrigger;
	throw new ServiceError(`${what}. ${withDetail(whyNot[code], detail)}`, {
		code,
		advice: WRONG_URL_CODES.includes(code) ? USE_PRODUCTION_URL : problemOf(noTrigger).whatToDo,
		accepted: 'no',
	});
}

/** Lists the webhooks of an owner that deliver to a trigger. @throws ServiceError */
async function listOwn(api: Api, triggerUrl: string, owner: Owner): Promise<ListedWebhook[]> {
	const codes = { 404: ownerTypes[owner.ownerType].noOwner } as const;
	const listed = await api.whole({ method: 'GET', path: webhooksPath(owner), codes }, webhooksIn);
	return byAddress(listed, triggerUrl).own;
}

/**
 * Registers the webhook of an owner that is not chosen in a trigger, with the settings of the trigger's other webhooks.
 * The webhook of a connected owner gets these settings again; no second webhook is created. Concurrent runs keep the
 * same webhook.
 *
 * @throws ServiceError `NOT_CONNECTED`, `URL_NOT_KEPT`, or a {@link NoReplyCode}
 */
export async function connectOwner(api: Api, triggerUrl: string, owner: Owner): Promise<IDataObject> {
	const what = `The ${owner.ownerType} was not connected`;
	const check = await checkTriggerAt(api, triggerUrl);
	if (check.code !== undefined) {
		throwNoTrigger(check, what);
	}
	const { trigger } = check;
	const { url } = trigger;
	if (trigger.ownerType !== owner.ownerType) {
		throw refusal(
			what,
			`The trigger receives the events of ${trigger.ownerType}s, not of ${owner.ownerType}s`,
			`Choose a trigger that has ${owner.ownerType === 'agent' ? 'Agent Call Event' : 'Campaign Event'} in 'Trigger On'.`,
		);
	}
	const [existing] = await listOwn(api, url, owner);
	const writtenId = await writeConnected(api, trigger, owner, existing);
	const { value: kept, error } = await toResult(keepOne(api, trigger, owner));
	if (error !== undefined) {
		// The webhook is written.
		throw error.with({ accepted: 'unknown' });
	}
	if (kept === undefined) {
		await assertKept(api, owner, writtenId, url);
	}
	return {
		connected: true,
		source: owner.ownerType,
		ownerId: owner.ownerId,
		webhookId: kept?.id ?? writtenId,
		webhookUrl: kept?.listed.webhook_url ?? url,
		isNew: existing === undefined,
	};
}

/**
 * Asserts that a registered webhook that the service does not list, perhaps because its list lags behind, has the URL
 * that it was given. Otherwise it is deleted.
 *
 * @throws ServiceError `URL_NOT_KEPT`
 */
async function assertKept(api: Api, owner: Owner, webhookId: string | undefined, url: string): Promise<void> {
	if (webhookId === undefined) {
		throw unreadable('without the ID of the webhook');
	}
	const { value } = await api.tryRequest({ method: 'GET', path: webhooksPath(owner, webhookId) });
	if (isOtherUrl(value?.data, url)) {
		await removeWebhook(api, owner, webhookId);
		throw serviceError('URL_NOT_KEPT');
	}
}

/**
 * Deletes the duplicates of a webhook. A concurrent run may have seen them in another order, and deleted the webhook
 * that this run keeps: so the run lists them again after deleting, and registers the webhook again if none is left.
 *
 * @returns the remaining webhook; undefined if the service does not list what it has registered, or not yet
 * @throws ServiceError
 */
async function keepOne(api: Api, trigger: TriggerInfo, owner: Owner): Promise<ListedWebhook | undefined> {
	let own = await listOwn(api, trigger.url, owner);
	for (let round = 0; own.length > 1 && round < MAX_ROUNDS; round += 1) {
		for (const { id } of own.slice(1)) {
			await removeWebhook(api, owner, id);
		}
		own = await listOwn(api, trigger.url, owner);
		if (own.length === 0) {
			await writeConnected(api, trigger, owner, undefined, `again ${round}`);
			own = await listOwn(api, trigger.url, owner);
		}
	}
	return own[0];
}

/** Deletes a webhook. @returns false if it does not exist; @throws ServiceError */
async function removeWebhook(api: Api, owner: Owner, webhookId: string): Promise<boolean> {
	const { error } = await api.tryRequest({ method: 'DELETE', path: webhooksPath(owner, webhookId) });
	if (error !== undefined && !isGone(error)) {
		throw error;
	}
	return error === undefined;
}

function isChosenIn({ chosen }: TriggerInfo, owner: Owner): boolean {
	return chosen.some((other) => isSameOwner(other, owner));
}

/**
 * Returns what a webhook needs so that a trigger accepts its deliveries, and the settings of the trigger's webhooks.
 *
 * @param url the URL to which the webhook delivers, without a query
 * @throws ServiceError `NOT_CONNECTED`
 */
export async function settingsFor(
	api: Api,
	{ verifyBy, settings: sealed }: TriggerInfo,
	url: string,
	owner: Owner,
	versions: SecretVersions,
) {
	const keys = await api.keys();
	const settings = unseal<{ custom_headers: CustomHeader[] }>(keys.resumeTokens, sealed);
	if (!isRecord(settings)) {
		throw refusal(
			'The webhook stayed as it was',
			'The trigger gave no settings that can be read',
			'Use the same package version in every n8n process.',
		);
	}
	const { custom_headers: headers } = settings;
	return { settings, accepted: acceptedAddress(keys, { url, isTest: false }, owner, versions, verifyBy, headers) };
}

/**
 * Updates the webhook of a connected owner. Registers a webhook if none exists, or no longer exists: another item can
 * have deleted it as a duplicate.
 *
 * @param identity distinguishes a second registration by this item from the first, which is never sent twice
 * @returns the ID of the webhook; undefined if the service does not return it
 * @throws ServiceError
 */
async function writeConnected(
	api: Api,
	trigger: TriggerInfo,
	owner: Owner,
	existing: ListedWebhook | undefined,
	identity?: string,
): Promise<string | undefined> {
	const versions = nextVersions(existing?.versions, Date.now());
	const { settings, accepted } = await settingsFor(api, trigger, trigger.url, owner, versions);
	const { value, error } = await api.tryRequest({
		method: existing === undefined ? 'POST' : 'PUT',
		path: webhooksPath(owner, existing?.id),
		body: { ...settings, ...accepted },
		// The next run finds a webhook that the service has registered without a readable response.
		...(existing === undefined && { identity, repeat: 'never', codes: { 404: ownerTypes[owner.ownerType].noOwner } }),
	});
	if (error !== undefined && existing !== undefined && isGone(error)) {
		return await writeConnected(api, trigger, owner, undefined);
	}
	if (error !== undefined) {
		throw error;
	}
	const { data } = value;
	return existing?.id ?? (isRecord(data) && data.id !== undefined ? String(data.id) : undefined);
}

/**
 * Deletes the webhook that {@link connectOwner} has registered, whether or not the trigger is published.
 *
 * @throws ServiceError `NOT_CONNECTED`, or a {@link NoReplyCode}
 */
export async function disconnectOwner(api: Api, triggerUrl: string, owner: Owner): Promise<IDataObject> {
	const what = `The ${owner.ownerType} was not disconnected`;
	const check = await checkTriggerAt(api, triggerUrl);
	if (check.code !== undefined && check.code !== 'NOT_PUBLISHED') {
		throwNoTrigger(check, what);
	}
	if (check.code === undefined && isChosenIn(check.trigger, owner)) {
		throw refusal(
			what,
			`The ${owner.ownerType} is chosen in the trigger itself`,
			'Take it off the list in the trigger, and publish its workflow.',
		);
	}
	let wasConnected = false;
	for (const { id } of await listOwn(api, triggerUrl, owner)) {
		const isRemoved = await removeWebhook(api, owner, id);
		wasConnected ||= isRemoved;
	}
	return { disconnected: wasConnected, source: owner.ownerType, ownerId: owner.ownerId, wasConnected };
}
