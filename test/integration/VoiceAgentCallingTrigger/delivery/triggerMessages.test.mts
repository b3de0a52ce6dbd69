import { messageKey, sendMessageTo } from '../../../message.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import {
	hmac,
	onAgent,
	type Published,
	publishTrigger,
	rawRegistration,
	send,
	storedRegistration,
} from '../../triggers.mts';

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

const message = async (
	content: object | string,
	{ to = trigger.url, ...how }: { to?: string; signedWith?: Buffer; signature?: string } = {},
) => await sendMessageTo(to, key, content, how);

const rotate = async (more: object = {}) => {
	const { webhookId } = storedRegistration(trigger.deployment) ?? {};
	return await message({ command: 'rotateSecret', webhookId, ...more });
};

/** Sends a delivery that is signed with a secret. @returns the status of the response */
async function deliverBy(secret: string): Promise<number> {
	const body = JSON.stringify({ id: `${Math.random()}` });
	return (await send(trigger.url, body, { 'x-signature': hmac(secret, body) })).status;
}

/** A delivery of the service is accepted. */
async function expectAccepted(): Promise<void> {
	expect((await service.deliver({ webhookId: trigger.webhookId })).attempts).toMatchObject([{ status: 200 }]);
}

const puts = async () => await service.requests('PUT', '/webhooks/');

describe('the message check', () => {
	const check = { command: 'check' };

	test('is answered with the registration, and with a proof', async () => {
		expect(await message(check)).toMatchObject({
			status: 200,
			proven: true,
			body: {
				registered: {
					source: 'campaign',
					ownerId: service.seed.campaigns.active,
					webhookId: trigger.webhookId,
				},
				events: ['campaign_call.completed'],
				includeCallEvents: false,
			},
		});
		await trigger.deployment.edit('Trigger', {
			parameters: { options: { includeCallEvents: true, additionalEvents: 'event_recording' } },
		});
		expect((await message(check)).body).toMatchObject({
			events: ['campaign_call.completed', 'event_recording'],
			includeCallEvents: true,
		});
		trigger = await publishTrigger(service, onAgent(service));
		expect((await message(check)).body).toEqual({
			registered: { source: 'agent', ownerId: service.seed.agents.published, webhookId: trigger.webhookId },
			events: ['event_phone_call_ended'],
			includeCallEvents: false,
			oldSecret: false,
		});
	});

	test('starts no execution and sends no request to the service', async () => {
		const before = (await service.requests()).length;
		await message(check);
		expect(trigger.instance.executions).toEqual([]);
		expect(await service.requests()).toHaveLength(before);
	});

	test('from a sender without the credential gets the response to an unsigned delivery', async () => {
		const stranger = await messageKey('another token');
		const log = harness.logLines.length;
		const replies = [
			await message(check, { signedWith: stranger }),
			await message(check, { signature: 'f'.repeat(64) }),
			await message(check, { signature: 'short' }),
			await message({ ...check, at: Date.now() - 301_000 }),
			await message({ ...check, at: Date.now() + 301_000 }),
			await message({ ...check, at: 'now' }),
			await message({ ...check, at: null }),
			await message(check, { signedWith: Buffer.from(trigger.secret) }),
			// Signed with the secret of deliveries.
			await message(check, { signedWith: Buffer.from(trigger.secret, 'hex') }),
			await message('"check"'),
			await message('[]'),
		];
		expect(replies.map(({ status, text, proven }) => [status, text, proven])).toEqual(
			replies.map(() => [401, 'Unauthorized', false]),
		);
		expect(trigger.instance.executions).toEqual([]);
		const warnings = harness.logLines.slice(log).filter(({ level }) => level === 'warn');
		expect(warnings).toHaveLength(replies.length);
	});

	test('is not an event, and an event is not a message', async () => {
		const body = JSON.stringify({ command: 'rotateSecret', at: Date.now() });
		expect((await send(trigger.url, body, { 'x-signature': hmac(trigger.secret, body) })).status).toBe(200);
		expect(trigger.instance.executions).toMatchObject([{ items: [{ command: 'rotateSecret' }] }]);
		expect(await puts()).toEqual([]);
		expect(await message({ event: 'campaign.paused' })).toMatchObject({ status: 400, proven: true });
		expect(trigger.instance.executions).toHaveLength(1);
	});
});

