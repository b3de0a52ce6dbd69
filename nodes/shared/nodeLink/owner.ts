/** What can own a webhook: the first segment of its paths, and the error code of an owner that does not exist. */
export const sources = {
	agent: { collection: 'agents', noOwner: 'AGENT_NOT_FOUND' },
	campaign: { collection: 'campaigns', noOwner: 'CAMPAIGN_NOT_FOUND' },
} as const;

export type Source = keyof typeof sources;

/** The agent or campaign that owns a webhook. */
export interface Owner {
	source: Source;
	ownerId: string;
}

/** Caps the ID that a forged delivery names. The IDs of the service are UUIDs. */
const LONGEST_ID = 100;

/** The path of the webhooks of a campaign or agent, or of one of them. */
export function webhooksPath({ source, ownerId }: Owner, webhookId?: string): string[] {
	const path = [sources[source].collection, ownerId, 'webhooks'];
	return webhookId === undefined ? path : [...path, webhookId];
}

/** Whether two owners are the same. */
export function isSameOwner(one: Owner, other: Owner): boolean {
	return one.source === other.source && one.ownerId === other.ownerId;
}

/**
 * The URL of the webhook of one owner: a trigger has one for each. The owner in it is no secret, and needs none: the
 * signing secret of a webhook is derived from its owner.
 *
 * @param triggerUrl the production or test URL of the trigger
 */
export function ownerUrl(triggerUrl: string, { source, ownerId }: Owner): string {
	return `${triggerUrl}?${source}=${encodeURIComponent(ownerId)}`;
}

/**
 * The owner that the URL of a webhook names.
 *
 * @param query of the URL, as n8n has parsed it
 * @returns undefined if it names none, or more than one
 */
export function ownerIn(query: Readonly<Record<string, unknown>>): Owner | undefined {
	const named = (Object.keys(sources) as Source[]).filter((source) => query[source] !== undefined);
	const [source] = named;
	const ownerId = query[source];
	const isId = typeof ownerId === 'string' && ownerId !== '' && ownerId.length <= LONGEST_ID;
	return named.length === 1 && isId ? { source, ownerId } : undefined;
}

/** The owner that the URL of a webhook names, see {@link ownerIn}. */
export function ownerOfUrl(webhookUrl: string): Owner | undefined {
	return URL.canParse(webhookUrl) ? ownerIn(Object.fromEntries(new URL(webhookUrl).searchParams)) : undefined;
}
