import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { checkAuthenticity } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/authenticity.ts';
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

async function check(staticData: IDataObject, headers: Record<string, unknown>, options = {}) {
	const { caller } = doubleOfN8n({ staticData, incoming: { headers, rawBody } });
	return await checkAuthenticity(caller, `node-${(count += 1)}`, owner, rawBody, options);
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

describe('A delivery with a key that n8n has not stored, or no longer', () => {
	const parametersFor = ({ headerValue }: IDataObject) => ({ options: { requireHeader: headerValue !== undefined } });

	/** A trigger with older static data, and the key that the service has after a rotation. */
	async function rotated(stored: IDataObject = {}) {
		const nodeId = `rotated-${(count += 1)}`;
		const older = registrationOf({ secret: secrets.current, ...stored });
		const { caller, staticData } = triggerOf({
			service: [{ body: {} }],
			nodeId,
			parameters: parametersFor(older),
			staticData: { ...older },
		});
		const [key] = await successorsOf(caller, `before ${nodeId}`, staticData);
		await rotate(caller);
		expect(key.secret).toBe(staticData.secret);
		return { nodeId, older, key };
	}
	const checkHeaders = async (nodeId: string, staticData: IDataObject, headers: Record<string, unknown>) => {
		const { caller } = triggerOf({ nodeId, parameters: parametersFor(staticData), staticData, incoming: { headers } });
		return { caller, checked: await checkAuthenticity(caller, nodeKey(caller), owner, rawBody, {}) };
	};

	test.each([0, 1, 2])('is authentic, with %i former keys beside the stored one', async (formerKeys) => {
		const former = Array.from({ length: formerKeys }, (_, n) => ({ secret: `${n + 3}`.repeat(64) }));
		const { nodeId, older, key } = await rotated({ former });
		const { checked } = await checkHeaders(nodeId, older, { 'x-any': signed(key.secret) });
		expect(checked).toMatchObject({ authentic: true });
	});

	test('tells this process which key the service uses; one with another signature does not', async () => {
		const nodeId = `told-${(count += 1)}`;
		const staticData = registrationOf({ secret: secrets.current });
		const following = await successorsOf(triggerOf({ staticData }).caller, `before ${nodeId}`, staticData);
		const wrong = await checkHeaders(nodeId, staticData, { 'x-any': signed(secrets.former) });
		expect(wrong.checked).toEqual({ authentic: false, reason: 'wrong signature' });
		expect(putBackNewerKey(wrong.caller, following)).toBe(false);
		const { caller } = await checkHeaders(nodeId, staticData, { 'x-any': signed(following[1].secret) });
		expect(putBackNewerKey(caller, following)).toBe(true);
		expect(staticData.secret).toBe(following[1].secret);
	});

	test('may have the random header of the stored key or its own, and of no other', async () => {
		const { nodeId, older, key } = await rotated({ headerValue: 'stored' });
		const headers = { 'x-any': signed(key.secret) };
		for (const [value, authentic] of [
			['stored', true],
			[key.headerValue, true],
			['other', false],
		] as const) {
			const { checked } = await checkHeaders(nodeId, older, { ...headers, 'x-webhook-key': value });
			expect(checked.authentic).toBe(authentic);
		}
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
		expect(await checkAuthenticity(caller, 'costs nothing', owner, rawBody, {})).toEqual({ authentic: false, reason });
		expect(getCredentials).not.toHaveBeenCalled();
	});
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
