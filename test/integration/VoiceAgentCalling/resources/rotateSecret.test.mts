import { byId, goesOn, inFastTime, jsonOf, startService, useService } from '../../service.mts';
import { hmac, publishTrigger, registered, send } from '../../triggers.mts';
import { failed } from './items.mts';
import { kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

const service = useService();

const hooks = new Webhooks(service, kinds[0]);
const [event] = kinds[0].events;

/** Publishes a trigger of the active campaign on the n8n in which the operation runs. */
async function publish() {
	const published = await publishTrigger(service, { events: kinds[0].events });
	service.n8nUrl = published.instance.url;
	return published;
}

/** The failed item of a webhook whose secret cannot be rotated. */
async function refusal(id: string, from = service, campaign = from.seed.campaigns.active) {
	const parameters = { ...hooks.parameters('rotateSecret'), campaign: byId(campaign) };
	const { outputs } = await from.run(parameters, [{ id }], { node: goesOn });
	return outputs[0]?.[0]?.json;
}

/** What is stored of all webhooks besides the secret and the URL, which say which one it is. */
const CHANGED = { webhook_secret: 0, webhook_url: 0, updated: 0, failing: 0 };
const settings = async () => (await service.storedWebhooks()).map((stored) => ({ ...stored, ...CHANGED }));

describe('Rotate Secret', () => {
	test('gives the trigger of each item a new secret, and no delivery is lost', async () => {
		const { webhookId, secret, deployment, instance, url } = await publish();
		const before = await settings();
		await service.deliver({ webhookId, event });
		const items = [webhookId, NOWHERE, ''].map((id) => ({ id }));
		const results = jsonOf(await service.run(hooks.parameters('rotateSecret'), items, { node: goesOn }));
		expect(results).toMatchObject([{ webhookId, rotated: true }, failed('NOT_FOUND'), failed('INVALID_INPUT')]);
		expect(Date.parse(String(results[0]?.oldSecretAcceptedUntil))).toBeGreaterThan(Date.now());
		expect(await service.requests('PUT')).toHaveLength(1);
		const [{ webhook_secret: now, webhook_url: address }] = await registered(service, deployment);
		expect(now).not.toBe(secret);
		expect(JSON.stringify(results)).not.toContain(now);
		expect(await settings()).toEqual(before);
		await service.deliver({ webhookId, event });
		const forged = await service.deliver({ webhookId, event, tamper: 'secret' });
		expect(forged.attempts).toMatchObject([{ status: 401 }]);
		expect(instance.executions).toHaveLength(2);
		// What was on its way, to the former URL and to the new one.
		for (const to of [url, address]) {
			const body = JSON.stringify({ id: to });
			expect((await send(to, body, { 'x-signature': hmac(secret, body) })).status).toBe(200);
		}
	});

	test('refuses a webhook that leads to the trigger of another one, and gives one made by hand the right secret', async () => {
		const { url, deployment, instance } = await publish();
		const { paused } = service.seed.campaigns;
		const refused = await refusal(await hooks.make(url, {}, paused), service, paused);
		expect(refused).toMatchObject({ code: 'TRIGGER_OF_ANOTHER' });
		expect(await service.requests('PUT')).toEqual([]);
		const byHand = await hooks.make(deployment.webhookUrl());
		await service.run(hooks.parameters('rotateSecret'), [{ id: byHand }]);
		await service.deliver({ webhookId: byHand, event });
		expect(instance.executions).toHaveLength(1);
	});

	test('heals a webhook whose secret is from an earlier token, which Check Registration and waits report before', async () => {
		const { webhookId, url, instance } = await publish();
		const webhook_url = url.replace(/k=\w+/, 'k=000000');
		const path = `campaigns/${service.seed.campaigns.active}/webhooks/${webhookId}`;
		await service.api('PUT', path, { webhook_url, webhook_secret: 'from an earlier token' });
		const checked = async () => jsonOf(await service.run(hooks.parameters('checkRegistration'), [{}]));
		const problems = [expect.objectContaining({ code: 'SECRET_OF_OTHER_TOKEN' })];
		expect(await checked()).toMatchObject([{ ok: false, answers: false, problems }]);
		const waiting = service.queue({}, { operation: 'queueCallAndWait', waitBy: 'event' });
		const message = expect.stringContaining('does not name the token of the credential');
		expect(jsonOf(await service.run(waiting, [{ to: '+12025550001' }], { node: goesOn }))).toMatchObject([
			failed('NO_TRIGGER', { message }),
		]);
		const [rotated] = jsonOf(await service.run(hooks.parameters('rotateSecret'), [{ id: webhookId }]));
		expect(rotated).toMatchObject({ rotated: true, oldSecretAcceptedUntil: null });
		expect(await checked()).toMatchObject([{ ok: true, answers: true }]);
		await service.deliver({ webhookId, event });
		expect(instance.executions).toHaveLength(1);
	});

	test.each(['drop-before', 'drop-after'] as const)(
		'loses no delivery if the answer of the service is lost (%s)',
		async (fault) => {
			const { webhookId, instance } = await publish();
			await service.fault({ match: { method: 'PUT' }, kind: fault, times: 20 });
			expect(await inFastTime(async () => await refusal(webhookId))).toMatchObject({ result: 'failed' });
			expect(await service.deliver({ webhookId, event })).toMatchObject({ attempts: [{ status: 200 }] });
			expect(instance.executions).toHaveLength(1);
		},
	);

	test('does not rotate the secret of a trigger with a different credential', async () => {
		const { url, deployment, secret } = await publish();
		const other = await startService({ token: 'another-token' });
		other.n8nUrl = service.n8nUrl;
		const id = await new Webhooks(other, kinds[0]).make(url);
		expect(await refusal(id, other)).toMatchObject({ code: 'TRIGGER_NOT_PROVEN' });
		expect((await registered(service, deployment))[0]?.webhook_secret).toBe(secret);
	});
});
