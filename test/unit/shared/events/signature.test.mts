import { createHmac } from 'node:crypto';

import { type SignedDelivery, stampsIn, verifySignature } from '../../../../nodes/shared/events/signature.ts';
import fc from '../../../fastCheck.mts';
import { timeInCopies } from '../../../processorTime.mts';

const now = Date.UTC(2026, 0, 15, 12);
const seconds = Math.floor(now / 1000);
const secret = 'k'.repeat(64);

type Encoding = 'hex' | 'base64' | 'base64url';

function mac(content: string | Buffer, encoding: Encoding = 'hex', key: string | Buffer = secret): string {
	return createHmac('sha256', key).update(content).digest(encoding);
}

/** A form of signature. */
interface Form {
	/** Signed before the body. */
	prefix?: string;
	/** Headers besides the one with the signature. */
	beside?: Record<string, string>;
	/** Whether the key is what the secret says in base64. */
	decodes?: true;
	write(sign: (encoding: Encoding) => string): string;
}

const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const timed = { prefix: `${seconds}.`, beside: { 'x-test-timestamp': `${seconds}` } };
const named = {
	prefix: `${id}.${seconds}.`,
	beside: { 'webhook-timestamp': `${seconds}`, 'webhook-id': id },
};

/** Every accepted form of a signature. */
const forms: Record<string, Form> = {
	hex: { write: (sign) => sign('hex') },
	'hex in upper case': { write: (sign) => sign('hex').toUpperCase() },
	'sha256=hex': { write: (sign) => `sha256=${sign('hex')}` },
	'SHA256=HEX': { write: (sign) => `SHA256=${sign('hex').toUpperCase()}` },
	'v1=hex': { write: (sign) => `v1=${sign('hex')}` },
	base64: { write: (sign) => sign('base64') },
	base64url: { write: (sign) => sign('base64url') },
	'base64url with its padding': { write: (sign) => `${sign('base64url')}=` },
	'sha256=base64': { write: (sign) => `sha256=${sign('base64')}` },
	'sha256=base64url': { write: (sign) => `sha256=${sign('base64url')}` },
	't,v1': { prefix: `${seconds}.`, write: (sign) => `t=${seconds},v1=${sign('hex')}` },
	't,v1 in milliseconds': { prefix: `${now}.`, write: (sign) => `t=${now},v1=${sign('hex')}` },
	't,v1 as base64': { prefix: `${seconds}.`, write: (sign) => `t=${seconds},v1=${sign('base64')}` },
	'hex with a timestamp in a header of its own': { ...timed, write: (sign) => sign('hex') },
	'v1=hex with a timestamp in a header of its own': { ...timed, write: (sign) => `v1=${sign('hex')}` },
	'base64 with milliseconds in a header of their own': {
		prefix: `${now}.`,
		beside: { timestamp: `${now}` },
		write: (sign) => sign('base64'),
	},
	'hex with an ID and a timestamp in headers of their own': { ...named, write: (sign) => sign('hex') },
	'v1,base64': { ...named, write: (sign) => `v1,${sign('base64')}` },
	'v1,base64 by the decoded secret': { ...named, decodes: true, write: (sign) => `v1,${sign('base64')}` },
};
const formNames = Object.keys(forms);

/** The headers of a body that is signed in a form. */
function signed(name: string, body: string, key = secret, header = 'x-signature'): Record<string, string> {
	const { prefix = '', beside, decodes, write } = forms[name] as Form;
	const bytes = decodes ? Buffer.from(key, 'base64') : Buffer.from(key);
	return { ...beside, [header]: write((encoding) => mac(prefix + body, encoding, bytes)) };
}

/** A value without what has no meaning: spaces around a part, the name of a signature, which base64 it is in. */
const meaning = (value: string) =>
	value
		.replaceAll(/\s*,\s*/g, ',')
		.trim()
		.replace(/^(sha256=|v1[=,])/i, '')
		.replace(/=$/, '')
		.replaceAll('-', '+')
		.replaceAll('_', '/');

function delivery(body: string, headers: SignedDelivery['headers'], more: Partial<SignedDelivery> = {}) {
	return { rawBody: Buffer.from(body), headers, now, ...more };
}

/** Checks a delivery against the key with {@link secret}, or against other keys. */
const verify = (signed: SignedDelivery, keys = [{ secret }]) => verifySignature(signed, keys);

