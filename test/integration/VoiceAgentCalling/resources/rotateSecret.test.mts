import { byId, goesOn, inFastTime, startService, useService } from '../../service.mts';
import { hmac, onAgent, publishTrigger, registered, send } from '../../triggers.mts';
import { runMixed } from './mixedItems.mts';
import { type Kind, kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

const service = useService();

const of = (kind: Kind) => {
	const { events, owner } = kind;
	const hooks = () => new Webhooks(service, kind);
	const publish = async () => {
		const published = await publishTrigger(service, owner === 'agent' ? onAgent(service, events) : { events });
		service.n8nUrl = published.instance.url;
		return published;
	};
	/** Returns the failed item of a webhook whose secret cannot be rotated. */
	const refusal = async (id: string, from = service, ownerId = kind.ownerOf(from)) => {
		const parameters = { ...hooks().parameters('rotateSecret'), [owner]: byId(ownerId) };
		const { outputs } = await from.run(parameters, [{ id }], { node: goesOn });
		return outputs[0]?.[0]?.json;
	};
	return { events, owner, hooks, publish, refusal };
};

describe.each(kinds)('Rotate Secret: $owner', (kind) => {
	const { events, owner, hooks, publish, refusal } = of(kind);
	/** What is stored of all webhooks besides the secret and the URL, which say which one it is. */
	const CHANGED = { webhook_secret: 0, webhook_url: 0, updated: 0, failing: 0 };
	const settings = async () => (await service.storedWebhooks()).map((stored) => ({ ...stored, ...CHANGED }));

	test('gives the trigger of each item a new secret, and no delivery is lost', async () => {
		const { webhookId, secret, deployment, instance, url } = await publish();
		const before = await settings();
		await service.deliver({ webhookId, event: events[0] });
		const { good, requests } = await runMixed(service, hooks().parameters('rotateSecret'), {
			good: [{ id: webhookId }],
			refused: { id: NOWHERE },
			wrong: { id: '' },
			code: 'NOT_FOUND',
		});
		expect(good).toMatchObject([[{ webhookId, rotated: true }]]);
		expect(Date.parse(String(good[0]?.[0]?.oldSecretAcceptedUntil))).toBeGreaterThan(Date.now());
		expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
		const [{ webhook_secret: now, webhook_url: address }] = await registered(service, deployment);
		expect(now).not.toBe(secret);
		expect(await settings()).toEqual(before);
		await service.deliver({ webhookId, event: events[0] });
		const forged = await service.deliver({ webhookId, event: events[0], tamper: 'secret' });
		expect(forged.attempts).toMatchObject([{ status: 401 }]);
		expect(instance.executions).toHaveLength(2);
		expect(JSON.stringify(good)).not.toContain(now);
		// What was on its way, to the former URL and to the new one.
		for (const to of [url, address]) {
			const body = JSON.stringify({ id: to });
			expect((await send(to, body, { 'x-signature': hmac(secret, body) })).status).toBe(200);
		}
	});

	test('refuses a webhook that leads to the trigger of another one, and gives one made by hand the right secret', async () => {
		const { url, deployment, instance } = await publish();
		const other = owner === 'agent' ? service.seed.agents.draft : service.seed.campaigns.paused;
		const refused = await refusal(await hooks().make(url, {}, other), service, other);
		expect(refused).toMatchObject({ code: 'TRIGGER_OF_ANOTHER' });
		expect(await service.requests('PUT')).toEqual([]);
		const byHand = await hooks().make(deployment.webhookUrl());
		await service.run(hooks().parameters('rotateSecret'), [{ id: byHand }]);
		await service.deliver({ webhookId: byHand, event: events[0] });
		expect(instance.executions).toHaveLength(1);
	});
});

describe('Rotate Secret', () => {
	const { events, publish, refusal } = of(kinds[0]);

	test.each(['drop-before', 'drop-after'] as const)(
		'loses no delivery if the answer of the service is lost (%s)',
		async (fault) => {
			const { webhookId, instance } = await publish();
			await service.fault({ match: { method: 'PUT' }, kind: fault, times: 20 });
			expect(await inFastTime(async () => await refusal(webhookId))).toMatchObject({ result: 'failed' });
			expect(await service.deliver({ webhookId, event: events[0] })).toMatchObject({ attempts: [{ status: 200 }] });
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
