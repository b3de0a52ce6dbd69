import { isRecord } from '../lib/isRecord';

/** The fields of requests that hold secrets: of webhooks, actions, SIP trunks and SFTP. */
const SECRET_FIELDS = [
	'custom_headers',
	'password',
	'private_key',
	'private_key_passphrase',
	'webhook_secret',
] as const;

/** A field of a request whose value is hidden in outputs, errors and logs. */
export type SecretField = (typeof SECRET_FIELDS)[number];

/** Shorter ones cannot be told from ordinary text. */
const SHORTEST = 5;

/** Below this length a secret is hidden only where it stands alone: "TOKEN" is in "MISSING_TOKEN". */
const UNMISTAKABLE_LENGTH = 12;

/** The secrets that a request carries in its body. */
export function secretsIn(body: Record<string, unknown> = {}): string[] {
	return SECRET_FIELDS.flatMap((field) => strings(body[field]));
}

function strings(value: unknown): string[] {
	if (typeof value === 'string') {
		return written(value);
	}
	if (Array.isArray(value)) {
		return value.flatMap(strings);
	}
	if (!isRecord(value)) {
		return [];
	}
	return strings('value' in value ? value.value : Object.values(value));
}

/** Whether a text that a user typed may hold a secret, by the names in it. */
export function mayHoldSecret(text: string): boolean {
	return SECRET_FIELDS.some((field) => text.includes(field));
}

/**
 * A text as it is, and as it stands inside of JSON, for a service that quotes the body that it got. Of a
 * text with several lines, each as well: a part of a private key is worth hiding, too.
 */
function written(text: string): string[] {
	const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
	const parts = [text, ...lines].flatMap((part) => {
		const inJson = JSON.stringify(part).slice(1, -1);
		return [part, inJson, inJson.replaceAll('/', '\\/')];
	});
	return [...new Set(parts)];
}

/** The text without a secret. Most texts hold none, so the pattern is made only for one that does. */
function without(secret: string, text: string): string {
	return text.includes(secret) ? text.replace(pattern(secret), '[hidden]') : text;
}

function pattern(secret: string): RegExp {
	const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const alone = `(?<![A-Za-z0-9_])${literal}(?![A-Za-z0-9_])`;
	return new RegExp(secret.length < UNMISTAKABLE_LENGTH ? alone : literal, 'g');
}

/** The same value with every secret in its texts replaced, for what a service sends back. */
export function hideSecrets(value: unknown, secrets: readonly string[]): unknown {
	// The longest first: one may be a part of another.
	const sorted = [...secrets].sort((one, other) => other.length - one.length);
	const inTexts = sorted.filter(({ length }) => length >= SHORTEST);
	// What happens to be the name of a field stays one: nothing could be read of the answer otherwise.
	const inNames = sorted.filter(({ length }) => length >= UNMISTAKABLE_LENGTH);
	const replace = (text: string, hidden: string[]) => hidden.reduce((rest, secret) => without(secret, rest), text);
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
