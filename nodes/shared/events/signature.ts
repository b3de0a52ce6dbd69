import { createHmac, timingSafeEqual } from 'node:crypto';

// Checks the signature of a delivery, with `verifySignature`. VoiceAgentCallingTrigger/delivery/authenticity.ts decides
// whether a delivery is authentic: it passes the secrets of the trigger's webhooks to this file as keys.

/** The headers of a delivery, with names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A delivery as it was received, and how it is checked. */
export interface SignedDelivery {
	/** The body, byte for byte. */
	rawBody: Buffer;
	headers: Headers;
	/** The only header in which a signature counts. If absent, every header is examined. */
	signatureHeader?: string;
	/** The present time, in milliseconds since 1970. */
	now: number;
}

/** The reason for a signature made with another secret. */
export const WRONG_SIGNATURE = 'wrong signature';

/** The reason for a delivery without a signature in one of the {@link FORMS}. */
export const NO_SIGNATURE = 'no signature';

/**
 * The result of a check: `key` made the signature, and `signedId` is the ID of the delivery if it is signed as well.
 */
type SignatureCheck<Key> =
	| { authentic: true; key: Key; signedId?: string }
	| { authentic: false; reason: typeof NO_SIGNATURE | 'outside the time window' | typeof WRONG_SIGNATURE };

/** How far a signed timestamp may be from now, in the past or the future, in milliseconds. */
const SIGNATURE_WINDOW_MS = 300_000;

/** Limits the work per delivery. An authentic delivery has one signature, or two while a key changes. */
const MAX_SIGNATURES = 8;

/**
 * Longer values are not signatures. Without this limit, an unauthenticated sender could cost time with long headers.
 */
const MAX_VALUE_LENGTH = 2048;

/** Limits the digests of the body per key: each text that may be signed before the body needs its own digest. */
const MAX_DIGESTS = 4;

/** Unix time in seconds, or in milliseconds. */
export const TIMESTAMP = /^\d{10}(?:\d{3})?$/;

/** The ID of a delivery. It must not contain a dot, so that `id.timestamp.body` can be split in only one way. */
const DELIVERY_ID = /^[\w-]{1,100}$/;

/** The signed text. It always ends with the body, byte for byte. */
type SignedText = 'body' | 'timestamp.body' | 'id.timestamp.body';

/** How the text of a secret becomes a key: as bytes in UTF-8, or decoded from base64. */
type KeyForm = 'utf8' | 'base64';

/** A way to write signatures into a header, and the texts that they sign. */
interface Form {
	/** The separator between the entries of a value, in which blanks are single spaces. */
	separator: RegExp;
	/** An entry with a signature. */
	signature: RegExp;
	/** The entry with the timestamp. If absent, the timestamp is in a separate header. */
	timestamp?: RegExp;
	/** The only other entries that may be present. */
	other?: RegExp;
	signs: readonly SignedText[];
	keys: readonly KeyForm[];
}

/** The accepted forms. docs/reference/events.md lists them. */
const FORMS: readonly Form[] = [
	// One signature or a list of them, bare or after a name.
	{
		separator: /[ ,]+/,
		signature: /^(?:(?:sha256|v1)=)?([^=]+=?)$/i,
		signs: ['body', 'timestamp.body', 'id.timestamp.body'],
		keys: ['utf8'],
	},
	// t=1700000000,v1=...
	{
		separator: / ?, ?/,
		signature: /^v1=(.+)$/,
		timestamp: /^t=(.*)$/,
		other: /^[a-z][a-z0-9]*=.+$/,
		signs: ['timestamp.body'],
		keys: ['utf8'],
	},
	// v1,... of Standard Webhooks, whose signers decode a secret from base64.
	{
		separator: /[ ,]{1,3}(?=v\d+[a-z]?,)/,
		signature: /^v1,(.+)$/,
		other: /^v\d+[a-z]?,.+$/,
		signs: ['id.timestamp.body'],
		keys: ['utf8', 'base64'],
	},
];

const toBase64Url = (digest: Buffer) => digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

/** The spellings of a digest, each with its decoding. A digest has exactly one text in each spelling. */
const SPELLINGS: ReadonlyArray<[encoding: 'hex' | 'base64', spell: (digest: Buffer) => string]> = [
	['hex', (digest) => digest.toString('hex')],
	['hex', (digest) => digest.toString('hex').toUpperCase()],
	['base64', (digest) => digest.toString('base64')],
	['base64', toBase64Url],
	['base64', (digest) => toBase64Url(digest).replace('=', '')],
];

/** Decodes 32 bytes; undefined for a text that is not exactly one of their {@link SPELLINGS}. */
function decode(text: string): Buffer | undefined {
	if (text.length < 43 || text.length > 64) {
		return undefined;
	}
	return SPELLINGS.map(([encoding, spell]) => {
		const digest = Buffer.from(text, encoding);
		return digest.length === 32 && spell(digest) === text ? digest : undefined;
	}).find((digest) => digest !== undefined);
}

/** A timestamp, and the ID that belongs to it. */
interface Stamp {
	timestamp: string;
	id?: string;
}

/** Returns the timestamps in separate headers, such as `webhook-timestamp`, each with its ID, as in `webhook-id`. */
export function stampsIn(headers: Headers): Stamp[] {
	const stamps = Object.entries(headers).flatMap(([name, timestamp]) => {
		if (!name.endsWith('timestamp') || typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) {
			return [];
		}
		const id = headers[name.replace(/timestamp$/, 'id')];
		return [{ timestamp, ...(typeof id === 'string' && DELIVERY_ID.test(id) && { id }) }];
	});
	return stamps.slice(0, MAX_DIGESTS);
}

