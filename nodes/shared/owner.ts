/**
 * The types of owners of webhooks: the first segment of their paths, and the error code if the owner does not exist.
 */
export const ownerTypes = {
	agent: { collection: 'agents', noOwner: 'AGENT_NOT_FOUND' },
	campaign: { collection: 'campaigns', noOwner: 'CAMPAIGN_NOT_FOUND' },
} as const;

export type OwnerType = keyof typeof ownerTypes;

/** The agent or campaign that owns a webhook. */
export interface Owner {
	ownerType: OwnerType;
	ownerId: string;
}

/** The maximum length of a webhook URL. */
export const MAX_URL_LENGTH = 500;

/** How a delivery is verified: by its signature, or by a header with a secret. */
export type VerifyBy = 'signature' | 'header';

/** Limits the ID in a forged delivery. The IDs of the service are UUIDs. */
const MAX_ID_LENGTH = 100;

/** Returns the path of the webhooks of a campaign or agent, or of one webhook. */
export function webhooksPath({ ownerType, ownerId }: Owner, webhookId?: string): string[] {
	const path = [ownerTypes[ownerType].collection, ownerId, 'webhooks'];
	return webhookId === undefined ? path : [...path, webhookId];
}

/** Whether two owners are the same. */
export function isSameOwner(one: Owner, other: Owner): boolean {
	return one.ownerType === other.ownerType && one.ownerId === other.ownerId;
}

/** The query parameters of a webhook's URL with the current version of its secret, and with the previous versions. */
const VERSION = 'g';
const PREVIOUS = 'f';

/** The query parameter of a webhook with the secret header. */
const VERIFY_BY = 'by';

/** The query parameter with the fingerprint of the token from which the secret is derived. */
const FINGERPRINT = 'k';

/** The versions of a webhook's secret: the times at which they were made, in milliseconds since 1970. */
export interface SecretVersions {
	current: number;
	/** The previous versions that may still be accepted, newest first. */
	previous: number[];
}

/**
 * Returns the URL of the webhook of one owner. Nothing in it is secret: the secret that it names can be computed only
 * with the environment token. If the URL would be too long, the oldest versions are left out.
 *
 * @param triggerUrl the production or test URL of the trigger
 * @param fingerprint of the token, from `Keys`
 */
export function ownerUrl(
	triggerUrl: string,
	{ ownerType, ownerId }: Owner,
	versions?: SecretVersions,
	verifyBy: VerifyBy = 'signature',
	fingerprint?: string,
): string {
	const { current, previous = [] } = versions ?? {};
	const query = [
		`${ownerType}=${encodeURIComponent(ownerId)}`,
		...(current === undefined ? [] : [`${VERSION}=${current}`]),
		...(verifyBy === 'header' ? [`${VERIFY_BY}=${verifyBy}`] : []),
		...(fingerprint === undefined ? [] : [`${FINGERPRINT}=${fingerprint}`]),
		...(previous.length > 0 ? [`${PREVIOUS}=${previous.join(',')}`] : []),
	];
	const url = `${triggerUrl}?${query.join('&')}`;
	if (versions !== undefined && previous.length > 0 && url.length > MAX_URL_LENGTH) {
		const fewer = { ...versions, previous: previous.slice(0, -1) };
		return ownerUrl(triggerUrl, { ownerType, ownerId }, fewer, verifyBy, fingerprint);
	}
	return url;
}

/** Milliseconds since 1970, from the year 2001 on. */
const TIME = /^[1-9]\d{12}$/;

/** Limits the secrets that are tried for a delivery. */
export const MAX_PREVIOUS = 8;

/** Returns the versions that the query of a webhook's URL names; undefined if it names none. */
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
 * Returns the owner that the URL of a webhook names.
 *
 * @param query the query of the URL, as n8n has parsed it
 * @returns undefined if the query names no owner, or more than one
 */
export function ownerIn(query: Readonly<Record<string, unknown>>): Owner | undefined {
	const named = (Object.keys(ownerTypes) as OwnerType[]).filter((ownerType) => query[ownerType] !== undefined);
	const [ownerType] = named;
	const ownerId = query[ownerType];
	const isId = typeof ownerId === 'string' && ownerId !== '' && ownerId.length <= MAX_ID_LENGTH;
	return named.length === 1 && isId ? { ownerType, ownerId } : undefined;
}

/** What the URL of a webhook names, see {@link ownerUrl}. */
interface NamedInUrl {
	owner?: Owner;
	versions?: SecretVersions;
	verifyBy: VerifyBy;
	fingerprint?: string;
}

/** Reads what the URL of a webhook names. */
export function namedInUrl(webhookUrl: string): NamedInUrl {
	const query: Record<string, string> = URL.canParse(webhookUrl)
		? Object.fromEntries(new URL(webhookUrl).searchParams)
		: {};
	const verifyBy = query[VERIFY_BY] === 'header' ? 'header' : 'signature';
	return { owner: ownerIn(query), versions: versionsIn(query), verifyBy, fingerprint: query[FINGERPRINT] };
}
