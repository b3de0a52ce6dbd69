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

/** The maximum length of a webhook URL. */
export const LONGEST_URL = 500;

/** What proves that a delivery comes from the service: its signature, or a header with a secret. */
export type VerifyBy = 'signature' | 'header';

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

/** The parameters of a webhook's URL with the version of its secret, and with those before. */
const VERSION = 'g';
const PREVIOUS = 'f';

/** The parameter that says that the webhook has the secret header. */
const VERIFY_BY = 'by';

/** Which secrets sign the deliveries of a webhook, by the times at which they were made, in milliseconds since 1970. */
export interface SecretVersions {
	current: number;
	/** Those before that may be accepted still, the newest first. */
	previous: number[];
}

/**
 * The URL of the webhook of one owner: a trigger has one for each. Nothing in it is secret: who is to sign with the
 * secret that it names needs the environment token. If it would be too long, the oldest secrets are left out.
 *
 * @param triggerUrl the production or test URL of the trigger
 */
export function ownerUrl(
	triggerUrl: string,
	{ source, ownerId }: Owner,
	versions?: SecretVersions,
	verifyBy: VerifyBy = 'signature',
): string {
	const { current, previous = [] } = versions ?? {};
	const query = [
		`${source}=${encodeURIComponent(ownerId)}`,
		...(current === undefined ? [] : [`${VERSION}=${current}`]),
		...(verifyBy === 'header' ? [`${VERIFY_BY}=${verifyBy}`] : []),
		...(previous.length > 0 ? [`${PREVIOUS}=${previous.join(',')}`] : []),
	];
	const url = `${triggerUrl}?${query.join('&')}`;
	if (versions !== undefined && previous.length > 0 && url.length > LONGEST_URL) {
		return ownerUrl(triggerUrl, { source, ownerId }, { ...versions, previous: previous.slice(0, -1) }, verifyBy);
	}
	return url;
}

/** Milliseconds since 1970, from the year 2001 on. */
const TIME = /^[1-9]\d{12}$/;

/** Caps the secrets that are tried for a delivery. */
export const MAX_PREVIOUS = 8;

/** The versions that the URL of a webhook names. @param query of the URL; @returns undefined if it names none */
export function versionsIn(query: Readonly<Record<string, unknown>>): SecretVersions | undefined {
	const current = query[VERSION];
	if (typeof current !== 'string' || !TIME.test(current)) {
		return undefined;
	}
	const previous = String(query[PREVIOUS])
		.split(',')
		.filter((time) => TIME.test(time));
	return { current: Number(current), previous: previous.slice(0, MAX_PREVIOUS).map(Number) };
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

/** What the URL of a webhook names, see {@link ownerIn} and {@link versionsIn}. */
export function namedInUrl(webhookUrl: string): { owner?: Owner; versions?: SecretVersions; verifyBy: VerifyBy } {
	const query = URL.canParse(webhookUrl) ? Object.fromEntries(new URL(webhookUrl).searchParams) : {};
	const verifyBy = query[VERIFY_BY] === 'header' ? 'header' : 'signature';
	return { owner: ownerIn(query), versions: versionsIn(query), verifyBy };
}