describe('the message rotateSecret', () => {
	test('sets a new secret, stores it, and accepts the old one for an hour', async () => {
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
		const { secret, former } = storedRegistration(trigger.deployment);
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		expect(former).toEqual([{ secret: trigger.secret, until: acceptedUntil }]);
		expect((await puts()).map((request) => request.body)).toEqual([{ webhook_secret: secret }]);
		expect([await deliverBy(secret), await deliverBy(trigger.secret), await deliverBy('another')]).toEqual([
			200, 200, 401,
		]);
		await expectAccepted();
	});

	test('lets the old secret expire after an hour', async () => {
		await rotate();
		const stored = storedRegistration(trigger.deployment);
		const raw = rawRegistration(trigger.deployment);
		trigger.deployment.restoreStaticData({
			'node:Trigger': { ...raw, former: raw.former?.map((key) => ({ ...key, until: Date.now() - 1 })) } as never,
		});
		expect([await deliverBy(trigger.secret), await deliverBy(stored.secret)]).toEqual([401, 200]);
		await rotate();
		expect(storedRegistration(trigger.deployment).former).toEqual([
			{ secret: stored.secret, until: expect.any(Number) },
		]);
	});

	test('loses no delivery during the rotation', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'latency', ms: 200 });
		const rotated = rotate();
		await until(async () => (await puts()).length === 1);
		const { webhook_secret: next } = (await puts())[0]?.body as { webhook_secret: string };
		expect([await deliverBy(trigger.secret), await deliverBy(next)]).toEqual([200, 200]);
		expect((await rotated).status).toBe(200);
		expect([await deliverBy(trigger.secret), await deliverBy(next)]).toEqual([200, 200]);
		await expectAccepted();
	});

	test('rotates once for concurrent messages, and answers all of them', async () => {
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
		await expectAccepted();
	});

	test('keeps accepting the secrets of the last hour after several rotations', async () => {
		const secrets = [trigger.secret];
		for (let time = 0; time < 3; time += 1) {
			await rotate();
			secrets.push(storedRegistration(trigger.deployment).secret);
		}
		expect(new Set(secrets).size).toBe(4);
		for (const secret of secrets) {
			expect(await deliverBy(secret)).toBe(200);
		}
		await expectAccepted();
	});

	test('does not rotate again for a replayed message', async () => {
		const replayed = JSON.stringify({ command: 'rotateSecret', webhookId: trigger.webhookId, at: Date.now() });
		const first = await message(replayed);
		const { secret } = storedRegistration(trigger.deployment);
		expect(await message(replayed)).toEqual(first);
		expect(await puts()).toHaveLength(1);
		expect(storedRegistration(trigger.deployment).secret).toBe(secret);
	});

	test('reports that the webhook does not exist, and keeps the old secret', async () => {
		const before = storedRegistration(trigger.deployment);
		await service.api('DELETE', `campaigns/${service.seed.campaigns.active}/webhooks/${trigger.webhookId}`);
		const reply = await rotate();
		expect(reply).toMatchObject({
			status: 502,
			proven: true,
			body: { rotated: false, code: expect.any(String), message: 'Webhook not found' },
		});
		expect(storedRegistration(trigger.deployment)).toEqual(before);
		expect(await deliverBy(trigger.secret)).toBe(200);
		expect(JSON.stringify(reply)).not.toContain(((await puts())[0]?.body as { webhook_secret: string }).webhook_secret);
	});

	test('can be repeated after a refusal by the service', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'status', status: 429, times: 1 });
		expect((await rotate()).body).toMatchObject({ rotated: false });
		expect((await rotate()).body).toMatchObject({ rotated: true });
		await expectAccepted();
	});

	test.each(['drop-before', 'drop-after'] as const)(
		'accepts both secrets while it is unknown which one the service has (%s)',
		async (kind) => {
			await service.fault({ match: { method: 'PUT' }, kind, times: 1 });
			expect(await rotate()).toMatchObject({ status: 502, proven: true, body: { rotated: 'unknown' } });
			const { secret, former } = storedRegistration(trigger.deployment);
			expect(former).toEqual([{ secret: trigger.secret }]);
			expect([await deliverBy(secret), await deliverBy(trigger.secret)]).toEqual([200, 200]);
			await expectAccepted();
			// The next message sends the same new secret again, so that there is no third one.
			expect((await rotate()).body).toMatchObject({ rotated: true });
			expect(storedRegistration(trigger.deployment)).toMatchObject({
				secret,
				former: [{ secret: trigger.secret, until: expect.any(Number) }],
			});
			await expectAccepted();
		},
	);

	test('is completed by the next edit if its response was lost', async () => {
		await service.fault({ match: { method: 'PUT' }, kind: 'drop-after', times: 1 });
		await rotate();
		await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		const { webhookId, former = [] } = storedRegistration(trigger.deployment);
		expect(former.map((one) => typeof one.until)).toEqual(['number', 'number']);
		expect((await service.deliver({ webhookId })).attempts).toMatchObject([{ status: 200 }]);
	});

	test('updates the webhook of the current campaign, after another one was selected', async () => {
		await trigger.deployment.edit('Trigger', { parameters: { campaign: byId(service.seed.campaigns.paused) } });
		const { webhookId } = storedRegistration(trigger.deployment);
		await rotate();
		expect((await puts()).map(({ path }) => path)).toEqual([
			`/api/v1/campaigns/${service.seed.campaigns.paused}/webhooks/${webhookId}`,
		]);
	});

	test('explains what to do if nothing is registered', async () => {
		trigger.deployment.restoreStaticData({});
		expect(await rotate()).toMatchObject({
			status: 502,
			body: { rotated: false, code: 'NOT_REGISTERED', advice: expect.stringContaining('publish') },
		});
	});

	test('for another webhook that leads here rotates nothing, and says which one is registered', async () => {
		for (const webhookId of ['another', undefined]) {
			expect(await rotate({ webhookId })).toMatchObject({
				status: 409,
				proven: true,
				body: { rotated: false, registered: { webhookId: trigger.webhookId } },
			});
		}
		expect(await puts()).toEqual([]);
	});

	test('is refused at the test URL', async () => {
		await trigger.deployment.listenForTest();
		const to = trigger.url.replace('/webhook/', '/webhook-test/');
		expect(await message({ command: 'rotateSecret' }, { to })).toMatchObject({ status: 409, body: { rotated: false } });
		expect(await puts()).toEqual([]);
	});
});
