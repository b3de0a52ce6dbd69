/** What can own a webhook: the first segment of its paths, and the error code of an owner that does not exist. */
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

/** What proves that a delivery comes from the service: its signature, or a header with a secret. */
export type VerifyBy = 'signature' | 'header';

/** Caps the ID that a forged delivery names. The IDs of the service are UUIDs. */
const MAX_ID_LENGTH = 100;

/** The path of the webhooks of a campaign or agent, or of one of them. */
export function webhooksPath({ ownerType, ownerId }: Owner, webhookId?: string): string[] {
	const path = [ownerTypes[ownerType].collection, ownerId, 'webhooks'];
	return webhookId === undefined ? path : [...path, webhookId];
}

/** Whether two owners are the same. */
export function isSameOwner(one: Owner, other: Owner): boolean {
	return one.ownerType === other.ownerType && one.ownerId === other.ownerId;
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
	{ ownerType, ownerId }: Owner,
	versions?: SecretVersions,
	verifyBy: VerifyBy = 'signature',
): string {
	const { current, previous = [] } = versions ?? {};
	const query = [
		`${ownerType}=${encodeURIComponent(ownerId)}`,
		...(current === undefined ? [] : [`${VERSION}=${current}`]),
		...(verifyBy === 'header' ? [`${VERIFY_BY}=${verifyBy}`] : []),
		...(previous.length > 0 ? [`${PREVIOUS}=${previous.join(',')}`] : []),
	];
	const url = `${triggerUrl}?${query.join('&')}`;
	if (versions !== undefined && previous.length > 0 && url.length > MAX_URL_LENGTH) {
		return ownerUrl(triggerUrl, { ownerType, ownerId }, { ...versions, previous: previous.slice(0, -1) }, verifyBy);
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
	const named = (Object.keys(ownerTypes) as OwnerType[]).filter((ownerType) => query[ownerType] !== undefined);
	const [ownerType] = named;
	const ownerId = query[ownerType];
	const isId = typeof ownerId === 'string' && ownerId !== '' && ownerId.length <= MAX_ID_LENGTH;
	return named.length === 1 && isId ? { ownerType, ownerId } : undefined;
}

/** What the URL of a webhook names, see {@link ownerIn} and {@link versionsIn}. */
export function namedInUrl(webhookUrl: string): { owner?: Owner; versions?: SecretVersions; verifyBy: VerifyBy } {
	const query = URL.canParse(webhookUrl) ? Object.fromEntries(new URL(webhookUrl).searchParams) : {};
	const verifyBy = query[VERIFY_BY] === 'header' ? 'header' : 'signature';
	return { owner: ownerIn(query), versions: versionsIn(query), verifyBy };
}
