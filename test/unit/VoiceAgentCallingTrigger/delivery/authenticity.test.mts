import { createHmac } from 'node:crypto';

import { WRONG_HEADER } from '../../../../nodes/shared/events/adviceOnRefusal.ts';
import type { VerifyBy } from '../../../../nodes/shared/owner.ts';
import { SECRET_HEADER } from '../../../../nodes/shared/triggerSecrets/deliverySecret.ts';
import { verifyDelivery } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/authenticity.ts';
import { readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import { queryOf, secretOf, triggerOf } from '../trigger.mts';

const rawBody = Buffer.from('{"event":"campaign.paused"}');
let secret: string;
beforeAll(async () => {
	secret = await secretOf();
});
/** The reason without a signature, with the other way to verify. */
const NONE = /^no signature\. If the service sent it, set .*'Secret Header'/;
const signed = (text: string | Buffer = rawBody) => createHmac('sha256', secret).update(text).digest('hex');

/** Why a delivery is refused; undefined if it is accepted. */
async function check(headers: Record<string, unknown>, signatureHeader?: string, verifyBy?: VerifyBy) {
	const { caller } = triggerOf({ incoming: { headers, rawBody, query: queryOf() } });
	const verdict = await verifyDelivery(await readIncoming(caller), { signatureHeader, verifyBy });
	return 'refused' in verdict ? String(verdict.refused) : undefined;
}

describe('A delivery is authentic', () => {
	test('if it is signed with the secret of its campaign', async () => {
		expect(await check({ 'x-any': signed() })).toBeUndefined();
	});

	test('only within five minutes of its timestamp, whatever else is in its headers', async () => {
		const time = Math.floor(Date.now() / 1000) - 302;
		const headers = { 'x-any': `t=${time},v1=${signed(`${time}.${rawBody}`)}`, 'x-signature': 'v0=z' };
		expect(await check(headers)).toBe('outside the time window');
	});
});

describe('With Verify By at Secret Header, a delivery is authentic', () => {
	const name = SECRET_HEADER.toLowerCase();
	const ofHeader = async (campaign?: string, isTest?: boolean) => await secretOf(campaign, isTest, undefined, 'header');
	const byHeader = async (value: unknown, more = {}) =>
		await check({ ...more, ...(value !== undefined && { [name]: value }) }, undefined, 'header');

	test('if the header has the secret of its campaign, and whatever signs it', async () => {
		const own = await ofHeader();
		expect(await byHeader(own)).toBeUndefined();
		expect(await byHeader(own, { 'x-signature': 'v0=z' })).toBeUndefined();
	});

	test.each<[string, () => unknown]>([
		['without the header', () => undefined],
		['with the secret that signs', () => secret],
		['with that of another campaign', async () => await ofHeader('c-2')],
		['with that of a test run', async () => await ofHeader('c-1', true)],
		['with more behind it', async () => `${await ofHeader()}0`],
		['with a part of it', async () => (await ofHeader()).slice(1)],
	])('not %s, although it is signed', async (_what, given) => {
		expect(await byHeader(await given(), { 'x-any': signed() })).toBe(WRONG_HEADER);
	});
});

describe('A form of signature that the node does not know is named as the reason, with the names of its headers', () => {
	const seconds = Math.floor(Date.now() / 1000);
	const mac = (text: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
		createHmac('sha256', secret).update(text).digest(encoding);
	const date = new Date(seconds * 1000).toISOString();
	/** By their names: what has to be known of the secret is only known later. */
	const forms: Record<string, () => Record<string, string>> = {
		'Standard Webhooks without the ID': () => ({
			'webhook-timestamp': String(seconds),
			'webhook-signature': `v1,${mac(`msg_1.${seconds}.${rawBody}`, 'base64')}`,
		}),
		'v0:timestamp:body': () => ({
			'x-slack-request-timestamp': String(seconds),
			'x-slack-signature': `v0=${mac(`v0:${seconds}:${rawBody}`)}`,
		}),
		'a timestamp after the body': () => ({
			'x-timestamp': String(seconds),
			'x-signature': mac(`${rawBody}.${seconds}`),
		}),
		'a date in a header of its own': () => ({
			'x-request-timestamp': date,
			'x-signature': `sha256=${mac(`${date}.${rawBody}`)}`,
		}),
		't,v0': () => ({ 'x-signature': `t=${seconds},v0=${mac(`${seconds}.${rawBody}`)}` }),
		'v=milliseconds,d=hex': () => ({ 'x-signature': `v=${seconds}000,d=${mac(`${rawBody}${seconds}000`)}` }),
		'a header whose name does not say it': () => ({ 'x-check': `t:${seconds};mac:${mac(`${seconds}${rawBody}`)}` }),
		'beside the hash of the body': () => ({
			'x-body-sha256': mac(rawBody.subarray(1)),
			'x-signature': `v9=${mac(rawBody)}`,
		}),
		'of another kind': () => ({ 'x-hub-signature': 'sha1=0123456789012345678901234567890123456789' }),
	};
	const others = {
		host: 'n8n.example',
		authorization: `Bearer ${'a'.repeat(43)}`,
		cookie: `s=${'b'.repeat(64)}`,
		'proxy-authorization': `Bearer ${'c'.repeat(43)}`,
	};

	test.each(Object.entries(forms))('%s', async (_form, headersOf) => {
		const headers = headersOf();
		const reason = String(await check({ ...others, ...headers }));
		const signatures = Object.keys(headers).filter((name) => /signature|check/.test(name));
		expect(reason).toMatch(/^(wrong signature, or )?unknown form of signature/);
		for (const name of signatures) {
			expect(reason).toContain(name);
		}
		const [named = ''] = /(?<=, perhaps in ).+(?=\. If the service)/.exec(reason) ?? [];
		expect(Object.keys(headers)).toEqual(expect.arrayContaining(named.split(', ')));
		expect(reason).toContain('/issues');
		expect(reason).toContain("'Verify By' to 'Secret Header'");
		for (const value of Object.values({ ...others, ...headers })) {
			expect(reason).not.toContain(value);
		}
	});

	test('a signature that may be by another secret is named as that, too', async () => {
		const signed = { 'x-signature': 'a'.repeat(64) };
		const reason = async (more: object) => String(await check({ ...signed, ...more }));
		expect(await reason({})).toBe('wrong signature');
		const timed = await reason({ 'x-gateway-timestamp': 'Wed, 25 Nov 2026 10:00:00 GMT' });
		expect(timed).toMatch(
			/^wrong signature, or unknown form of signature, perhaps in x-signature, x-gateway-timestamp/,
		);
		expect(await check({ 'x-signature': 'v0=z' })).toMatch(/^unknown form/);
	});

	test('only the header that the user named counts', async () => {
		const known = async (name: string) => String(await check(forms['t,v0']?.() ?? {}, name));
		expect(await known('X-Signature')).toContain('unknown form');
		expect(await known('X-Other')).toMatch(NONE);
	});

	test('whatever a stranger sends, the reason is short and has no more than a few names', async () => {
		const headers = Object.fromEntries(
			Array.from({ length: 200 }, (_, n) => [`x-signature-${n}-${'y'.repeat(500)}`, 'v0=z']),
		);
		const reason = String(await check(headers));
		expect(reason.match(/x-signature-/g)).toHaveLength(4);
		expect(reason.length).toBeLessThan(500);
	});

	const [hex, other] = ['b'.repeat(64), 'c'.repeat(64)];
	const [known, timed] = [{ 'x-signature': hex }, `t=${seconds},v1=${hex}`];
	test.each<[string, Record<string, string>]>([
		['a known form', known],
		['a known form with a time in it', { 'x-signature': timed, 'x-timestamp': `${seconds}` }],
		['a known form, and a request ID', { ...known, 'x-request-id': 'c'.repeat(32) }],
		['a known form, and a date', { ...known, date: new Date().toUTCString() }],
		['a known form, and no time', { ...known, 'x-timestamp': 'now' }],
		['a known form, and another digest', { 'x-any': hex, 'x-check': `mac:${other}` }],
		['a known form, and an unknown one', { ...known, 'x-signature-next': 'v0=z' }],
		['two known forms, and an unknown one', { 'x-a': hex, 'x-sign': other, 'x-sign-next': 'z' }],
		['two known forms, one with a time in it', { 'x-a': other, 'x-b': timed, 'x-timestamp': `${seconds}` }],
	])('%s by another secret stays a wrong signature', async (_what, headers) => {
		expect(await check(headers)).toBe('wrong signature');
	});

	test('the header that says it has the signature is named, not one with another digest in a known form', async () => {
		const headers = { 'x-body-sha256': 'b'.repeat(64), 'x-check': `mac:${'c'.repeat(64)}`, 'x-signature': 'v0=z' };
		const reason = await check(headers);
		expect(reason).toMatch(/unknown form of signature, perhaps in [^.]*x-signature/);
		expect(reason).not.toContain('x-body-sha256');
	});

	test.each([
		...[40, 64, 96, 128].map((length) => ['a'.repeat(length), true] as const),
		...[43, 86].map((length) => ['z_-9'.repeat(22).slice(0, length), true] as const),
		...[1, 32, 39, 41, 42, 44, 65, 85, 87, 97, 129].map((length) => ['a'.repeat(length), false] as const),
		...[1, 40, 64].map((length) => ['z'.repeat(length), false] as const),
	])(
		'a text with the length of a digest may be a signature whatever its header is called: %s (%s)',
		async (text, may) => {
			const reason = await check({ 'x-check': `mac:${text}` });
			expect(reason).toMatch(may ? /^unknown form of signature, perhaps in x-check\./ : NONE);
		},
	);

	test('without anything like a signature there is none', async () => {
		const headers = { ...others, 'x-timestamp': String(seconds), 'x-signature': ' ' };
		expect(await check(headers)).toMatch(NONE);
	});
});
