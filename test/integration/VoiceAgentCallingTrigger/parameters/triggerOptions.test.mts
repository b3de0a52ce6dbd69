import { harness, type NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { onAgent, publishTrigger } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterEach(async () => await service.reset());

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
});

test('the ID of the owner can be an expression', async () => {
	const { published } = service.seed.agents;
	const { webhookId } = await publishTrigger(service, { ...onAgent(service), agent: byId(`={{ "${published}" }}`) });
	expect(await service.webhooks(published, 'agents')).toMatchObject([{ id: webhookId }]);
});
