import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { whyNotAuthentic } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/authenticity.ts';
import { putBackNewerKey, successorsOf } from '../../../../nodes/VoiceAgentCallingTrigger/registration/newerKey.ts';
import { nodeKey } from '../../../../nodes/VoiceAgentCallingTrigger/registration/nodeKey.ts';
import { rotate } from '../../../../nodes/VoiceAgentCallingTrigger/registration/rotation.ts';
import { doubleOfN8n } from '../../n8n.mts';
import { registrationOf, secretOf, triggerOf } from '../trigger.mts';

const rawBody = Buffer.from('{"event":"campaign.paused"}');
const secrets = { current: '1'.repeat(64), former: '2'.repeat(64) };
const signed = (secret: string, text: string | Buffer = rawBody) =>
	createHmac('sha256', secretOf(secret)).update(text).digest('hex');
const owner = { source: 'campaign', ownerId: 'c-1' } as const;

let count = 0;

async function check(staticData: IDataObject, headers: Record<string, unknown>, signatureHeader?: string) {
	const { caller } = doubleOfN8n({ staticData, incoming: { headers, rawBody } });
	return await whyNotAuthentic(caller, `node-${(count += 1)}`, owner, rawBody, signatureHeader);
}

describe('A delivery is authentic', () => {
	const registration = { secret: secrets.current, former: [{ secret: secrets.former, until: Date.now() + 60_000 }] };

	test.each(Object.entries(secrets))('if it is signed with the %s key', async (_name, secret) => {
		expect(await check(registration, { 'x-any': signed(secret) })).toBeUndefined();
	});

	test('unless the key has expired', async () => {
		const former = [{ secret: secrets.former, until: Date.now() - 1 }];
		expect(await check({ ...registration, former }, { 'x-any': signed(secrets.former) })).toBe('wrong signature');
	});

	test('only in the header that the node names, if it names one', async () => {
		const headers = { 'x-any': signed(secrets.current) };
		expect(await check(registration, headers, ' X-Any ')).toBeUndefined();
		expect(await check(registration, headers, 'X-Other')).toBe('no signature');
		expect(await check(registration, headers, '  ')).toBeUndefined();
	});

	test.each([
		['within five minutes', 299, undefined],
		['within five minutes only', 302, 'outside the time window'],
	])('%s of its timestamp', async (_what, age, reason) => {
		const time = Math.floor(Date.now() / 1000) - age;
		const headers = { 'x-any': `t=${time},v1=${signed(secrets.current, `${time}.${rawBody}`)}` };
		expect(await check(registration, headers)).toBe(reason);
	});
});

describe('A delivery with a key that n8n has not stored, or no longer', () => {
	/** A trigger with older static data, and the key that the service has after a rotation. */
	async function rotated(stored: IDataObject = {}) {
		const nodeId = `rotated-${(count += 1)}`;
		const older = registrationOf({ secret: secrets.current, ...stored });
		const { caller, staticData } = triggerOf({
			service: [{ body: {} }],
			nodeId,
			staticData: { ...older },
		});
		const [key] = await successorsOf(caller, `before ${nodeId}`, staticData);
		await rotate(caller);
		expect(key.secret).toBe(staticData.secret);
		return { nodeId, older, key };
	}
	const checkHeaders = async (nodeId: string, staticData: IDataObject, headers: Record<string, unknown>) => {
		const { caller } = triggerOf({ nodeId, staticData, incoming: { headers } });
		return { caller, reason: await whyNotAuthentic(caller, nodeKey(caller), owner, rawBody, undefined) };
	};

	test.each([0, 1, 2])('is authentic, with %i former keys beside the stored one', async (formerKeys) => {
		const former = Array.from({ length: formerKeys }, (_, n) => ({ secret: `${n + 3}`.repeat(64) }));
		const { nodeId, older, key } = await rotated({ former });
		const { reason } = await checkHeaders(nodeId, older, { 'x-any': signed(key.secret) });
		expect(reason).toBeUndefined();
	});

	test('tells this process which key the service uses; one with another signature does not', async () => {
		const nodeId = `told-${(count += 1)}`;
		const staticData = registrationOf({ secret: secrets.current });
		const following = await successorsOf(triggerOf({ staticData }).caller, `before ${nodeId}`, staticData);
		const wrong = await checkHeaders(nodeId, staticData, { 'x-any': signed(secrets.former) });
		expect(wrong.reason).toBe('wrong signature');
		expect(putBackNewerKey(wrong.caller, following)).toBe(false);
		const { caller } = await checkHeaders(nodeId, staticData, { 'x-any': signed(following[1].secret) });
		expect(putBackNewerKey(caller, following)).toBe(true);
		expect(staticData.secret).toBe(following[1].secret);
	});

	test.each([
		['no signature', () => ({})],
		[
			'outside the time window',
			() => ({ 'x-any': `t=1700000000,v1=${signed(secrets.current, `1700000000.${rawBody}`)}` }),
		],
	])('is not looked for if there is %s: such a request costs nothing', async (reason, headers) => {
		const { caller } = triggerOf({ staticData: registrationOf(), incoming: { headers: headers() } });
		const getCredentials = jest.spyOn(caller, 'getCredentials');
		expect(await whyNotAuthentic(caller, 'costs nothing', owner, rawBody, undefined)).toBe(reason);
		expect(getCredentials).not.toHaveBeenCalled();
	});
});

