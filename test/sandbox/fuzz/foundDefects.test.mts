import { useStories } from '../story.mts';

/** Defects that random requests have found, each with its request. */
describe('what random requests have found', () => {
	const { service, play } = useStories({ startTime: Date.UTC(2030, 0, 7, 9) });
	const loads = async () => {
		expect(await service.control('snapshot', await service.snapshot())).toMatchObject({ success: true });
		await play([['GET /agents 200']]);
	};

	it('a snapshot can be loaded after a flow with mistakes was rejected, and the journal names them', async () => {
		const flow_config = { initial_node_id: 'a', nodes: [] };
		const fields = { flow_config: [expect.stringContaining('nodes')] };
		await play([
			['PUT /agents/{draftAgent}/flow 422', { conversation_mode: 'flow_driven', flow_config }],
			['GET /_sandbox/requests?limit=1 200', { items: [{ rejected: { fields } }] }],
		]);
		await loads();
	});

	it.each([1e308, 1e13, 3e11])('a snapshot can be loaded after a call was delayed by %d seconds', async (seconds) => {
		await play([
			['PUT /campaigns/{campaign} 200', { initial_call_delay: seconds }],
			['POST /campaigns/{campaign}/call 201', { to: '+12025550001' }],
		]);
		await loads();
	});

	it.each([
		{ 'bad name': 'x' },
		{ 'X-Text': 'a\nb' },
		{ 'X-Text': '€' },
		{ 'Content-Length': '5' },
		{ 'Transfer-Encoding': 'chunked' },
	])('a fault with headers that cannot be sent is refused: %j', async (headers) => {
		await play([
			['POST /_sandbox/faults 422', { kind: 'status', status: 418, headers }, 'headers'],
			['GET /agents 200'],
		]);
	});
});
