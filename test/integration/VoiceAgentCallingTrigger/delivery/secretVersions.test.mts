import { createHmac, hkdfSync } from 'node:crypto';

import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { byId, jsonOf, saidBy, startService, useService } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, registered, send } from '../../triggers.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const service = useService();
let trigger: Published;
let events = 0;
beforeEach(async () => {
	trigger = await publishTrigger(service);
	service.n8nUrl = trigger.instance.url;
});
afterEach(() => harness.restoreTime());

async function webhook(of = service): Promise<Registered> {
	const [only, ...others] = await registered(of, trigger.deployment);
	expect(others).toEqual([]);
	return only as Registered;
}

/** The status of the answer to a delivery, which is signed now. */
async function deliver(hook: Pick<Registered, 'webhook_url' | 'webhook_secret'>) {
	const body = JSON.stringify({ id: `event-${++events}` });
	return (await send(hook.webhook_url, body, { 'x-signature': hmac(hook.webhook_secret, body) })).status;
}
const statuses = async (...all: Registered[]) => await Promise.all(all.map(deliver));

async function rotate(of = service, webhookId = trigger.webhookId) {
	return await of.run({
		resource: 'webhook',
		operation: 'rotateSecret',
		campaign: byId(of.seed.campaigns.active),
		webhook: byId(webhookId),
	});
}

/** The secret is replaced after some hours. @returns the webhook as it was before */
async function former(): Promise<Registered> {
	const before = await webhook();
	harness.skipTime(3 * HOUR_MS);
	expect(jsonOf(await rotate())).toMatchObject([{ rotated: true }]);
	return before;
}

describe('A replaced secret', () => {
	test('is accepted for an hour after each of several rotations and publications, and no longer', async () => {
		const all = [await webhook()];
		harness.skipTime(3 * HOUR_MS);
		for (let time = 0; time < 3; time += 1) {
			harness.skipTime(10 * MINUTE_MS);
			await rotate();
			all.push(await webhook());
		}
		for (const [minutes, wanted] of [
			[35, [200, 200, 200, 200]],
			[10, [401, 200, 200, 200]],
			[20, [401, 401, 401, 200]],
		] as const) {
			harness.skipTime(minutes * MINUTE_MS);
			expect(await statuses(...all)).toEqual(wanted);
		}
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		all.push(await webhook());
		expect(await statuses(...all)).toEqual([401, 401, 401, 200, 200]);
		harness.skipTime(HOUR_MS + MINUTE_MS);
		expect(await statuses(...all)).toEqual([401, 401, 401, 401, 200]);
	});

	test('is not accepted because somebody names it as the former one of another, or names none', async () => {
		const replaced = await former();
		harness.skipTime(3 * HOUR_MS);
		const present = await webhook();
		const [made, now] = [replaced, present].map(({ webhook_url }) => new URL(webhook_url).searchParams.get('g'));
		const [base] = replaced.webhook_url.split('?');
		const campaign = `campaign=${service.seed.campaigns.active}`;
		for (const query of [
			`?${campaign}&g=${now}&f=${made}`,
			'',
			...['', '&g=1', '&g='].map((g) => `?${campaign}${g}`),
		]) {
			expect([query, await deliver({ ...replaced, webhook_url: `${base}${query}` })]).toEqual([query, 401]);
		}
		expect(await deliver(present)).toBe(200);
	});

	test('was replaced also if n8n has an older state of the workflow stored', async () => {
		const stored = trigger.deployment.storedStaticData();
		const replaced = await former();
		trigger.deployment.restoreStaticData(stored);
		harness.skipTime(HOUR_MS + MINUTE_MS);
		expect(await statuses(replaced, await webhook())).toEqual([401, 200]);
	});
});

