import { asList, type Json } from '../client.mts';
import { useService } from '../use.mts';

/** What random requests have found, each with the request that showed it. */
describe('what random requests have found', () => {
	const service = useService({ startTime: Date.UTC(2030, 0, 7, 9) });

	const expectLoadable = async () => {
		expect(await service.control('snapshot', await service.snapshot())).toMatchObject({ success: true });
		expect((await service.api('GET', '/agents')).status).toBe(200);
	};

	it('a snapshot can be loaded after a flow with mistakes was rejected, and the journal names them', async () => {
		const flow = { conversation_mode: 'flow_driven', flow_config: { initial_node_id: 'a', nodes: [] } };
		const { status } = await service.api('PUT', `/agents/${service.seed.agents.draft}/flow`, flow);
		expect(status).toBe(422);
		const [request] = asList((await service.control('requests?limit=1')).items);
		expect(request?.rejected?.fields).toEqual({ flow_config: [expect.stringContaining('nodes')] });
		await expectLoadable();
	});

	it.each([1e308, 1e13, 3e11])('a snapshot can be loaded after a call was delayed by %d seconds', async (seconds) => {
		const campaign = service.seed.campaigns.active;
		await service.api('PUT', `/campaigns/${campaign}`, { initial_call_delay: seconds });
		expect((await service.api('POST', `/campaigns/${campaign}/call`, { to: '+12025550001' })).status).toBe(201);
		await expectLoadable();
	});

	it.each([
		{ 'bad name': 'x' },
		{ 'X-Text': 'a\nb' },
		{ 'X-Text': '€' },
		{ 'Content-Length': '5' },
		{ 'Transfer-Encoding': 'chunked' },
	])('a fault with headers that cannot be sent is refused: %j', async (headers) => {
		const fault = { kind: 'status', status: 418, headers };
		const { status, data } = await service.controlResponse('POST', 'faults', fault);
		expect([status, Object.keys(data.errors as Json)]).toEqual([422, ['headers']]);
		expect((await service.api('GET', '/agents')).status).toBe(200);
	});
});
