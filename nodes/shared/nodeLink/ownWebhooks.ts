import type { IDataObject } from 'n8n-workflow';

import { type Generations, namedInUrl } from './owner';
import { isSameAddress } from './triggerUrl';

/** A webhook that delivers to a trigger. */
export interface OwnWebhook {
	id: string;
	/** As the service lists it. */
	listed: IDataObject;
	/** By its URL; undefined if it names none. */
	generations: Generations | undefined;
}

/**
 * The webhooks of one owner that deliver to a trigger: same origin, same path. Nothing else makes a webhook belong to
 * a trigger: a copy of n8n has the same workflows, but another address.
 *
 * @param webhooks of the owner, as the service lists them
 * @param triggerUrl the production or test URL of the trigger
 * @returns the newest generation first, so that all processes keep the same one of several
 */
export function ownWebhooks(webhooks: readonly IDataObject[], triggerUrl: string): OwnWebhook[] {
	return webhooks
		.filter(({ webhook_url: url }) => isSameAddress(String(url), triggerUrl))
		.map((listed) => ({
			id: String(listed.id),
			listed,
			generations: namedInUrl(String(listed.webhook_url)).generations,
		}))
		.sort((one, other) => {
			const newer = (other.generations?.current ?? 0) - (one.generations?.current ?? 0);
			return newer === 0 ? one.id.localeCompare(other.id) : newer;
		});
}
