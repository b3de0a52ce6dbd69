import { harness, type NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, onAgent, type Published, publishTrigger, send, triggerNode } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterEach(async () => await service.reset());

/** Signs and sends an event. */
async function sendSigned({ url, secret }: Published, event: object): Promise<number> {
	const body = JSON.stringify(event);
	return (await send(url, body, { 'x-signature': hmac(secret, body) })).status;
}

describe('on an agent', () => {
	test('the trigger starts the workflow on events of its calls, also of those in a campaign', async () => {
		const ends = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const { instance } = await publishTrigger(service, onAgent(service, ends));
		const { published } = service.seed.agents;
		const expected: unknown[] = [];
		for (const [index, to] of ['+12025550001', '+12025550002', '+12025550004'].entries()) {
			const { body } = await service.api('POST', `agents/${published}/call`, { to, context: { contact: to } });
			const { id: call_id } = body.data as { id: string };
			expected.push(
				expect.objectContaining({ event: ends[index], agent_id: published, to, call_id, context: { contact: to } }),
			);
		}
		const { active } = service.seed.campaigns;
		const { body } = await service.api('POST', `campaigns/${active}/call`, { to: '+12025551001' });
		const { id: call_id } = body.campaign_call as { id: string };
		expected.push(expect.objectContaining({ event: ends[0], campaign_id: active, call_id }));
		await service.advance(300);
		await instance.settled();
		expect(instance.executions.map(({ items }) => items[0])).toEqualInAnyOrder(expected);
	});

	test('the list search returns agents', async () => {
		const { results } = await harness.listSearch({
			type: triggerNode(service).type,
			method: 'searchAgents',
			credentials: service.credentials(),
		});
		expect(results.map(({ value }) => value)).toContain(service.seed.agents.published);
	});
});

describe('a test delivery', () => {
	const tested = async (parameters: NodeSpec['parameters'], owner: string) => {
		const published = await publishTrigger(service, parameters);
		const { body } = await service.api('POST', `${owner}/webhooks/${published.webhookId}/test`);
		expect(body).toMatchObject({ success: true });
		await service.advance(1);
		return published;
	};
	const active = () => `campaigns/${service.seed.campaigns.active}`;
	const agent = () => `agents/${service.seed.agents.published}`;

	test('of a campaign or an agent is acknowledged and starts nothing, which is logged', async () => {
		const { length } = harness.logLines;
		for (const { instance } of [await tested({}, active()), await tested(onAgent(service), agent())]) {
			expect(instance.executions).toEqual([]);
		}
		expect((await service.deliveries()).map(({ status }) => status)).toEqual([200, 200]);
		const said = { level: 'info', message: expect.stringContaining('A test event of the service started nothing') };
		expect(harness.logLines.slice(length)).toEqual(expect.arrayContaining([expect.objectContaining(said)]));
	});

	test('starts the workflow if the option is set', async () => {
		const options = { testDeliveries: 'start' };
		const { instance } = await tested({ options }, active());
		expect(instance.executions).toMatchObject([{ items: [{ event: 'campaign_call.completed', test: true }] }]);
		const other = await tested({ ...onAgent(service), options }, agent());
		expect(other.instance.executions).toMatchObject([{ items: [{ event: 'webhook.test', test: true }] }]);
	});

	test('is an event of the kind webhook.test or with test: true, and no other', async () => {
		const published = await publishTrigger(service);
		for (const event of [{ event: 'webhook.test' }, { event: 'campaign.paused', test: true }]) {
			expect(await sendSigned(published, event)).toBe(200);
		}
		expect(published.instance.executions).toEqual([]);
		const real = [
			{ event: 'campaign.paused', test: false },
			{ event: 'campaign.paused', test: 'true' },
			{ event: 'webhook.tested' },
			{ event: 'campaign.paused', is_testing: true },
		];
		for (const event of real) {
			expect(await sendSigned(published, event)).toBe(200);
		}
		expect(published.instance.executions.map(({ items }) => items[0])).toMatchObject(real);
	});

	test('without a valid signature is refused', async () => {
		const { url } = await publishTrigger(service);
		const body = JSON.stringify({ event: 'webhook.test', test: true });
		expect((await send(url, body)).status).toBe(401);
		expect((await send(url, body, { 'x-signature': hmac('another', body) })).status).toBe(401);
	});

	test('always starts a test run in the editor', async () => {
		const { instance, deployment } = await publishTrigger(service);
		await deployment.listenForTest();
		const [, hook] = await service.webhooks(service.seed.campaigns.active);
		await service.api('POST', `${active()}/webhooks/${hook?.id}/test`);
		await service.advance(1);
		expect(instance.executions).toMatchObject([{ mode: 'manual', items: [{ test: true }] }]);
	});
});

test('the ID of the owner can be an expression', async () => {
	const { published } = service.seed.agents;
	const { webhookId } = await publishTrigger(service, { ...onAgent(service), agent: byId(`={{ "${published}" }}`) });
	expect(await service.webhooks(published, 'agents')).toMatchObject([{ id: webhookId }]);
});