test('Without any key, nothing is authentic', async () => {
	expect(await check({}, { 'x-any': signed('') })).toBe('no signing secret is registered');
});

describe('A form of signature that the node does not know is named as the reason, with the names of its headers', () => {
	const seconds = Math.floor(Date.now() / 1000);
	const mac = (text: string | Buffer, encoding: 'hex' | 'base64' | 'base64url' = 'hex') =>
		createHmac('sha256', secretOf(secrets.current)).update(text).digest(encoding);
	const forms: Record<string, Record<string, string>> = {
		'Standard Webhooks': {
			'webhook-id': 'msg_1',
			'webhook-timestamp': String(seconds),
			'webhook-signature': `v1,${mac(`msg_1.${seconds}.${rawBody}`, 'base64')}`,
		},
		'v0:timestamp:body': {
			'x-slack-request-timestamp': String(seconds),
			'x-slack-signature': `v0=${mac(`v0:${seconds}:${rawBody}`)}`,
		},
		'a timestamp in a header of its own': {
			'x-timestamp': String(seconds),
			'x-signature': mac(`${seconds}.${rawBody}`),
		},
		'a date in a header of its own': {
			'x-request-timestamp': new Date().toISOString(),
			'x-signature': `sha256=${mac(`${new Date().toISOString()}.${rawBody}`)}`,
		},
		base64url: { 'x-signature': mac(rawBody, 'base64url') },
		't,v0': { 'x-signature': `t=${seconds},v0=${mac(`${seconds}.${rawBody}`)}` },
		'v=milliseconds,d=hex': { 'x-signature': `v=${seconds}000,d=${mac(`${rawBody}${seconds}000`)}` },
		'a header whose name does not say it': { 'x-check': `t:${seconds};mac:${mac(`${seconds}${rawBody}`)}` },
		'beside the hash of the body': {
			'x-body-sha256': mac(rawBody.subarray(1)),
			'x-signature': `v9=${mac(rawBody)}`,
		},
		'of another kind': { 'x-hub-signature': 'sha1=0123456789012345678901234567890123456789' },
	};
	const others = { host: 'n8n.example', authorization: `Bearer ${'a'.repeat(43)}`, cookie: `s=${'b'.repeat(64)}` };

	test.each(Object.entries(forms))('%s', async (_form, headers) => {
		const reason = String(await check({ secret: secrets.current }, { ...others, ...headers }));
		const signatures = Object.keys(headers).filter((name) => /signature|check/.test(name));
		expect(reason).toMatch(/^(wrong signature, or )?unknown form of signature/);
		for (const name of signatures) {
			expect(reason).toContain(name);
		}
		const [named = ''] = /(?<=, perhaps in ).+(?=\. If the service)/.exec(reason) ?? [];
		expect(Object.keys(headers)).toEqual(expect.arrayContaining(named.split(', ')));
		expect(reason).toContain('/issues');
		for (const value of Object.values({ ...others, ...headers })) {
			expect(reason).not.toContain(value);
		}
	});

	test('a signature that may be by another secret is named as that, too', async () => {
		const signed = { 'x-signature': 'a'.repeat(64) };
		const reason = async (more: object) => String(await check({ secret: secrets.current }, { ...signed, ...more }));
		expect(await reason({})).toBe('wrong signature');
		const timed = await reason({ 'x-gateway-timestamp': 'Wed, 25 Nov 2026 10:00:00 GMT' });
		expect(timed).toMatch(
			/^wrong signature, or unknown form of signature, perhaps in x-signature, x-gateway-timestamp/,
		);
		expect(await check({ secret: secrets.current }, { 'x-signature': 'v0=z' })).toMatch(/^unknown form/);
	});

	test('only the header that the user named counts', async () => {
		const known = async (name: string) => String(await check({ secret: secrets.current }, forms['t,v0']!, name));
		expect(await known('X-Signature')).toContain('unknown form');
		expect(await known('X-Other')).toBe('no signature');
	});

	test('whatever a stranger sends, the reason is short and has no more than a few names', async () => {
		const headers = Object.fromEntries(
			Array.from({ length: 200 }, (_, n) => [`x-signature-${n}-${'y'.repeat(500)}`, 'v0=z']),
		);
		const reason = String(await check({ secret: secrets.current }, headers));
		expect(reason.match(/x-signature-/g)).toHaveLength(4);
		expect(reason.length).toBeLessThan(500);
	});

	test.each([
		['a known form', { 'x-signature': 'b'.repeat(64) }],
		[
			'a known form with a time in it',
			{ 'x-signature': `t=${seconds},v1=${'b'.repeat(64)}`, 'x-timestamp': `${seconds}` },
		],
		['a known form, and a request ID', { 'x-signature': 'b'.repeat(64), 'x-request-id': 'c'.repeat(32) }],
	])('%s by another secret stays a wrong signature', async (_what, headers) => {
		expect(await check({ secret: secrets.current }, headers)).toBe('wrong signature');
	});

	test('without anything like a signature there is none', async () => {
		const headers = { ...others, 'x-timestamp': String(seconds), 'x-signature': ' ' };
		expect(await check({ secret: secrets.current }, headers)).toBe('no signature');
	});
});