/** Each form is tried with so many bodies. */
const some = { numRuns: 25 };

const jsonBody = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

describe('A delivery signed by the service', () => {
	test.each(formNames)('is accepted as %s in any header, with its ID if that is signed too', (form) => {
		const signedId = forms[form]?.prefix?.startsWith(id) ? id : undefined;
		fc.assert(
			fc.property(jsonBody, fc.stringMatching(/^x-[a-z]{1,20}-s$/), (body, header) => {
				const others = { host: 'n8n.example', 'content-type': 'application/json' };
				const headers = { ...others, ...signed(form, body, secret, header) };
				expect(verify(delivery(body, headers))).toEqual({ authentic: true, key: { secret }, signedId });
			}),
			some,
		);
	});

	test.each([
		['with spaces', ' '],
		['with commas', ','],
		['with commas and spaces', ', '],
	])('is accepted as one of a list %s between, bare, named, or of Standard Webhooks', (_what, separator) => {
		const wrong = mac('other');
		for (const list of [
			[wrong, mac('{}')],
			[`v1=${wrong}`, `v1=${mac('{}')}`],
			[`sha256=${mac('{}', 'base64')}`, `sha256=${mac('other', 'base64')}`],
		]) {
			expect(verify(delivery('{}', { 'x-signature': list.join(separator) })).authentic).toBe(true);
		}
		const right = mac(`${named.prefix}{}`, 'base64');
		const others = [`v1,${mac('other', 'base64')}`, `v1a,${'A'.repeat(86)}==`, 'v2,x'];
		for (const list of [
			[...others, `v1,${right}`],
			[`v1,${right}`, ...others],
		]) {
			const headers = { ...named.beside, 'webhook-signature': list.join(separator) };
			expect(verify(delivery('{}', headers)).authentic).toBe(true);
		}
	});

	test('is accepted with spaces between the parts, in one of several values, and with two keys while one changes', () => {
		const right = mac(`${seconds}.{}`);
		const old = mac(`${seconds}.{}`, 'hex', 'old');
		for (const value of [
			` t=${seconds}  ,\t v1=${right} `,
			['other', mac('{}')],
			`t=${seconds},v0=x,v1=${right}`,
			`t=${seconds},v1=${old},v1=${right}`,
		]) {
			expect(verify(delivery('{}', { 'x-absent': undefined, 'x-signature': value })).authentic).toBe(true);
		}
	});

	test.each<[string, boolean]>([
		['v0=x', true],
		['scheme=hmac', true],
		['a=bc', true],
		['=x', false],
		['0a=x', false],
		['A=x', false],
		['a-b=x', false],
		['v0=', false],
	])(
		'is accepted beside another part of its header only if that has a name and a value: %s (%s)',
		(part, isAccepted) => {
			for (const value of [
				`t=${seconds},${part},v1=${mac(`${seconds}.{}`)}`,
				`t=${seconds},v1=${mac(`${seconds}.{}`)},${part}`,
			]) {
				expect(verify(delivery('{}', { 'x-signature': value })).authentic).toBe(isAccepted);
			}
		},
	);

	test.each<[string, boolean]>([
		['v10,x', true],
		['v10a,x', true],
		['v2a,x', true],
		['xv2,x', false],
		['v2ab,x', false],
		['v,x', false],
		['v2,', false],
	])('is accepted beside another signature of Standard Webhooks: %s (%s)', (other, isAccepted) => {
		const own = `v1,${mac(`${named.prefix}{}`, 'base64')}`;
		for (const value of [`${other} ${own}`, `${own} ${other}`]) {
			expect(verify(delivery('{}', { ...named.beside, 'webhook-signature': value })).authentic).toBe(isAccepted);
		}
	});

	test('is refused with its timestamp in a header that came more than once, and so is its ID', () => {
		const { beside, prefix } = named;
		const signature = { 'x-signature': mac(`${prefix}{}`) };
		for (const name of Object.keys(beside)) {
			const headers = { ...beside, ...signature, [name]: [beside[name as keyof typeof beside]] };
			expect(verify(delivery('{}', headers)).authentic).toBe(false);
		}
	});

	test('has at most four timestamps in headers of their own, each with the ID of its own', () => {
		const stamps = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`x${index}-timestamp`, `${seconds}`]));
		expect(stampsIn({ 'timestamps-timestamp': `${seconds}`, 'timestamps-id': id, ...stamps })).toEqual([
			{ timestamp: `${seconds}`, id },
			...Array(3).fill({ timestamp: `${seconds}` }),
		]);
	});

	test('is accepted in a value of at most 2,048 characters', () => {
		const [value, longer] = [2048, 2049].map((length) => mac('{}').padEnd(length));
		expect([value, longer].map((each) => verify(delivery('{}', { 'x-signature': each })).authentic)).toEqual([
			true,
			false,
		]);
	});

	test.each(['x-time', 'x-timestamp-2'])('is refused with its timestamp in a header of another name: %s', (name) => {
		const headers = { [name]: `${seconds}`, 'x-signature': mac(`${seconds}.{}`) };
		expect(verify(delivery('{}', headers)).authentic).toBe(false);
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
			some,
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
	test.each(formNames.filter((form) => forms[form]?.beside))(
		'if its timestamp or ID is altered, missing or that of another delivery (%s)',
		(form) => {
			const headers = signed(form, '{}');
			for (const name of Object.keys(forms[form]?.beside ?? {})) {
				const { [name]: right = '', ...rest } = headers;
				const others = name.endsWith('id')
					? ['msg_1', `${right}x`, `${right}.1`, '']
					: [`${Number(right) + 1}`, `${Number(right) - 1}`, `${right}0`, `0${right}`, 'now'];
				for (const other of others) {
					expect(verify(delivery('{}', { ...rest, [name]: other })).authentic).toBe(false);
				}
				expect(verify(delivery('{}', rest)).authentic).toBe(false);
			}
		},
	);

	test.each(formNames)('if one byte of its body is altered, missing or added, whatever it means (%s)', (form) => {
		const body = '{"a":"é"}';
		const others = ['{"a":"e"}', `${body}\n`, ` ${body}`, '{"a": "é"}', '{"a":"é"', `\ufeff${body}`];
		const headers = signed(form, body);
		expect(verify(delivery(body, headers)).authentic).toBe(true);
		expect(others.filter((other) => verify(delivery(other, headers)).authentic)).toEqual([]);
		// Both bytes are no text, and would be read as the same character.
		const bytes = [0xfe, 0xff].map((byte) => Buffer.from([byte]));
		const other = { ...delivery('', { 'x-signature': mac(bytes[0]!) }), rawBody: bytes[1]! };
		expect(verify(other).authentic).toBe(false);
	});

	test.each(formNames)('if any character of its signature is altered, missing or added (%s)', (form) => {
		const { 'x-signature': good = '', ...beside } = signed(form, '{}');
		const bad = Array.from(good).flatMap((_, at) => {
			const [before, after] = [good.slice(0, at), good.slice(at + 1)];
			const others = Array.from('0123456789abcdefXYZ+/=., -_').flatMap((other) => [other, other + good[at]]);
			return ['', ...others].map((other) => before + other + after);
		});
		const accepted = bad.filter((value) => verify(delivery('{}', { ...beside, 'x-signature': value })).authentic);
		expect(accepted.filter((value) => meaning(value) !== meaning(good))).toEqual([]);
	});

	test.each(formNames)('if it is signed with another secret (%s)', (form) => {
		fc.assert(
			fc.property(jsonBody, fc.string(), (body, other) => {
				fc.pre(other !== secret);
				expect(verify(delivery(body, signed(form, body, other))).authentic).toBe(false);
			}),
			some,
		);
	});

	test.each(formNames.filter((form) => !forms[form]?.decodes))(
		'if its secret was decoded from base64 before, which only Standard Webhooks do (%s)',
		(form) => {
			const { prefix = '', beside, write } = forms[form] as Form;
			const value = write((encoding) => mac(`${prefix}{}`, encoding, Buffer.from(secret, 'base64')));
			expect(verify(delivery('{}', { ...beside, 'x-signature': value })).authentic).toBe(value.startsWith('v1,'));
		},
	);

	test('if a secret that is no base64 was taken for it: it could be decoded to nothing', () => {
		const forged = `v1,${mac(`${named.prefix}{}`, 'base64', '')}`;
		const headers = { ...named.beside, 'webhook-signature': forged };
		expect(verify(delivery('{}', headers), [{ secret: '!' }]).authentic).toBe(false);
	});

	test.each(['hex with a timestamp in a header of its own', 'v1,base64'])(
		'if its timestamp in a header of its own is outside the window of five minutes (%s)',
		(form) => {
			const headers = signed(form, '{}');
			for (const [ms, isAccepted] of [
				[300_000, true],
				[300_001, false],
				[-300_000, true],
				[-300_001, false],
			] as const) {
				expect(verify(delivery('{}', headers, { now: seconds * 1000 + ms })).authentic).toBe(isAccepted);
			}
			const late = verify(delivery('{}', headers, { now: now + 400_000 }));
			expect(late).toMatchObject({ reason: form.startsWith('v1') ? 'outside the time window' : 'wrong signature' });
		},
	);

	test('if the ID that is signed has a dot: the text could be read as that of another delivery', () => {
		const prefix = `a.b.${seconds}.`;
		const headers = { 'webhook-timestamp': `${seconds}`, 'webhook-id': 'a.b', 'x-signature': mac(`${prefix}{}`) };
		expect(verify(delivery('{}', headers)).authentic).toBe(false);
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
			some,
		);
	});

	test('when its timestamp is moved into the window, or one millisecond after its end', () => {
		const at = (time: number, signedAt = time) => ({ 'x-signature': `t=${time},v1=${mac(`${signedAt}.{}`)}` });
		const moved = verify(delivery('{}', at(seconds, seconds - 4000)));
		expect(moved).toEqual({ authentic: false, reason: 'wrong signature' });
		const authentic = [0, 1].map((late) => verify(delivery('{}', at(seconds - 300), { now: now + late })).authentic);
		expect(authentic).toEqual([true, false]);
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
		['a list in which one is no signature', `${mac('{}')} x`],
		['a list with nothing at its end', `${mac('{}')},`],
		['digits of both cases', mac('{}').replace(/[a-f]/, (digit) => digit.toUpperCase())],
		['v1, without an ID and a timestamp', `v1,${mac('{}', 'base64')}`],
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

	test.each([' ', ',', ', ', 'v1=a, ', 'v1,'])(
		'without delay, if a header repeats %j as long as Node.js allows',
		async (part) => {
			const headers = { 'x-any': `a${part.repeat(15_000 / part.length)}b`, 'x-other': `a${part.repeat(500)}b` };
			const forged = delivery('{}', headers);
			expect(verify(forged).authentic).toBe(false);
			expect(await timeInCopies(headers, () => verify(forged))).toBeLessThan(100);
		},
	);

	test('if its base64 has bits that mean nothing: one signature would have several spellings', () => {
		const good = mac('{}', 'base64');
		const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
		const last = letters.indexOf(good.at(-2) as string);
		const other = `${good.slice(0, -2)}${letters[last + 1]}=`;
		expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(good, 'base64'));
		expect(verify(delivery('{}', { 'x-signature': other })).authentic).toBe(false);
	});

	test('if its base64 has the letters of both alphabets', () => {
		const mixable = Array.from({ length: 99 }, (_, index) => `{"n":${index}}`).find((body) =>
			/\+.*\//.test(mac(body, 'base64')),
		) as string;
		const right = mac(mixable, 'base64');
		const check = (value: string) => verify(delivery(mixable, { 'x-signature': value })).authentic;
		expect([check(right), check(right.replaceAll('+', '-')), check(mac(mixable, 'base64url'))]).toEqual([
			true,
			false,
			true,
		]);
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
			some,
		);
	});

	test('if signatures with four other timestamps come before the right one: each would cost a digest of the body', () => {
		const at = (second: number, key = secret) => `t=${second},v1=${mac(`${second}.{}`, 'hex', key)}`;
		const after = (...others: number[]) => ({
			'x-signature': [...others.map((second) => at(second, 'forged')), at(seconds)],
		});
		expect(verify(delivery('{}', after(seconds - 1))).authentic).toBe(true);
		expect(verify(delivery('{}', after(seconds, seconds - 1, seconds))).authentic).toBe(true);
		expect(verify(delivery('{}', after(seconds - 1, seconds - 2, seconds - 3))).authentic).toBe(true);
		expect(verify(delivery('{}', after(seconds - 1, seconds - 2, seconds - 3, seconds - 4))).authentic).toBe(false);
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
