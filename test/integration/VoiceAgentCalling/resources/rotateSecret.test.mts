import { startReceiver } from '../../receiver.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, onAgent, publishTrigger, registered, send } from '../../triggers.mts';
import { runMixed } from './mixedItems.mts';
import { kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.reset();
	service.n8nUrl = undefined;
});

describe.each(kinds)('Rotate Secret: $owner', (kind) => {
	const { events, owner } = kind;
	const hooks = () => new Webhooks(service, kind);
	/** What is stored of all webhooks besides the secret and the URL, which say which one it is. */
	const settings = async () =>
		(await service.storedWebhooks()).map(
			({ webhook_secret: _, webhook_url: __, updated: ___, failing: ____, ...rest }) => rest,
		);
	const publish = async () => {
		const published = await publishTrigger(service, owner === 'agent' ? onAgent(service, events) : { events });
		service.n8nUrl = published.instance.url;
		return published;
	};
	/** Returns the failed item of a webhook whose secret cannot be rotated. */
	const refusal = async (id: string, from = service) => {
		const parameters = { ...hooks().parameters('rotateSecret'), [owner]: byId(kind.ownerOf(from)) };
		const { outputs } = await from.run(parameters, [{ id }], { node: { onError: 'continueRegularOutput' } });
		return outputs[0]?.[0]?.json;
	};

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
		const until = Date.parse(String(good[0]?.[0]?.oldSecretAcceptedUntil));
		expect(good).toMatchObject([[{ webhookId, rotated: true }]]);
		expect(until).toBeGreaterThan(Date.now());
		expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
		const [{ webhook_secret: now, webhook_url: address }] = await registered(service, deployment);
		expect(now).not.toBe(secret);
		expect(await settings()).toEqual(before);
		await service.deliver({ webhookId, event: events[0] });
		expect(await service.deliver({ webhookId, event: events[0], tamper: 'secret' })).toMatchObject({
			attempts: [{ status: 401 }],
		});
		expect(instance.executions).toHaveLength(2);
		expect(JSON.stringify(good)).not.toContain(now);
		// What was on its way, to the former URL and to the new one.
		for (const to of [url, address]) {
			const body = JSON.stringify({ id: to });
			expect((await send(to, body, { 'x-signature': hmac(secret, body) })).status).toBe(200);
		}
	});

	test.each(['drop-before', 'drop-after'] as const)(
		'loses no delivery if the answer of the service is lost (%s)',
		async (fault) => {
			const { webhookId, instance } = await publish();
			await service.fault({ match: { method: 'PUT' }, kind: fault, times: 20 });
			expect(await refusal(webhookId)).toMatchObject({ result: 'failed' });
			expect(await service.deliver({ webhookId, event: events[0] })).toMatchObject({ attempts: [{ status: 200 }] });
			expect(instance.executions).toHaveLength(1);
		},
	);

	test('gives the reason if no trigger on this n8n answers', async () => {
		const { url, deployment, instance } = await publish();
		const receiver = await startReceiver();
		expect(await refusal(await hooks().make(`${receiver}/200`))).toMatchObject({ code: 'NOT_ON_THIS_N8N' });
		expect(await refusal(await hooks().make(`${new URL(url).origin}/webhook/orders`))).toMatchObject({
			code: 'NOT_A_TRIGGER',
		});
		expect(await refusal(await hooks().make(url.replace('/webhook/', '/webhook-test/')))).toMatchObject({
			code: 'TEST_URL',
		});
		await deployment.unpublish();
		expect(await refusal(await hooks().make(url))).toMatchObject({ code: 'NOT_PUBLISHED' });
		await instance.close();
		expect(await refusal(await hooks().make(url))).toMatchObject({ code: 'NO_ANSWER' });
		expect(instance.executions).toEqual([]);
	});

	test('does not rotate the secret of a trigger with a different credential', async () => {
		const { url, deployment, secret } = await publish();
		const other = await startService({ token: 'another-token' });
		other.n8nUrl = service.n8nUrl;
		const { body } = await other.api('POST', `${owner}s/${kind.ownerOf(other)}/webhooks`, {
			name: 'Hook',
			webhook_url: url,
			events,
		});
		expect(await refusal((body.data as { id: string }).id, other)).toMatchObject({ code: 'TRIGGER_NOT_PROVEN' });
		expect((await registered(service, deployment))[0]?.webhook_secret).toBe(secret);
	});

	test('refuses a webhook that leads to the trigger of another one, and gives one made by hand the right secret', async () => {
		const { url, deployment, instance } = await publish();
		const other = owner === 'agent' ? service.seed.agents.draft : service.seed.campaigns.paused;
		const path = `${owner}s/${other}/webhooks`;
		const { body } = await service.api('POST', path, { name: 'By hand', webhook_url: url, events });
		const parameters = { ...hooks().parameters('rotateSecret'), [owner]: byId(other) };
		const items = [{ id: (body.data as { id: string }).id }];
		const { outputs } = await service.run(parameters, items, { node: { onError: 'continueRegularOutput' } });
		expect(outputs[0]).toMatchObject([{ json: { code: 'TRIGGER_OF_ANOTHER' } }]);
		expect(await service.requests('PUT')).toEqual([]);
		const byHand = await hooks().make(deployment.webhookUrl());
		await service.run(hooks().parameters('rotateSecret'), [{ id: byHand }]);
		await service.deliver({ webhookId: byHand, event: events[0] });
		expect(instance.executions).toHaveLength(1);
	});

	test('keeps the current secret if the service rejects the change', async () => {
		const { webhookId, secret, deployment } = await publish();
		await service.fault({
			match: { method: 'PUT' },
			kind: 'status',
			status: 403,
			body: { success: false, message: 'Not allowed.' },
		});
		expect(await refusal(webhookId)).toMatchObject({
			message: expect.stringContaining('Not allowed.'),
		});
		expect((await registered(service, deployment))[0]?.webhook_secret).toBe(secret);
	});
});
