import type { IDataObject } from 'n8n-workflow';

import { MAX_PREVIOUS, namedInUrl, type SecretVersions } from '../owner';
import { isSameAddress, isSameTrigger } from './triggerUrl';

/** How long a replaced secret is still accepted, in milliseconds: deliveries signed with it may be on their way. */
export const PREVIOUS_ACCEPTED_MS = 60 * 60_000;

/** Whether a time is within an hour of now, in either direction: clocks differ. */
export function isRecent(time: number, now: number): boolean {
	return Math.abs(now - time) <= PREVIOUS_ACCEPTED_MS;
}

/**
 * Returns the next versions: a new current version, and the versions that were current within the last hour. The new
 * version is later than the previous ones, unless these are from a clock that was far ahead: they would be accepted for
 * too long.
 *
 * @param before the versions of the webhook, if any
 * @param now in milliseconds since 1970
 */
export function nextVersions(before: SecretVersions | undefined, now: number): SecretVersions {
	if (before === undefined) {
		return { current: now, previous: [] };
	}
	const current = isRecent(before.current, now) ? Math.max(now, before.current + 1) : now;
	return { current, previous: acceptedVersions(before, now).slice(0, MAX_PREVIOUS) };
}

/**
 * Returns the accepted versions, newest first: the current one, and each previous one for an hour after its successor.
 */
export function acceptedVersions({ current, previous }: SecretVersions, now: number): number[] {
	return [current, ...previous.filter((_time, at) => isRecent(at === 0 ? current : previous[at - 1], now))];
}

/** A webhook as the service lists it. */
export interface ListedWebhook {
	id: string;
	address: string;
	/** The versions in its address; undefined if the service has dropped the query. */
	versions: SecretVersions | undefined;
	/** The webhook as the service returns it. */
	listed: IDataObject;
}

/** The webhooks of one owner, by address. */
export interface WebhooksByAddress {
	/**
	 * The webhooks that deliver to the trigger: same origin, same path. Only the address decides: a copy of n8n has the
	 * same workflows, but another address. The newest version is first, so that all processes keep the same webhook.
	 */
	own: ListedWebhook[];
	/**
	 * The webhooks with the same path at another address: they belong to another n8n, or to this one before it moved.
	 */
	samePath: ListedWebhook[];
	others: ListedWebhook[];
}

/**
 * Sorts the webhooks of one owner.
 *
 * @param webhooks as the service lists them
 * @param triggerUrl the production or test URL of the trigger
 */
export function byAddress(webhooks: readonly IDataObject[], triggerUrl: string): WebhooksByAddress {
	const all = webhooks.map((listed): ListedWebhook => {
		const address = String(listed.webhook_url);
		return { id: String(listed.id), address, versions: namedInUrl(address).versions, listed };
	});
	const own = all.filter(({ address }) => isSameAddress(address, triggerUrl));
	const samePath = all.filter((one) => !own.includes(one) && isSameTrigger(one.address, triggerUrl));
	return {
		own: own.sort((one, other) => {
			const newer = (other.versions?.current ?? 0) - (one.versions?.current ?? 0);
			return newer === 0 ? one.id.localeCompare(other.id) : newer;
		}),
		samePath,
		others: all.filter((one) => !own.includes(one) && !samePath.includes(one)),
	};
}
