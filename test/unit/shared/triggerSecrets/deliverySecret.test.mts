import { createHmac } from 'node:crypto';

import { acceptedAddress, deliverySecret } from '../../../../nodes/shared/triggerSecrets/deliverySecret.ts';

const keys = { secrets: Buffer.from('key'), fingerprint: 'abcdef' };
const target = { url: 'https://n8n.example/webhook/11111111-2222-3333-4444-5555555555aa/webhook', isTest: false };
const owner = { ownerType: 'campaign', ownerId: 'c-1' } as const;
const versions = { current: 1_764_100_000_004, previous: [1_764_100_000_003] };
const address = `${target.url}?campaign=c-1&g=1764100000004`;

/** Stored webhooks keep their secrets only if this stays as it is. */
const secret = (label: string, run = 'production') =>
	createHmac('sha256', keys.secrets)
		.update(
			JSON.stringify([
				label,
				run,
				'/11111111-2222-3333-4444-5555555555aa/webhook',
				'campaign',
				'c-1',
				versions.current,
			]),
		)
		.digest('hex');

test('the secrets that sign, and that are sent in a header, are derived for one owner, trigger, time and kind of run', () => {
	const own = (...more: [verifyBy?: 'header']) => deliverySecret(keys, target, owner, versions.current, ...more);
	expect([own(), own('header')]).toEqual([secret('delivery'), secret('delivery header')]);
	const test = { url: target.url.replace('/webhook/', '/webhook-test/'), isTest: true };
	expect(deliverySecret(keys, test, owner, versions.current)).toBe(secret('delivery', 'test'));
});

test('a webhook by signature gets its URL and its secret, and no header', () => {
	expect(acceptedAddress(keys, target, owner, versions, 'signature', [{ key: 'A', value: '1' }])).toEqual({
		webhook_url: `${address}&k=abcdef&f=1764100000003`,
		webhook_secret: secret('delivery'),
	});
});

test('a webhook by header also gets the header with its secret, once and beside the others', () => {
	const headers = ['A', 'x-voice-agent-calling-SECRET', 'Z'].map((key) => ({ key, value: '1' }));
	expect(acceptedAddress(keys, target, owner, versions, 'header', headers)).toEqual({
		webhook_url: `${address}&by=header&k=abcdef&f=1764100000003`,
		webhook_secret: secret('delivery'),
		custom_headers: [
			{ key: 'A', value: '1' },
			{ key: 'Z', value: '1' },
			{ key: 'X-Voice-Agent-Calling-Secret', value: secret('delivery header') },
		],
	});
});
