import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery as it was received, and how it is checked. */
export interface SignedDelivery {
	/** The body, byte for byte. */
	rawBody: Buffer;
	/** The headers, with names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** The only header to look at; absent: every header. */
	signatureHeader?: string;
	/** Now, in milliseconds since 1970. */
	now: number;
}

/** The reason for a signature by another secret. */
export const WRONG_SIGNATURE = 'wrong signature';

/** `key` is the key that made the signature. */
export type SignatureCheck<Key> =
	| { authentic: true; key: Key }
	| { authentic: false; reason: 'no signature' | 'outside the time window' | typeof WRONG_SIGNATURE };

/** How far a signed timestamp may be from now, in the past or the future, in milliseconds. */
const SIGNATURE_WINDOW_MS = 300_000;

/** Caps the work per delivery: a genuine one has one signature, or two while a key changes. */
const MAX_SIGNATURES = 8;

/** Caps the digests of the body for each key: there is one for each timestamp, and one without. */
const MAX_DIGESTS = 2;

const HEX = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** Unix time in seconds, or in milliseconds. */
export const TIMESTAMP = /^\d{10}(?:\d{3})?$/;

/** One part of a value such as `t=1700000000,v1=...`. */
const PART = /^([a-z][a-z0-9]*)=(.+)$/;

/** A header value in the form of a signature. */
interface Candidate {
	signature: Buffer;
	timestamp?: string;
}

/** Decodes 32 bytes from hex or base64; undefined for any other text, and for base64 that is not canonical. */
function decode(text: string): Buffer | undefined {
	if (HEX.test(text)) {
		return Buffer.from(text, 'hex');
	}
	if (!BASE64.test(text)) {
		return undefined;
	}
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes : undefined;
}

/**
 * The signatures in one header value: bare, after `sha256=`, `SHA256=` or `v1=`, or as `t=...,v1=...`.
 *
 * Unpadded base64url is not read: one signature would have two spellings.
 */
export function candidatesIn(value: string): Candidate[] {
	const bare = decode(value.replace(/^(?:sha256|SHA256|v1)=/, ''));
	if (bare) {
		return [{ signature: bare }];
	}
	const parts = value.split(',').map((part) => PART.exec(part.trim()));
	if (!parts.every((part) => part !== null)) {
		return [];
	}
	const named = (wanted: string) => parts.filter(([, name]) => name === wanted).map(([, , text]) => text);
	const [timestamp, second] = named('t');
	if (timestamp === undefined || second !== undefined || !TIMESTAMP.test(timestamp)) {
		return [];
	}
	return named('v1').flatMap((text) => {
		const signature = decode(text);
		return signature ? [{ signature, timestamp }] : [];
	});
}

function* candidatesOf({ headers, signatureHeader }: SignedDelivery): Generator<Candidate> {
	const only = signatureHeader?.toLowerCase();
	for (const [header, values] of Object.entries(headers)) {
		if (only !== undefined && header !== only) {
			continue;
		}
		for (const value of [values ?? []].flat()) {
			yield* candidatesIn(value);
		}
	}
}

/** The signatures to compare, and whether there are others whose timestamp is outside the window. */
function signaturesOf(delivery: SignedDelivery): { signatures: Candidate[]; outside: boolean } {
	const signatures: Candidate[] = [];
	const timestamps = new Set<string | undefined>();
	let outside = false;
	for (const candidate of candidatesOf(delivery)) {
		const { timestamp } = candidate;
		if (timestamp !== undefined && Math.abs(delivery.now - milliseconds(timestamp)) > SIGNATURE_WINDOW_MS) {
			outside = true;
		} else if (timestamps.has(timestamp) || timestamps.size < MAX_DIGESTS) {
			timestamps.add(timestamp);
			if (signatures.push(candidate) === MAX_SIGNATURES) {
				break;
			}
		}
	}
	return { signatures, outside };
}

function milliseconds(timestamp: string): number {
	return Number(timestamp) * (timestamp.length === 10 ? 1000 : 1);
}

/**
 * Checks that a delivery comes from the service and is unaltered.
 *
 * Authentic is the hex or base64 HMAC-SHA256 of the raw body, or of `<timestamp>.<raw body>` with the timestamp inside
 * the window. The service does not publish name and format of the header, so every header is examined unless one is
 * named. The caller has to check that the body is a JSON object: `1700000000.{...}` with the bare signature of a
 * delivery with a timestamp is not one.
 *
 * @param keys the accepted keys, in the order in which they are tried
 */
export function verifySignature<Key extends { secret: string }>(
	delivery: SignedDelivery,
	keys: readonly Key[],
): SignatureCheck<Key> {
	const { signatures, outside } = signaturesOf(delivery);
	for (const key of keys) {
		/** By timestamp. */
		const digests = new Map<string | undefined, Buffer>();
		for (const { signature, timestamp } of signatures) {
			const digest = digests.get(timestamp) ?? digestOf(delivery.rawBody, key.secret, timestamp);
			digests.set(timestamp, digest);
			if (timingSafeEqual(digest, signature)) {
				return { authentic: true, key };
			}
		}
	}
	if (signatures.length > 0) {
		return { authentic: false, reason: WRONG_SIGNATURE };
	}
	return { authentic: false, reason: outside ? 'outside the time window' : 'no signature' };
}

function digestOf(rawBody: Buffer, secret: string, timestamp: string | undefined): Buffer {
	const hmac = createHmac('sha256', secret);
	if (timestamp !== undefined) {
		hmac.update(`${timestamp}.`);
	}
	return hmac.update(rawBody).digest();
}
