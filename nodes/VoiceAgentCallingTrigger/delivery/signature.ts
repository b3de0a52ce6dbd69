import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery as it came in, and what it is checked against. */
export interface SignedDelivery {
	/** The body, byte for byte. */
	rawBody: Buffer;
	/** The headers, their names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** The signing secret that was registered with the webhook. */
	secret: string;
	/** The only header to look at; absent: every header. */
	signatureHeader?: string;
	/** How far a signed timestamp may be from now, either way, in seconds. */
	windowSeconds: number;
	/** Now, in milliseconds since 1970. */
	now: number;
}

/** `header` is the name of the header that proved it. */
export type Verdict =
	| { authentic: true; header: string }
	| { authentic: false; reason: 'no signature' | 'outside the time window' | 'wrong signature' };

/** A header with more would be an attack: a delivery has one signature, or two while a key changes. */
const MOST_COMPARED = 8;

const HEX = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** Unix time in seconds, or in milliseconds. */
const TIMESTAMP = /^\d{10}(?:\d{3})?$/;

/** One part of a value that has several: `t=1700000000`. */
const PART = /^([a-z][a-z0-9]*)=(.+)$/;

interface Candidate {
	header: string;
	signature: Buffer;
	timestamp?: string;
}

/** The 32 bytes that a text stands for; undefined unless it is their one and only spelling. */
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

/** The signatures in one header value: bare, after `sha256=` or `v1=`, or as `t=...,v1=...`. */
function candidatesIn(header: string, value: string): Candidate[] {
	const bare = decode(value.replace(/^(?:sha256|v1)=/, ''));
	if (bare) {
		return [{ header, signature: bare }];
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
		return signature ? [{ header, signature, timestamp }] : [];
	});
}

function* candidates({ headers, signatureHeader }: SignedDelivery): Generator<Candidate> {
	const only = signatureHeader?.toLowerCase();
	for (const [header, values] of Object.entries(headers)) {
		if (only !== undefined && header !== only) {
			continue;
		}
		for (const value of [values ?? []].flat()) {
			yield* candidatesIn(header, value);
		}
	}
}

/**
 * Tells whether a delivery comes from the service, unaltered.
 *
 * Authentic is the hex or base64 HMAC-SHA256 of the raw body, or of `<timestamp>.<raw body>` with the
 * timestamp inside the window. The name and format of the header are not published ("Events"), which
 * is why every header is looked at unless one is named. The caller has to make sure that the body is a
 * JSON object: `1700000000.{...}` with the bare signature of a timestamped delivery is not one.
 */
export function verify(delivery: SignedDelivery): Verdict {
	const { rawBody, secret, windowSeconds, now } = delivery;
	let compared = 0;
	let outside = false;
	for (const { header, signature, timestamp } of candidates(delivery)) {
		// Asked this way round, a window that is no number lets nothing through.
		if (timestamp !== undefined && !(Math.abs(now - milliseconds(timestamp)) <= windowSeconds * 1000)) {
			outside = true;
			continue;
		}
		if (++compared > MOST_COMPARED) {
			break;
		}
		const hmac = createHmac('sha256', secret);
		if (timestamp !== undefined) {
			hmac.update(`${timestamp}.`);
		}
		if (timingSafeEqual(hmac.update(rawBody).digest(), signature)) {
			return { authentic: true, header };
		}
	}
	if (compared > 0) {
		return { authentic: false, reason: 'wrong signature' };
	}
	return { authentic: false, reason: outside ? 'outside the time window' : 'no signature' };
}

function milliseconds(timestamp: string): number {
	return Number(timestamp) * (timestamp.length === 10 ? 1000 : 1);
}
