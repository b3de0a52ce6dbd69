import { isRecord } from '../lib/json';
import { withoutQuery } from '../lib/text';
import { SECRET_HEADER } from '../triggerSecrets/deliverySecret';

/** The request fields that contain secrets, for webhooks, actions, SIP trunks and SFTP. */
const SECRET_FIELDS = [
	'custom_headers',
	'password',
	'private_key',
	'private_key_passphrase',
	'webhook_secret',
] as const;

/** A request field whose value is hidden in outputs, errors and logs. */
export type SecretField = (typeof SECRET_FIELDS)[number];

/** Shorter secrets are not hidden: they would match ordinary text. */
const MIN_LENGTH = 5;

/** Shorter secrets are hidden only as whole words: "TOKEN" is part of "MISSING_TOKEN". */
const MIN_LENGTH_IN_WORDS = 12;

/** Returns the secrets in the body of a request, at any depth, in every spelling that a response may contain. */
export function secretsIn(body: Record<string, unknown> = {}): string[] {
	return Object.entries(body).flatMap(([field, value]) =>
		(SECRET_FIELDS as readonly string[]).includes(field)
			? strings(field === 'custom_headers' ? secretHeaders(value) : value)
			: [value].flat(Number.POSITIVE_INFINITY).filter(isRecord).flatMap(secretsIn),
	);
}

/** Matches the name of a header that contains a secret. */
const SECRET_NAME = /auth|cookie|credential|key|pass|secret|sign|token/i;

/** Whether a header is ordinary: its value is short like a word, and its name does not suggest a secret. */
function isOrdinary(name: unknown, value: unknown): boolean {
	const isShort = typeof value === 'string' && value.length < MIN_LENGTH_IN_WORDS;
	return isShort && typeof name === 'string' && !SECRET_NAME.test(name);
}

/**
 * Removes ordinary headers from a list of `key` and `value`, or from an object. Other values are returned unchanged.
 */
function secretHeaders(headers: unknown): unknown {
	if (Array.isArray(headers)) {
		return headers.map(secretHeaders);
	}
	if (!isRecord(headers)) {
		return headers;
	}
	if ('value' in headers) {
		return isOrdinary(headers.key ?? headers.name, headers.value) ? [] : headers;
	}
	return Object.entries(headers).flatMap(([name, value]) => (isOrdinary(name, value) ? [] : [value]));
}

function strings(value: unknown): string[] {
	if (typeof value === 'string') {
		return spellings(value);
	}
	if (Array.isArray(value)) {
		return value.flatMap(strings);
	}
	if (!isRecord(value)) {
		return [];
	}
	return strings('value' in value ? value.value : Object.values(value));
}

/** Whether a text contains the name of a secret field, and therefore may contain the secret itself. */
export function mayHoldSecret(text: string): boolean {
	return SECRET_FIELDS.some((field) => text.includes(field));
}

/** Matches a secret field up to its value, in JSON and similar texts. */
const ASSIGNMENT = new RegExp(`\\b(${SECRET_FIELDS.join('|')})\\b[\\\\"'\\s]*[:=]`);

/** Whether a text assigns a value to a secret field. Prose that contains the name as a word does not count. */
export function assignsSecret(text: string): boolean {
	return ASSIGNMENT.test(text);
}

/** The escapes of characters in HTML, and in JSON that is safe in HTML. */
const ESCAPED: ReadonlyArray<Readonly<Record<string, string>>> = [
	{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
	{ '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' },
];

/**
 * Returns a text unchanged and as escaped in JSON, in a URL and in HTML, because a service may quote the request. For
 * several lines, each line is included, too, because a part of a private key must also be hidden.
 */
export function spellings(text: string): string[] {
	const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
	const parts = [text, ...lines].flatMap((part) => {
		const inJson = JSON.stringify(part).slice(1, -1);
		const escaped = ESCAPED.map((by) => part.replaceAll(/[&<>"']/g, (character) => by[character] ?? character));
		return [part, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(part.toWellFormed()), ...escaped];
	});
	return [...new Set(parts)];
}

/** Replaces a secret in a text. Creating the pattern is slow, so it is done only if the text contains the secret. */
function withoutSecret(secret: string, text: string): string {
	return text.includes(secret) ? text.replace(patternOf(secret), '[hidden]') : text;
}

function patternOf(secret: string): RegExp {
	const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const wholeWord = `(?<![A-Za-z0-9_])${literal}(?![A-Za-z0-9_])`;
	return new RegExp(secret.length < MIN_LENGTH_IN_WORDS ? wholeWord : literal, 'g');
}

/** Returns a copy of a response with every secret in its texts and property names replaced by `[hidden]`. */
export function hideSecrets(value: unknown, secrets: readonly string[]): unknown {
	// The longest comes first, because one secret may be a part of another.
	const sorted = [...secrets].sort((left, right) => right.length - left.length);
	const inTexts = sorted.filter(({ length }) => length >= MIN_LENGTH);
	// A short secret may equal a field name, and replacing the name would make the response unreadable.
	const inNames = sorted.filter(({ length }) => length >= MIN_LENGTH_IN_WORDS);
	const replace = (text: string, hidden: string[]) =>
		hidden.reduce((result, secret) => withoutSecret(secret, result), text);
	const hide = (inner: unknown): unknown => {
		if (typeof inner === 'string') {
			return replace(inner, inTexts);
		}
		if (Array.isArray(inner)) {
			return inner.map(hide);
		}
		if (!isRecord(inner)) {
			return inner;
		}
		return Object.fromEntries(Object.entries(inner).map(([key, member]) => [replace(key, inNames), hide(member)]));
	};
	return hide(value);
}

/**
 * A response that contains one of these, such as a log, may contain the secret by which a trigger verifies deliveries.
 */
export const SECRET_HEADER_NAMES: readonly string[] = [SECRET_HEADER, SECRET_HEADER.replaceAll('-', '_')].flatMap(
	(name) => [name, name.toLowerCase(), name.toUpperCase()],
);

/**
 * Returns the texts that may be such a secret in a response with {@link SECRET_HEADER_NAMES}: 64 hexadecimal digits.
 */
export function headerSecretsIn(body: unknown): string[] {
	return JSON.stringify(body).match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [];
}

/** A response that contains one of these may contain a token with which anybody can resume an execution of n8n. */
export const RESUME_TOKENS: readonly string[] = ['signature=', 'signature%3D', 'signature%3d'];

/**
 * The query of the URL at which Wait Until Completed receives the end of a campaign, also as escaped in URLs and HTML.
 */
const QUERY_OF_WAIT = /(?:\?|%3F)signature(?:=|%3D)[^&\s%\\?]+(?:&amp;|\\u0026|&|%26)campaign(?:=|%3D)[\w%.~-]+/gi;

/**
 * Returns a copy of a response without the tokens that resume executions: tokens of this package's waits in all texts,
 * and tokens of other waits in the URLs of webhooks.
 */
export function hideResumeTokens(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.replace(QUERY_OF_WAIT, '');
	}
	if (Array.isArray(value)) {
		return value.map(hideResumeTokens);
	}
	if (!isRecord(value)) {
		return value;
	}
	const isOfWait = (key: string, inner: unknown): inner is string =>
		key === 'webhook_url' && typeof inner === 'string' && inner.includes('/webhook-waiting/');
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [
			hideResumeTokens(key),
			isOfWait(key, inner) ? withoutQuery(inner) : hideResumeTokens(inner),
		]),
	);
}
