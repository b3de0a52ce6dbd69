import { isRecord } from './errors';

/** Fields of a request that nobody may read afterwards: of webhooks, actions, SIP trunks and SFTP. */
const SECRET_FIELDS = [
	'custom_headers',
	'password',
	'private_key',
	'private_key_passphrase',
	'webhook_secret',
];

/** Shorter ones cannot be told from ordinary text. */
const SHORTEST = 5;

/** Below this length a secret is hidden only where it stands alone: "TOKEN" is in "MISSING_TOKEN". */
const UNMISTAKABLE_LENGTH = 12;

/** The secrets that a request carries in its body. */
export function secretsIn(body: Record<string, unknown> = {}): string[] {
	return SECRET_FIELDS.flatMap((field) => strings(body[field]));
}

function strings(value: unknown): string[] {
	if (typeof value === 'string') return written(value);
	if (Array.isArray(value)) return value.flatMap(strings);
	return isRecord(value) ? strings(value.value) : [];
}

/** A text as it is, and as it stands inside of JSON, for a service that quotes the body that it got. */
function written(text: string): string[] {
	const inJson = JSON.stringify(text).slice(1, -1);
	return [...new Set([text, inJson, inJson.replaceAll('/', '\\/')])];
}

function pattern(secret: string): RegExp {
	const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const alone = `(?<![A-Za-z0-9_])${literal}(?![A-Za-z0-9_])`;
	return new RegExp(secret.length < UNMISTAKABLE_LENGTH ? alone : literal, 'g');
}

/** The same value with every secret in its texts replaced, for what a service sends back. */
export function hideSecrets(value: unknown, secrets: readonly string[]): unknown {
	const patterns = secrets.filter(({ length }) => length >= SHORTEST).map(pattern);
	const hide = (inner: unknown): unknown => {
		if (typeof inner === 'string') {
			return patterns.reduce((text, secret) => text.replace(secret, '[hidden]'), inner);
		}
		if (Array.isArray(inner)) return inner.map(hide);
		if (!isRecord(inner)) return inner;
		return Object.fromEntries(Object.entries(inner).map(([key, member]) => [key, hide(member)]));
	};
	return hide(value);
}
