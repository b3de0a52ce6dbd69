import { messageKey, sendMessageTo } from '../../../message.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, type Published, publishTrigger, send, storedRegistration } from '../../triggers.mts';

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
	service.n8nUrl = trigger.instance.url;
});

const message = async (command: string) =>
	await sendMessageTo(trigger.url, key, { command, webhookId: trigger.webhookId });
const rotate = async () => expect((await message('rotateSecret')).body).toMatchObject({ rotated: true });

/** The statuses of the trigger's responses to a delivery of the service. */
const delivered = async (tamper?: 'secret') =>
	(await service.deliver({ webhookId: trigger.webhookId, tamper })).attempts.map(({ status }) => status);

async function deliverBy(secret: string): Promise<number> {
	const body = JSON.stringify({ id: `${Math.random()}` });
	return (await send(trigger.url, body, { 'x-signature': hmac(secret, body) })).status;
}

/** The secrets that the service has received, the present one last. */
async function sentSecrets(): Promise<string[]> {
	const bodies = (await service.requests()).map(
		({ body }) => (body as { webhook_secret?: string } | undefined)?.webhook_secret,
	);
	return bodies.filter((secret) => secret !== undefined);
}

/** Runs something, after which n8n has the static data of before: a node of a running execution has written it back. */
async function writtenBack(run: () => Promise<unknown>): Promise<void> {
	const before = trigger.deployment.storedStaticData();
	await run();
	trigger.deployment.restoreStaticData(before);
}

const stored = () => storedRegistration(trigger.deployment);

describe('after another node of the workflow has written an older secret back', () => {
	test.each([1, 2])('the deliveries of the service are accepted, %i rotations later', async (rotations) => {
		await writtenBack(async () => {
			for (let time = 0; time < rotations; time += 1) {
				await rotate();
			}
		});
		expect(stored().secret).toBe(trigger.secret);
		expect([await delivered(), await delivered()]).toEqual([[200], [200]]);
		expect(await delivered('secret')).toEqual([401]);
		expect(trigger.instance.executions).toHaveLength(2);
	});

	test('a message finds it and puts the newer secret back, and accepts the older one for an hour', async () => {
		await writtenBack(rotate);
		expect(await delivered()).toEqual([200]);
		expect((await message('check')).body).toMatchObject({ oldSecret: true });
		const [present] = (await sentSecrets()).slice(-1);
		expect(stored()).toMatchObject({
			secret: present,
			former: [{ secret: trigger.secret, until: expect.any(Number) }],
			webhookId: trigger.webhookId,
		});
		expect((await message('check')).body).toMatchObject({ oldSecret: false });
		expect([await delivered(), await deliverBy(trigger.secret)]).toEqual([[200], 200]);
		expect(harness.logLines.at(-1)?.message).not.toContain(present);
	});

	test('Check Registration says so, once', async () => {
		await writtenBack(rotate);
		const campaign = byId(service.seed.campaigns.active);
		const check = async () => {
			const { outputs } = await service.run({ resource: 'webhook', operation: 'checkRegistration', campaign });
			return (outputs[0]?.[0]?.json as { problems: object[] }).problems;
		};
		expect(await check()).toMatchObject([
			{ code: 'OLD_SECRET', whatToDo: expect.stringContaining('workflow without the trigger') },
		]);
		expect(await check()).toEqual([]);
		expect(await delivered()).toEqual([200]);
	});

	test('the next rotation sends a secret that the service has not had', async () => {
		await writtenBack(rotate);
		await delivered();
		harness.skipTime(61_000);
		await rotate();
		harness.restoreTime();
		const secrets = await sentSecrets();
		expect(new Set(secrets).size).toBe(3);
		expect(stored().secret).toBe(secrets.at(-1));
		expect(await delivered()).toEqual([200]);
	});

	test('publishing sends a new secret although no setting differs, and no delivery is refused', async () => {
		await writtenBack(rotate);
		const [present = ''] = (await sentSecrets()).slice(-1);
		// The webhook stays at the service.
		await service.fault({ match: { method: 'DELETE' }, kind: 'status', status: 500, times: 3 });
		await trigger.deployment.unpublish();
		const { calls } = await trigger.deployment.publish();
		expect(calls).not.toContain('create');
		expect(stored().secret).toBe((await sentSecrets()).at(-1));
		expect(stored().secret).not.toBe(present);
		expect(await delivered()).toEqual([200]);
		// What the service had signed before arrives later.
		expect([await deliverBy(present), await deliverBy(trigger.secret)]).toEqual([200, 200]);
	});

	test('unpublishing and publishing sends a secret that the service has not had', async () => {
		await writtenBack(rotate);
		await trigger.deployment.unpublish();
		await trigger.deployment.publish();
		const secrets = await sentSecrets();
		expect(secrets).toHaveLength(3);
		expect(new Set(secrets).size).toBe(3);
		const [{ id } = { id: '' }] = await service.webhooks(service.seed.campaigns.active);
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	});

	test('an earlier publication of the trigger, the events of its new webhook are accepted', async () => {
		await writtenBack(async () => {
			await trigger.deployment.edit('Trigger', { parameters: { events: ['campaign.paused'] } });
		});
		const [{ id } = { id: '' }] = await service.webhooks(service.seed.campaigns.active);
		expect(id).not.toBe(trigger.webhookId);
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
		expect((await message('check')).body).toMatchObject({ registered: { webhookId: trigger.webhookId } });
		await trigger.deployment.unpublish();
		await trigger.deployment.publish();
		expect(await service.webhooks(service.seed.campaigns.active)).toMatchObject([{ id: stored().webhookId }]);
	});
});

test('who knows a secret, but not the token, cannot compute the one that follows', async () => {
	await rotate();
	const { secret } = stored();
	const guesses = [
		hmac(trigger.secret, trigger.secret),
		hmac('', trigger.secret),
		hmac(service.token, trigger.secret),
		hmac(trigger.secret, service.token),
	];
	expect(guesses).not.toContain(secret);
	expect(secret).toMatch(/^[0-9a-f]{64}$/);
	expect(await deliverBy(secret)).toBe(200);
});