/** A signature, and how it may have been made. */
interface Candidate extends Partial<Stamp> {
	signature: Buffer;
	keyForm: KeyForm;
}

/** Returns the signatures in a header value of one form; empty for another form. @param value with single spaces */
function candidatesOf(form: Form, value: string, inHeaders: readonly Stamp[]): Candidate[] {
	const { separator, timestamp, other, signs, keys } = form;
	const entries = value.split(separator);
	const times = entries.flatMap((entry) => timestamp?.exec(entry)?.[1] ?? []);
	const rest = entries
		.filter((entry) => timestamp?.test(entry) !== true)
		.map((entry) => ({ entry, signature: decode(form.signature.exec(entry)?.[1] ?? '') }));
	if (!rest.every(({ entry, signature }) => signature !== undefined || other?.test(entry))) {
		return [];
	}
	const isTimed = times.length === 1 && TIMESTAMP.test(times[0]);
	const stamps: readonly Stamp[] = timestamp === undefined ? inHeaders : isTimed ? [{ timestamp: times[0] }] : [];
	const signed: Record<SignedText, readonly Partial<Stamp>[]> = {
		body: [{}],
		'timestamp.body': stamps.map((stamp) => ({ timestamp: stamp.timestamp })),
		'id.timestamp.body': stamps.filter(({ id }) => id !== undefined),
	};
	const made = signs.flatMap((text) => signed[text].flatMap((stamp) => keys.map((keyForm) => ({ ...stamp, keyForm }))));
	return rest.flatMap(({ signature }) => (signature === undefined ? [] : made.map((how) => ({ ...how, signature }))));
}

/** Returns the signatures in a header value, in the first form that matches. */
export function candidatesIn(value: string, stamps: readonly Stamp[]): Candidate[] {
	if (value.length > MAX_VALUE_LENGTH) {
		return [];
	}
	// Splitting would be slow for long runs of blanks.
	const text = value.replaceAll(/\s+/g, ' ').trim();
	return FORMS.map((form) => candidatesOf(form, text, stamps)).find((found) => found.length > 0) ?? [];
}

/** Returns the signed text before the body. */
function prefixOf({ id, timestamp }: Partial<Stamp>): string {
	return [id, timestamp].map((part) => (part === undefined ? '' : `${part}.`)).join('');
}

/** Identifies the digest to compare with a signature. */
const digestName = (candidate: Candidate) => `${candidate.keyForm} ${prefixOf(candidate)}`;

/** Returns the signatures to compare, and whether the timestamp of any other is outside the window. */
function signaturesOf(delivery: SignedDelivery): { signatures: Candidate[]; outside: boolean } {
	const { headers, signatureHeader, now } = delivery;
	const only = signatureHeader?.toLowerCase();
	const stamps = stampsIn(headers);
	const values = Object.entries(headers).flatMap(([name, value]) =>
		only === undefined || name === only ? [value ?? []].flat() : [],
	);
	const signatures: Candidate[] = [];
	const different = new Set<string>();
	const digests = new Set<string>();
	let outside = false;
	for (const candidate of values.flatMap((value) => candidatesIn(value, stamps))) {
		const { signature, timestamp } = candidate;
		if (timestamp !== undefined && Math.abs(now - milliseconds(timestamp)) > SIGNATURE_WINDOW_MS) {
			outside = true;
			continue;
		}
		const [text, name] = [signature.toString('hex'), digestName(candidate)];
		const isWithin = (seen: Set<string>, one: string, most: number) => seen.has(one) || seen.size < most;
		if (isWithin(different, text, MAX_SIGNATURES) && isWithin(digests, name, MAX_DIGESTS)) {
			different.add(text);
			digests.add(name);
			signatures.push(candidate);
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
 * It is authentic if it has the HMAC-SHA256 of the raw body, or of `<timestamp>.<raw body>` or `<id>.<timestamp>.<raw
 * body>` with a timestamp inside the window, in one of the forms of this file. The service does not publish the name
 * and format of the header, so every header is examined unless one is named. The caller must check that the body is a
 * JSON object or list, because the signature of `1700000000.{...}` may have been made for another delivery, with this
 * timestamp and the rest as its body.
 *
 * A signature has several spellings, so nothing may depend on its text: replays are recognized by the signed content.
 *
 * @param keys the accepted keys, in the order in which they are tried
 */
export function verifySignature<Key extends { secret: string }>(
	delivery: SignedDelivery,
	keys: readonly Key[],
): SignatureCheck<Key> {
	const { signatures, outside } = signaturesOf(delivery);
	for (const key of keys) {
		const digests = new Map<string, Buffer>();
		for (const candidate of signatures) {
			const name = digestName(candidate);
			const digest = digests.get(name) ?? digestOf(delivery.rawBody, key.secret, candidate);
			digests.set(name, digest);
			if (timingSafeEqual(digest, candidate.signature)) {
				return { authentic: true, key, signedId: candidate.id };
			}
		}
	}
	if (signatures.length > 0) {
		return { authentic: false, reason: WRONG_SIGNATURE };
	}
	return { authentic: false, reason: outside ? 'outside the time window' : NO_SIGNATURE };
}

/** Returns the bytes of a key. A secret that is not base64 is used as text. */
function keyOf(secret: string, keyForm: KeyForm): Buffer {
	const key = Buffer.from(secret, keyForm);
	return key.toString(keyForm) === secret ? key : Buffer.from(secret);
}

function digestOf(rawBody: Buffer, secret: string, candidate: Candidate): Buffer {
	const hmac = createHmac('sha256', keyOf(secret, candidate.keyForm));
	return hmac.update(prefixOf(candidate)).update(rawBody).digest();
}
