import { createHmac } from 'node:crypto';
import fc from 'fast-check';

import { type SignedDelivery, verifySignature } from '../../../../nodes/shared/deliveries/signature.ts';

const now = Date.UTC(2026, 0, 15, 12);
const seconds = Math.floor(now / 1000);
const secret = 'k'.repeat(64);

function mac(content: string | Buffer, encoding: 'hex' | 'base64' = 'hex', key = secret): string {
	return createHmac('sha256', key).update(content).digest(encoding);
}

/** Every accepted format of a signature. */
const formats: Record<string, (body: string, key?: string) => string> = {
	hex: (body, key) => mac(body, 'hex', key),
	'sha256=hex': (body, key) => `sha256=${mac(body, 'hex', key)}`,
	'SHA256=hex': (body, key) => `SHA256=${mac(body, 'hex', key)}`,
	'v1=hex': (body, key) => `v1=${mac(body, 'hex', key)}`,
	base64: (body, key) => mac(body, 'base64', key),
	'sha256=base64': (body, key) => `sha256=${mac(body, 'base64', key)}`,
	't,v1': (body, key) => `t=${seconds},v1=${mac(`${seconds}.${body}`, 'hex', key)}`,
	't,v1 in milliseconds': (body, key) => `t=${now},v1=${mac(`${now}.${body}`, 'hex', key)}`,
	't,v1 as base64': (body, key) => `t=${seconds},v1=${mac(`${seconds}.${body}`, 'base64', key)}`,
};
/** What may stand before a bare signature. */
const PREFIX = /^(sha256|SHA256|v1)=/;

const formatNames = Object.keys(formats);

function delivery(body: string, headers: SignedDelivery['headers'], more: Partial<SignedDelivery> = {}) {
	return { rawBody: Buffer.from(body), headers, now, ...more };
}

/** Checks a delivery against the key with {@link secret}, or against other keys. */
const verify = (signed: SignedDelivery, keys = [{ secret }]) => verifySignature(signed, keys);

const jsonBody = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

describe('A delivery signed by the service', () => {
	test.each(formatNames)('is accepted as %s in any header', (format) => {
		fc.assert(
			fc.property(jsonBody, fc.stringMatching(/^x-[a-z]{1,20}$/), (body, header) => {
				const headers = { host: 'n8n.example', 'content-type': 'application/json', [header]: formats[format](body) };
				expect(verify(delivery(body, headers))).toEqual({ authentic: true, key: { secret } });
			}),
		);
	});

	test('is accepted in capital hex digits, with spaces between the parts, and in one of several values', () => {
		const time = `${seconds}.{}`;
		for (const value of [
			mac('{}').toUpperCase(),
			` t=${seconds} , v1=${mac(time)} `,
			['other', mac('{}')],
			`t=${seconds},v0=x,v1=${mac(time)}`,
		]) {
			expect(verify(delivery('{}', { 'x-absent': undefined, 'x-signature': value })).authentic).toBe(true);
		}
	});

	test('is accepted with two signatures, as while the key changes', () => {
		const body = '{}';
		const value = `t=${seconds},v1=${mac(`${seconds}.${body}`, 'hex', 'old')},v1=${mac(`${seconds}.${body}`)}`;
		expect(verify(delivery(body, { 'x-signature': value })).authentic).toBe(true);
	});

	test('is accepted by any key, with the key that made the signature', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 }),
				fc.nat(),
				(secrets, at) => {
					const keys = secrets.map((one) => ({ secret: one }));
					const key = keys[at % keys.length];
					const headers = { 'x-signature': mac('{}', 'hex', key.secret) };
					expect(verify(delivery('{}', headers), keys)).toEqual({ authentic: true, key });
				},
			),
		);
	});

	test('is accepted only in the named header, if one is named', () => {
		const headers = { 'x-one': mac('{}') };
		expect(verify(delivery('{}', headers, { signatureHeader: 'X-One' })).authentic).toBe(true);
		expect(verify(delivery('{}', headers, { signatureHeader: 'X-Two' }))).toEqual({
			authentic: false,
			reason: 'no signature',
		});
	});
});

