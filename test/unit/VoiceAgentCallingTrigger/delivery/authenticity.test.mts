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
