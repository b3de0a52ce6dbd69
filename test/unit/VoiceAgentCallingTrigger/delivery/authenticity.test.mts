import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { checkAuthenticity } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/authenticity.ts';
import { nodeKey } from '../../../../nodes/VoiceAgentCallingTrigger/registration/nodeKey.ts';
import { rotate } from '../../../../nodes/VoiceAgentCallingTrigger/registration/rotation.ts';
import { doubleOfN8n } from '../../n8n.mts';
import { registrationOf, triggerOf } from '../trigger.mts';

const rawBody = Buffer.from('{"event":"campaign.paused"}');
const secrets = { current: '1'.repeat(64), former: '2'.repeat(64) };
const signed = (secret: string, text: string | Buffer = rawBody) =>
	createHmac('sha256', secret).update(text).digest('hex');

let count = 0;

async function check(staticData: IDataObject, headers: Record<string, unknown>, options = {}) {
	const { caller } = doubleOfN8n({ staticData, incoming: { headers, rawBody } });
	return await checkAuthenticity(caller, `node-${(count += 1)}`, rawBody, options);
}

describe('A delivery is authentic', () => {
	const registration = { secret: secrets.current, former: [{ secret: secrets.former, until: Date.now() + 60_000 }] };

	test.each(Object.entries(secrets))('if it is signed with the %s key', async (_name, secret) => {
		expect(await check(registration, { 'x-any': signed(secret) })).toMatchObject({ authentic: true, header: 'x-any' });
	});

	test('unless the key has expired', async () => {
		const former = [{ secret: secrets.former, until: Date.now() - 1 }];
		expect(await check({ ...registration, former }, { 'x-any': signed(secrets.former) })).toMatchObject({
			authentic: false,
		});
	});

	test('only in the header that the node names, if it names one', async () => {
		const headers = { 'x-any': signed(secrets.current) };
		expect(await check(registration, headers, { signatureHeader: ' X-Any ' })).toMatchObject({ authentic: true });
		expect(await check(registration, headers, { signatureHeader: 'X-Other' })).toMatchObject({ authentic: false });
		expect(await check(registration, headers, { signatureHeader: '  ' })).toMatchObject({ authentic: true });
	});

	test.each([
		['within five minutes', undefined, 299, true],
		['within five minutes only', undefined, 302, false],
		['within the window of the node', 600, 599, true],
		['within the window of the node only', 600, 602, false],
		['within no window that is no number', 'soon', 0, false],
	])('%s of its timestamp', async (_what, timeWindow, age, authentic) => {
		const time = Math.floor(Date.now() / 1000) - age;
		const headers = { 'x-any': `t=${time},v1=${signed(secrets.current, `${time}.${rawBody}`)}` };
		expect(await check(registration, headers, { timeWindow })).toMatchObject({ authentic });
	});
});

test('A delivery with the key of a rotation is authentic before n8n has stored that key', async () => {
	const stored = registrationOf({ secret: secrets.current });
	const { caller, staticData } = triggerOf({ service: [{ body: {} }], staticData: { ...stored } });
	await rotate(caller);
	const { caller: later } = triggerOf({
		staticData: stored,
		incoming: { headers: { 'x-any': signed(String(staticData.secret)) } },
	});
	expect(await checkAuthenticity(later, nodeKey(later), rawBody, {})).toMatchObject({ authentic: true });
});

test('Without any key, nothing is authentic', async () => {
	expect(await check({}, { 'x-any': signed('') })).toEqual({
		authentic: false,
		reason: 'no signing secret is registered',
	});
});

describe('With a random header', () => {
	const registration = {
		secret: secrets.current,
		headerValue: 'random',
		former: [{ secret: secrets.former, headerValue: 'former', until: Date.now() + 60_000 }],
	};
	const headers = { 'x-any': signed(secrets.current) };

	test.each([
		['its value', 'random', true],
		['the value of another accepted key', 'former', true],
		['another value', 'Random', false],
		['a longer value', 'random1', false],
		['no value', undefined, false],
		['two values', ['random', 'random'], false],
	])('a signed delivery with %s is judged by it', async (_what, value, authentic) => {
		const checked = await check(registration, { ...headers, 'x-webhook-key': value });
		expect(checked.authentic).toBe(authentic);
		if (!checked.authentic) {
			expect(checked.reason).toBe('the header X-Webhook-Key is missing or wrong');
		}
	});

	test('the value alone is not enough', async () => {
		expect(await check(registration, { 'x-webhook-key': 'random' })).toMatchObject({ authentic: false });
	});

	test('a delivery by a key without one needs none', async () => {
		const { headerValue: _, ...former } = registration.former[0];
		expect(await check({ ...registration, former: [former] }, { 'x-any': signed(secrets.former) })).toMatchObject({
			authentic: true,
		});
	});

	test('a key without a value does not make a missing header right', async () => {
		const former = [{ secret: secrets.former, until: Date.now() + 60_000 }];
		expect(await check({ ...registration, former }, { ...headers, 'x-webhook-key': 'undefined' })).toMatchObject({
			authentic: false,
		});
	});
});
