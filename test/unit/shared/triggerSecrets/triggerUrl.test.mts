import { createHmac } from 'node:crypto';

import type { Owner } from '../../../../nodes/shared/owner.ts';
import { deliverySecret } from '../../../../nodes/shared/triggerSecrets/deliverySecret.ts';
import { byAddress } from '../../../../nodes/shared/triggerSecrets/secretVersions.ts';
import {
	isSameAddress,
	isSameTrigger,
	isTestUrl,
	isTriggerUrl,
	triggerPathOf,
} from '../../../../nodes/shared/triggerSecrets/triggerUrl.ts';

const path = '11111111-2222-3333-4444-5555555555aa/webhook';
const url = `https://n8n.example/webhook/${path}`;
const test_ = `https://n8n.example/webhook-test/${path}`;

test('a test URL is told by its path', () => {
	expect([test_, url, 'https://webhook-test.example/webhook/1'].map(isTestUrl)).toEqual([true, false, false]);
	expect([url, test_, `${url}/more`, 'https://n8n.example/webhook/orders', 'no URL'].map(isTriggerUrl)).toEqual([
		true,
		false,
		false,
		false,
		false,
	]);
});

test.each([
	['host and port', `https://other.example:8443/webhook/${path}`],
	['folder', `https://n8n.example/tools/n8n/webhook/${path}`],
	['name of the endpoint', `https://n8n.example/hooks/${path}`],
])('another %s is the same trigger at another address', (_what, other) => {
	expect([triggerPathOf(other), isSameTrigger(url, other), isSameAddress(url, other)]).toEqual([
		`/${path}`,
		true,
		false,
	]);
});

test.each([
	['with a query', `${url}?campaign=c-1&g=1764100000000`],
	['with a slash at the end of its path', `${url}/?campaign=c-1&g=1764100000000`],
	['with capital letters in scheme and host', url.replace('https://n8n.example', 'HTTPS://N8N.Example')],
])('a URL %s is the same address', (_what, other) => {
	expect([triggerPathOf(other), isTriggerUrl(other), isSameTrigger(url, other), isSameAddress(url, other)]).toEqual([
		`/${path}`,
		true,
		true,
		true,
	]);
});

test.each([
	['trigger', url.replace('aa/', 'bb/')],
	['kind of run', test_],
	['path', `https://n8n.example/webhook/workflow/node/webhook`],
	['thing', 'no URL'],
])('another %s is another trigger', (_what, other) => {
	expect([isSameTrigger(url, other), isSameTrigger(other, url), isSameAddress(url, other)]).toEqual([
		false,
		false,
		false,
	]);
});

test('a URL without the ID of a webhook is told by its whole path', () => {
	const [one, other] = ['1', '2'].map((workflow) => `https://n8n.example/webhook/${workflow}/node/webhook`) as [
		string,
		string,
	];
	expect([triggerPathOf(one), isSameTrigger(one, other)]).toEqual(['/webhook/1/node/webhook', false]);
});

test('a webhook is that of a trigger by its address alone; the newest secret comes first, then the first ID', () => {
	const at = (id: string, address: string) => ({ id, webhook_url: address });
	const listed = [
		at('plain 1', url),
		at('0', `${url}?campaign=c-1&g=1764100000000`),
		at('b', `${url}?campaign=c-1&g=1764100000001`),
		at('a', `${url}?campaign=c-1&g=1764100000001`),
		at('moved', `https://other.example/webhook/${path}?campaign=c-1&g=1764100000009`),
		at('tried', `${test_}?campaign=c-1&g=1764100000009`),
		at('no URL', ''),
		at('plain 2', url),
	];
	expect(byAddress(listed, url).own.map(({ id }) => id)).toEqual(['a', 'b', '0', 'plain 1', 'plain 2']);
	expect(byAddress(listed, url).own[0]).toMatchObject({
		listed: listed[3],
		versions: { current: 1_764_100_000_001, previous: [] },
	});
});

test.each([
	[true, 'test'],
	[false, 'production'],
])('the secret of a registered webhook is still right after an update of the package (test: %s)', (isTest, run) => {
	const secrets = Buffer.alloc(32, '1');
	const of = JSON.stringify(['delivery', run, `/${path}`, 'campaign', 'c-1', 7]);
	const secret = createHmac('sha256', secrets).update(of).digest('hex');
	expect(deliverySecret({ secrets }, { url, isTest }, { ownerType: 'campaign', ownerId: 'c-1' }, 7)).toBe(secret);
});

test('each key, run, trigger, kind, ID, time and way to verify has a secret of its own; host, folder and endpoint do not count', () => {
	const keys = ['1', '2'].map((text) => ({ secrets: Buffer.alloc(32, text) }));
	const owners: Owner[] = ['a', 'b'].flatMap((ownerId) => [
		{ ownerType: 'campaign', ownerId },
		{ ownerType: 'agent', ownerId },
	]);
	const addresses = [url, url.replace('aa/', 'bb/')];
	const runs = addresses.flatMap((address) => [true, false].map((isTest) => ({ url: address, isTest })));
	const times = [1, 2].flatMap((time) => (['signature', 'header'] as const).map((by) => [time, by] as const));
	const secrets = keys.flatMap((key) =>
		runs.flatMap((run) => owners.flatMap((owner) => times.map((more) => deliverySecret(key, run, owner, ...more)))),
	);
	expect(new Set(secrets).size).toBe(128);
	expect(secrets.filter((secret) => !/^[0-9a-f]{64}$/.test(secret))).toEqual([]);
	const moved = { url: `http://other.example/x/hooks/${path}`, isTest: true };
	expect(deliverySecret(keys[0]!, moved, owners[0]!, 1)).toBe(secrets[0]);
});
