import { ISSUES_URL, OTHER_WAY, UNKNOWN_FORM } from '../../shared/events/adviceOnRefusal';
import {
	candidatesIn,
	NO_SIGNATURE,
	type SignedDelivery,
	stampsIn,
	TIMESTAMP,
	WRONG_SIGNATURE,
} from '../../shared/events/signature';
import { timeIn } from '../../shared/lib/time';

/** How many headers a reason names, and how much of each name: anybody may send hundreds of long names. */
const MAX_SHOWN_NAMES = 4;
const MAX_NAME_LENGTH = 40;

/** The name of a header with a signature. */
const SIGNED = /sign|hmac/;

/** The name of a header with a signature or another digest. */
const DIGEST = /sign|hmac|digest/;

/** The length of a digest of 20, 32, 48 or 64 bytes in hex or base64, without padding. */
const DIGEST_TEXT = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|[\w+/-]{43}|[\w+/-]{86})$/i;

/** The separators between the parts of a value, such as in `t=1700000000,v0=...`. */
const BETWEEN_PARTS = /[\s,;:=]+/;

/** Headers whose values can look like a digest, but are secrets. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

interface Header {
	name: string;
	values: string[];
	/** `unknown` without a known form of signature; `timed` if every signature has a timestamp. */
	form: 'unknown' | 'bare' | 'timed';
}

/** Headers that may have a signature in a form that the node does not know, by name. */
interface SuspectHeaders {
	names: string[];
	/** Whether a header also has a signature in a known form: then its secret may be a different one. */
	hasKnown: boolean;
}

/**
 * Finds the headers that may have a signature in an unknown form. Called for a delivery that no secret has signed in a
 * known form.
 *
 * A signature in a known form is taken as such, unless a separate header has the time, which is then probably signed as
 * well, or unless a header whose name indicates a signature has an unknown form.
 *
 * @returns no names if the delivery has a signature in a known form only, or no signature
 */
function headersOfUnknownForm({ headers, signatureHeader }: SignedDelivery): SuspectHeaders {
	const stamps = stampsIn(headers);
	const all = Object.entries(headers).flatMap(([name, value]): Header[] => {
		const values = [value ?? []].flat().filter((text) => text.trim() !== '');
		const candidates = values.flatMap((value) => candidatesIn(value, stamps));
		const isTimed = candidates.every(({ timestamp }) => timestamp !== undefined);
		return [{ name, values, form: candidates.length === 0 ? 'unknown' : isTimed ? 'timed' : 'bare' }];
	});
	const possible = all.filter(({ name }) =>
		signatureHeader === undefined ? !SECRET_HEADERS.includes(name) : name === signatureHeader.toLowerCase(),
	);
	const known = possible.filter(({ form }) => form !== 'unknown');
	const unknown = possible.filter(
		({ name, values, form }) => form === 'unknown' && values.some((value) => DIGEST.test(name) || hasDigest(value)),
	);
	const found = (suspects: Header[]) => ({ names: suspects.map(({ name }) => name), hasKnown: known.length > 0 });
	if (known.length === 0 || (unknown.some(isNamedSo) && !known.some(isNamedSo))) {
		return found(unknown);
	}
	const times = all.filter(({ name, values }) => name.includes('timestamp') && values.some(isTime));
	const isTimed = known.some(({ form }) => form === 'timed');
	return found(isTimed || times.length === 0 ? [] : [...known, ...times]);
}

function isNamedSo({ name }: Header): boolean {
	return SIGNED.test(name);
}

function hasDigest(value: string): boolean {
	return value.split(BETWEEN_PARTS).some((part) => DIGEST_TEXT.test(part));
}

function isTime(value: string): boolean {
	return TIMESTAMP.test(value) || timeIn(value) !== undefined;
}

/**
 * Adds to the reason of a refusal that the service may sign in an unknown form: the names of the headers without their
 * values, and the other way to verify. Called for a delivery that no secret has signed in a known form.
 */
export function withOtherWay(reason: string, delivery: SignedDelivery): string {
	const { names, hasKnown } = headersOfUnknownForm(delivery);
	if (names.length === 0) {
		return reason === NO_SIGNATURE ? `${reason}. If the service sent it, ${OTHER_WAY}` : reason;
	}
	const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
	return `${hasKnown ? `${WRONG_SIGNATURE}, or ` : ''}${UNKNOWN_FORM}, perhaps in ${shown.join(', ')}. If the service sent it, ${OTHER_WAY}, and report these names at ${ISSUES_URL}`;
}
