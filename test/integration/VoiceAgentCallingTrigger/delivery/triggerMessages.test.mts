import { messageKey, sendMessageTo } from '../../../message.mts';
import { harness } from '../../harness.mts';
import type { Service } from '../../service.mts';
import { byId, startService, until } from '../../service.mts';
import type { Published } from '../../triggers.mts';
import { hmac, keptBy, onAgent, publishTrigger, send } from '../../triggers.mts';

let service: Service;
let trigger: Published;
let key: Buffer;
beforeAll(async () => {
	service = await startService();
	key = await messageKey(service.token);
});
beforeEach(async () => {
	await service.reset();
	trigger = await publishTrigger(service);
});

const tell = async (
	message: object | string,
	{ to = trigger.url, ...how }: { to?: string; method?: string; signedWith?: Buffer; signature?: string } = {},
) => await sendMessageTo(to, key, message, how);

const rotate = async (more: object = {}) => await tell({ command: 'rotateSecret', ...more });

/** Delivers something signed with a secret; gives the status. */
async function deliverBy(secret: string, headers: Record<string, string> = {}): Promise<number> {
	const body = JSON.stringify({ id: `${Math.random()}` });
	return (await send(trigger.url, body, { 'x-signature': hmac(secret, body), ...headers })).status;
}

/** What the service itself delivers now arrives. */
async function serviceGetsThrough(): Promise<void> {
	expect((await service.deliver({ webhookId: trigger.webhookId })).attempts).toMatchObject([{ status: 200 }]);
}

const puts = async () => await service.requests('PUT', '/webhooks/');

describe('asked whether it is there', () => {
	const check = { command: 'check' };

	test('the trigger says what it listens to, and proves who it is', async () => {
		expect(await tell(check)).toMatchObject({
			status: 200,
			proven: true,
			body: {
				source: 'campaign',
				ownerId: service.seed.campaigns.active,
				events: ['campaign_call.completed'],
				includeCallEvents: false,
			},
		});
		await trigger.deployment.edit('Trigger', {
			parameters: { includeCallEvents: true, additionalEvents: 'event_recording' },
		});
		expect((await tell(check)).body).toMatchObject({
			events: ['campaign_call.completed', 'event_recording'],
			includeCallEvents: true,
		});
		trigger = await publishTrigger(service, { ...onAgent(service), options: { deliveryMethod: 'PUT' } });
		expect((await tell(check, { method: 'PUT' })).body).toEqual({
			source: 'agent',
			ownerId: service.seed.agents.published,
			events: ['event_phone_call_ended'],
			includeCallEvents: false,
		});
	});

	test('it starts nothing and asks the service nothing', async () => {
		const before = (await service.requests()).length;
		await tell(check);
		expect(trigger.instance.executions).toEqual([]);
		expect(await service.requests()).toHaveLength(before);
	});

	test('by whoever is not a node with its credential, it answers as to any unsigned delivery', async () => {
		const stranger = await messageKey('another token');
		const log = harness.logLines.length;
		const replies = [
			await tell(check, { signedWith: stranger }),
			await tell(check, { signature: 'f'.repeat(64) }),
			await tell(check, { signature: 'short' }),
			await tell({ ...check, at: Date.now() - 301_000 }),
			await tell({ ...check, at: Date.now() + 301_000 }),
			await tell({ ...check, at: 'now' }),
			await tell({ ...check, at: null }),
			await tell(check, { signedWith: Buffer.from(trigger.secret) }),
			// Signed by the service, as far as anybody can tell: still no message.
			await tell(check, { signedWith: Buffer.from(trigger.secret, 'hex') }),
			await tell('"check"'),
			await tell('[]'),
		];
		expect(replies.map(({ status, text, proven }) => [status, text, proven])).toEqual(
			replies.map(() => [401, 'Unauthorized', false]),
		);
		expect(trigger.instance.executions).toEqual([]);
		const warnings = harness.logLines.slice(log).filter(({ level }) => level === 'warn');
		expect(warnings).toHaveLength(replies.length);
	});

	test('it does not take a message for an event, nor the other way round', async () => {
		const body = JSON.stringify({ command: 'rotateSecret', at: Date.now() });
		expect((await send(trigger.url, body, { 'x-signature': hmac(trigger.secret, body) })).status).toBe(200);
		expect(trigger.instance.executions).toMatchObject([{ items: [{ command: 'rotateSecret' }] }]);
		expect(await puts()).toEqual([]);
		expect(await tell({ event: 'campaign.paused' })).toMatchObject({ status: 400, proven: true });
		expect(trigger.instance.executions).toHaveLength(1);
	});
});