describe('A delivery is refused', () => {
	test.each(formatNames)('if its body is altered (%s)', (format) => {
		fc.assert(
			fc.property(jsonBody, jsonBody, (body, altered) => {
				fc.pre(body !== altered);
				expect(verify(delivery(altered, { 'x-signature': formats[format](body) })).authentic).toBe(false);
			}),
		);
	});

	test.each(formatNames)('if one byte of its body is altered, missing or added, whatever it means (%s)', (format) => {
		const [body, ...others] = [
			'{"a":"é"}',
			'{"a":"e"}',
			'{"a":"é"}\n',
			' {"a":"é"}',
			'{"a": "é"}',
			'{"a":"é"',
			'\ufeff{"a":"é"}',
		];
		const headers = { 'x-signature': formats[format](body) };
		expect(verify(delivery(body, headers)).authentic).toBe(true);
		for (const other of others) {
			expect({ other, authentic: verify(delivery(other, headers)).authentic }).toEqual({ other, authentic: false });
		}
		// Both bytes are no text, and would be read as the same character.
		const bytes = [0xfe, 0xff].map((byte) => Buffer.from([byte]));
		const signed = { ...delivery('', { 'x-signature': mac(bytes[0]!) }), rawBody: bytes[1]! };
		expect(verify(signed).authentic).toBe(false);
	});

	test.each(formatNames)('if one character of its signature is altered, missing or added (%s)', (format) => {
		fc.assert(
			fc.property(
				jsonBody,
				fc.nat(),
				fc.constantFrom(...'0123456789abcdefXYZ+/=., '),
				fc.nat(2),
				(body, at, character, how) => {
					const good = formats[format](body);
					const place = at % good.length;
					const rest = good.slice(place + (how === 2 ? 0 : 1));
					const bad = good.slice(0, place) + (how === 1 ? '' : character) + rest;
					// White space around a part has no meaning.
					fc.pre(bad.replaceAll(/\s*,\s*/g, ',').trim() !== good);
					// All prefixes of a bare signature mean the same.
					fc.pre(bad.replace(PREFIX, '') !== good.replace(PREFIX, ''));
					expect(verify(delivery(body, { 'x-signature': bad })).authentic).toBe(false);
				},
			),
		);
	});

	test.each(formatNames)('if it is signed with another secret (%s)', (format) => {
		fc.assert(
			fc.property(jsonBody, fc.string(), (body, other) => {
				fc.pre(other !== secret);
				expect(verify(delivery(body, { 'x-signature': formats[format](body, other) })).authentic).toBe(false);
			}),
		);
	});

	test('if its timestamp is outside the window of five minutes, in the past or the future, with that reason', () => {
		fc.assert(
			fc.property(fc.oneof(fc.integer({ min: -302, max: 302 }), fc.integer({ min: -1e8, max: 1e8 })), (offset) => {
				const time = seconds + offset;
				const headers = { 'x-signature': `t=${time},v1=${mac(`${time}.{}`)}` };
				const verdict = verify(delivery('{}', headers));
				expect(verdict.authentic).toBe(Math.abs(offset) <= 300);
				if (!verdict.authentic) {
					expect(verdict.reason).toBe('outside the time window');
				}
			}),
		);
	});

	test('when its timestamp is moved into the window', () => {
		const old = seconds - 4000;
		const headers = { 'x-signature': `t=${seconds},v1=${mac(`${old}.{}`)}` };
		expect(verify(delivery('{}', headers))).toEqual({ authentic: false, reason: 'wrong signature' });
	});

	test.each([0, 1])('exactly at the end of the window it is accepted, and %i milliseconds after that', (late) => {
		const time = seconds - 300;
		const headers = { 'x-signature': `t=${time},v1=${mac(`${time}.{}`)}` };
		expect(verify(delivery('{}', headers, { now: now + late })).authentic).toBe(late === 0);
	});

	test.each(['', 'now', '-1', `+${seconds}`, ` ${now}`, `${seconds}.5`, `${now}.5`, `0${seconds}`, '1e12'])(
		'if its timestamp is invalid, although it is signed: "%s"',
		(time) => {
			const headers = { 'x-signature': `t=${time},v1=${mac(`${time}.{}`)}` };
			expect(verify(delivery('{}', headers))).toEqual({ authentic: false, reason: 'no signature' });
		},
	);

	test.each([
		['two timestamps', `t=${seconds},t=${seconds},v1=${mac(`${seconds}.{}`)}`],
		['parts without a timestamp', `v1=${mac('{}')},v1=${mac('{}')}`],
		['a part without a name', `t=${seconds},${mac(`${seconds}.{}`)}`],
		['a part with another name', `t=${seconds},v0=${mac(`${seconds}.{}`)}`],
		['a prefix inside', `${mac('{}').slice(0, 9)}v1=${mac('{}').slice(9)}`],
		['more before it', `0${mac('{}')}`],
		['one digit more', `${mac('{}')}0`],
		['one byte more', `${mac('{}')}00`],
		['one digit only', 'A'],
		['64 characters that are no digits', 'x'.repeat(64)],
		['more before base64', `A${mac('{}', 'base64')}`],
		['more after base64', `${mac('{}', 'base64')}A`],
	])('if it has %s', (_what, value) => {
		expect(verify(delivery('{}', { 'x-signature': value }))).toEqual({ authentic: false, reason: 'no signature' });
	});

	test('if its base64 has bits that mean nothing: one signature would have several spellings', () => {
		const good = mac('{}', 'base64');
		const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
		const last = letters.indexOf(good.at(-2) as string);
		const other = `${good.slice(0, -2)}${letters[last + 1]}=`;
		expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(good, 'base64'));
		expect(verify(delivery('{}', { 'x-signature': other })).authentic).toBe(false);
	});

	test('if it has the bare signature of a delivery with a timestamp, or its body then is not JSON', () => {
		fc.assert(
			fc.property(jsonBody, fc.constantFrom('', 'sha256=', 'v1='), (body, prefix) => {
				const captured = mac(`${seconds}.${body}`);
				const later = { now: now + 86_400_000 };
				expect(verify(delivery(body, { 'x-signature': prefix + captured }, later)).authentic).toBe(false);
				// With the timestamp in the body the signature matches, but the body is not JSON.
				expect(() => JSON.parse(`${seconds}.${body}`)).toThrow();
			}),
		);
	});

	test('if signatures with two other timestamps come before the right one: each would cost a digest of the body', () => {
		const at = (second: number, key = secret) => `t=${second},v1=${mac(`${second}.{}`, 'hex', key)}`;
		const after = (...others: number[]) => ({
			'x-signature': [...others.map((second) => at(second, 'forged')), at(seconds)],
		});
		expect(verify(delivery('{}', after(seconds - 1))).authentic).toBe(true);
		expect(verify(delivery('{}', after(seconds, seconds - 1, seconds))).authentic).toBe(true);
		expect(verify(delivery('{}', after(seconds - 1, seconds - 2))).authentic).toBe(false);
	});

	test('if it has no signature, or a thousand wrong ones before the right one', () => {
		expect(verify(delivery('{}', { host: 'x' }))).toEqual({ authentic: false, reason: 'no signature' });
		const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, mac(String(index))]));
		expect(verify(delivery('{}', { ...flood, 'x-signature': mac('{}') }))).toEqual({
			authentic: false,
			reason: 'wrong signature',
		});
	});
});