describe('If the service drops or changes the query of the URL', () => {
	/** URLs that name less than the trigger has registered, or more. */
	const changed = (url: string) => {
		const [base, query = ''] = url.split('?');
		const [owner] = query.split('&');
		return [`${base}`, `${base}?${owner}`, `${url}&utm_source=x`, `${base}?${query.split('&').reverse().join('&')}`];
	};

	test('a trigger with one campaign accepts its deliveries, also after a rotation and hours later', async () => {
		for (const isLater of [false, true]) {
			if (isLater) {
				await former();
				harness.skipTime(2 * MINUTE_MS);
			}
			const present = await webhook();
			for (const webhook_url of changed(present.webhook_url)) {
				const forged = { webhook_url, webhook_secret: 'guess' };
				const seen = [webhook_url, await deliver({ ...present, webhook_url }), await deliver(forged)];
				expect(seen).toEqual([webhook_url, 200, 401]);
			}
		}
		const owner = { source: 'campaign', id: service.seed.campaigns.active };
		expect(trigger.instance.executions.map(({ items }) => items[0]?.webhookOwner)).toEqual(Array(8).fill(owner));
	});

	test.each([true, false])(
		'a test run accepts its deliveries (a webhook is published, too: %s)',
		async (isPublished) => {
			if (!isPublished) {
				await trigger.deployment.unpublish();
			}
			await trigger.deployment.listenForTest();
			const all = (await service.storedWebhooks()) as unknown as Registered[];
			const { webhook_url: url, ...test } = all.find((one) => one.webhook_url.includes('/webhook-test/')) as Registered;
			const [webhook_url] = url.split('?') as [string];
			expect(await deliver({ webhook_url, webhook_secret: 'guess' })).toBe(401);
			expect(await deliver({ ...test, webhook_url })).toBe(200);
			await trigger.instance.settled();
			await trigger.deployment.stopTest();
		},
	);

	test('and does not even store it, a trigger with one campaign accepts its deliveries, and is said to be right', async () => {
		const other = await startChangedService(
			(body) => JSON.parse(JSON.stringify(body).replaceAll(/("webhook_url":"[^"?]*)\?[^"]*/g, '$1')) as unknown,
		);
		trigger = await publishTrigger(other);
		other.n8nUrl = trigger.instance.url;
		const deliverPlain = async () =>
			await deliver({ ...(await webhook(other)), webhook_url: trigger.deployment.webhookUrl() });
		expect(await deliverPlain()).toBe(200);
		harness.skipTime(3 * HOUR_MS);
		expect(await deliverPlain()).toBe(200);
		// The service delivers with the query, but does not show it.
		const [stored] = (await other.storedWebhooks()).filter(({ id }) => id === trigger.webhookId);
		expect(await deliver(stored as unknown as Registered)).toBe(200);
		const campaign = byId(other.seed.campaigns.active);
		const check = await other.run({ resource: 'webhook', operation: 'checkRegistration', campaign });
		expect(jsonOf(check)).toMatchObject([{ ok: true, answers: true }]);
		expect(saidBy(await rotate(other))).toContain('Unpublish and publish');
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		expect(await deliverPlain()).toBe(200);
	});
});

test('After the token of the credential was changed, Rotate Secret makes the trigger accept the deliveries again', async () => {
	const before = await webhook();
	const other = await startService({ token: 'another-token' });
	// The same environment with another token: the webhook of the trigger is there.
	const { webhook_url, webhook_secret } = before;
	const hook = { name: 'Kept', webhook_url, webhook_secret, events: ['campaign_call.completed'] };
	const { body } = await other.api('POST', `campaigns/${other.seed.campaigns.active}/webhooks`, hook);
	expect(await deliver(before)).toBe(200);
	trigger.instance.setCredentials(other.credentials());
	// For ten seconds, the trigger goes on with what it knows of the credential.
	harness.skipTime(10_001);
	expect(await deliver(before)).toBe(401);
	other.n8nUrl = trigger.instance.url;
	await rotate(other, (body.data as { id: string }).id);
	expect(await statuses(await webhook(other), before)).toEqual([200, 401]);
});

test.each(['', undefined, ' \n', '\u200b'])(
	'While the credential has no token (%j), nobody starts the workflow or learns of it with the keys of an empty one',
	async (environmentToken) => {
		const present = await webhook();
		trigger.instance.setCredentials(service.credentials({ environmentToken }));
		harness.skipTime(10_001);
		const signed = (purpose: string, text: string) => {
			const key = Buffer.from(hkdfSync('sha256', '', '', `n8n-nodes-voice-agent-calling ${purpose}`, 32));
			return createHmac('sha256', key).update(text).digest('hex');
		};
		const url = trigger.deployment.webhookUrl();
		const path = new URL(url).pathname.split('/').slice(-2).join('/');
		const campaign = service.seed.campaigns.active;
		const identity = ['delivery', 'production', `/${path}`, 'campaign', campaign, Date.now()];
		const webhook_secret = signed('secrets', JSON.stringify(identity));
		expect(await deliver({ webhook_secret, webhook_url: `${url}?campaign=${campaign}&g=${identity.at(-1)}` })).toBe(
			503,
		);
		const message = JSON.stringify({ command: 'check', to: `/${path}`, at: Date.now() });
		const reply = await send(url, message, { 'x-voice-agent-calling-message': signed('messages', message) });
		expect(reply).toEqual({ status: 503, text: 'Try again' });
		// The service delivers the genuine event again, until the token is back.
		expect(await deliver(present)).toBe(503);
		expect(trigger.instance.executions).toEqual([]);
		trigger.instance.setCredentials(service.credentials());
		expect(await deliver(present)).toBe(200);
	},
);