describe('told to rotate its secret', () => {
	test('the trigger gives the service a new one, stores it, and lets the old one in for an hour', async () => {
		const before = Date.now();
		const { status, proven, body } = await rotate();
		expect({ status, proven, body }).toEqual({
			status: 200,
			proven: true,
			body: { rotated: true, oldSecretAcceptedUntil: expect.any(String) },
		});
		const acceptedUntil = Date.parse(String(body.oldSecretAcceptedUntil));
		expect(acceptedUntil - before).toBeGreaterThanOrEqual(3_600_000);
		expect(acceptedUntil - before).toBeLessThan(3_660_000);
		const { secret, former } = keptBy(trigger.deployment);
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		expect(former).toEqual([{ secret: trigger.secret, until: acceptedUntil }]);
		expect((await puts()).map((request) => request.body)).toEqual([{ webhook_secret: secret }]);
		expect([await deliverBy(secret), await deliverBy(trigger.secret), await deliverBy('another')]).toEqual([
			200, 200, 401,
		]);
		await serviceGetsThrough();
	});

	test('the old one is refused once the hour is over', async () => {
		await rotate();
		const kept = keptBy(trigger.deployment);
		trigger.deployment.restoreStaticData({
			'node:Trigger': { ...kept, former: [{ secret: trigger.secret, until: Date.now() - 1 }] } as never,
		});
		expect([await deliverBy(trigger.secret), await deliverBy(kept.secret)]).toEqual([401, 200]);
		await rotate();
		expect(keptBy(trigger.deployment).former).toEqual([{ secret: kept.secret, until: expect.any(Number) }]);
	});

	test('no delivery is lost while it happens', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'latency', ms: 200 });
		const rotated = rotate();
		await until(async () => (await puts()).length === 1);
		const { webhook_secret: next } = (await puts())[0]?.body as { webhook_secret: string };
		expect([await deliverBy(trigger.secret), await deliverBy(next)]).toEqual([200, 200]);
		expect((await rotated).status).toBe(200);
		expect([await deliverBy(trigger.secret), await deliverBy(next)]).toEqual([200, 200]);
		await serviceGetsThrough();
	});

	test('twice at the same time, it does it once, and both hear of it', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'latency', ms: 100 });
		const now = Date.now();
		const replies = await Promise.all([
			rotate({ at: now }),
			rotate({ at: now }),
			rotate({ at: now + 1 }),
			rotate({ at: now - 1 }),
		]);
		expect(replies.map(({ status, body }) => [status, body.rotated])).toEqual(replies.map(() => [200, true]));
		expect(await puts()).toHaveLength(1);
		await serviceGetsThrough();
	});

	test('again and again, it does, and knows the last ones', async () => {
		const secrets = [trigger.secret];
		for (let time = 0; time < 3; time += 1) {
			await rotate();
			secrets.push(keptBy(trigger.deployment).secret);
		}
		expect(new Set(secrets).size).toBe(4);
		for (const secret of secrets) {
			expect(await deliverBy(secret)).toBe(200);
		}
		await serviceGetsThrough();
	});

	test('by a message that somebody recorded, it does nothing more', async () => {
		const message = JSON.stringify({ command: 'rotateSecret', at: Date.now() });
		const first = await tell(message);
		const { secret } = keptBy(trigger.deployment);
		expect(await tell(message)).toEqual(first);
		expect(await puts()).toHaveLength(1);
		expect(keptBy(trigger.deployment).secret).toBe(secret);
	});

	test('of a webhook that the service does not have, it says so and keeps what it has', async () => {
		const before = keptBy(trigger.deployment);
		await service.api('DELETE', `campaigns/${service.seed.campaigns.active}/webhooks/${trigger.webhookId}`);
		const reply = await rotate();
		expect(reply).toMatchObject({
			status: 502,
			proven: true,
			body: { rotated: false, code: expect.any(String), message: expect.stringContaining('not know') },
		});
		expect(keptBy(trigger.deployment)).toEqual(before);
		expect(await deliverBy(trigger.secret)).toBe(200);
		expect(JSON.stringify(reply)).not.toContain(((await puts())[0]?.body as { webhook_secret: string }).webhook_secret);
	});

	test('and refused by the service for now, it can be told again', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'status', status: 429, times: 1 });
		expect((await rotate()).body).toMatchObject({ rotated: false });
		expect((await rotate()).body).toMatchObject({ rotated: true });
		await serviceGetsThrough();
	});

	test.each(['drop-before', 'drop-after'] as const)(
		'and without an answer from the service (%s), it accepts both until it knows',
		async (kind) => {
			await service.fault({ match: { method: 'PUT' }, kind, times: 1 });
			expect(await rotate()).toMatchObject({ status: 502, proven: true, body: { rotated: 'unknown' } });
			const { secret, former } = keptBy(trigger.deployment);
			expect(former).toEqual([{ secret: trigger.secret }]);
			expect([await deliverBy(secret), await deliverBy(trigger.secret)]).toEqual([200, 200]);
			await serviceGetsThrough();
			// Told again, it gives the service the same new one: no third one is about.
			expect((await rotate()).body).toMatchObject({ rotated: true });
			expect(keptBy(trigger.deployment)).toMatchObject({
				secret,
				former: [{ secret: trigger.secret, until: expect.any(Number) }],
			});
			await serviceGetsThrough();
		},
	);

	test('and without an answer, the next edit settles it', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'drop-after', times: 1 });
		await rotate();
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		const { webhookId, former = [] } = keptBy(trigger.deployment);
		expect(former.map((one) => typeof one.until)).toEqual(['number', 'number']);
		expect((await service.deliver({ webhookId })).attempts).toMatchObject([{ status: 200 }]);
	});

	test('with a random header, it changes that too and keeps the other headers', async () => {
		trigger = await publishTrigger(service, {
			options: { requireHeader: true, extraHeaders: { values: [{ name: 'X-One', value: '1' }] } },
		});
		const before = keptBy(trigger.deployment);
		await rotate();
		const now = keptBy(trigger.deployment);
		expect((await puts()).at(-1)?.body).toEqual({
			webhook_secret: now.secret,
			custom_headers: [
				{ key: 'X-One', value: '1' },
				{ key: 'X-Webhook-Key', value: now.headerValue },
			],
		});
		expect(now.headerValue).not.toBe(before.headerValue);
		const name = 'x-webhook-key';
		expect(await deliverBy(before.secret, { [name]: before.headerValue ?? '' })).toBe(200);
		expect(await deliverBy(before.secret)).toBe(401);
		expect(await deliverBy(now.secret)).toBe(401);
		await serviceGetsThrough();
	});

	test('while the workflow is published in a campaign that was changed since, it changes the right webhook', async () => {
		await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(service.seed.campaigns.paused) } });
		const { webhookId } = keptBy(trigger.deployment);
		await rotate();
		expect((await puts()).map(({ path }) => path)).toEqual([
			`/api/v1/campaigns/${service.seed.campaigns.paused}/webhooks/${webhookId}`,
		]);
	});

	test('where nothing is registered any more, it says what to do', async () => {
		trigger.deployment.restoreStaticData({});
		expect(await rotate()).toMatchObject({
			status: 502,
			body: { rotated: false, code: 'NOT_REGISTERED', advice: expect.stringContaining('publish') },
		});
	});

	test('at its test address, it keeps what it has', async () => {
		await trigger.deployment.listenForTest();
		const to = trigger.url.replace('/webhook/', '/webhook-test/');
		expect(await tell({ command: 'rotateSecret' }, { to })).toMatchObject({ status: 409, body: { rotated: false } });
		expect(await puts()).toEqual([]);
	});
});
