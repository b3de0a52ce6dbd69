import { byId, type Service, useService } from '../../service.mts';

const service = useService();

type Seed = Service['seed'];
type Of = (seed: Seed) => Record<string, unknown>;

const place: Of = ({ agents }) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(agents.published),
	phoneNumber: '+12025550111',
});
const setStatus: Of = ({ campaigns }) => ({
	resource: 'campaign',
	operation: 'setStatus',
	campaign: byId(campaigns.active),
	status: 'paused',
});

test.each<[name: string, method: string, Of]>([
	['Set Status', 'PATCH', setStatus],
	['Get Many', 'GET', () => ({ resource: 'campaign', operation: 'getAll', returnAll: true })],
	['Get Active', 'GET', (seed) => ({ ...place(seed), operation: 'getActive', otherNumber: '+12025550111' })],
])('%s fails where the service answers 200 and says that it failed', async (_, method, parameters) => {
	const body = { success: false, message: 'Down for the night.', data: [] };
	await service.fault({ match: { method }, kind: 'status', status: 200, body, times: 100 });
	const { run } = await service.run(parameters(service.seed) as never);
	expect(run.error?.message).toContain('The service reports a failure: Down for the night.');
});

test.each([undefined, { id: '1', status: 'active' }, { id: '1' }])(
	'Set Status does not say that it changed a campaign that has another status if the answer is %j',
	async (data) => {
		await service.answer('PATCH', 200, { success: true, data });
		const { run } = await service.run(setStatus(service.seed) as never);
		expect(run.error?.message).toContain('but the campaign is active, not paused');
	},
);

test('Set Status does not say that nothing changed if a request without an answer may have changed it', async () => {
	await service.fault({ match: { method: 'PATCH' }, kind: 'drop-after' });
	const { outputs } = await service.run(setStatus(service.seed) as never);
	expect(outputs[0]).toMatchObject([{ json: { status: 'paused', changed: null } }]);
});

test.each([
	{ success: true },
	{ success: true, data: {} },
	{ success: true, data: { status: 'initiated' } },
	{ success: true, data: {}, error: { message: 'Busy.' } },
	{ success: true, data: { id: '' } },
	{ campaign_call: { status: 'queued' }, campaign: { id: 'c' } },
])('a success with %j, without the ID of the call, counts as unknown: the phone may ring', async (body) => {
	const { agents, campaigns } = service.seed;
	const calls = [
		place(service.seed),
		{ ...place(service.seed), operation: 'placeAndWait', waitBy: 'polling' },
		{ ...place(service.seed), resource: 'campaign', operation: 'queueCall', campaign: byId(campaigns.active) },
		{
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `/agents/${agents.published}/call`,
			options: { body: '{"to":"+12025550111"}' },
		},
	];
	for (const parameters of calls) {
		await service.answer('POST', 200, body);
		const { run } = await service.run(parameters as never);
		expect(run.error).toMatchObject({ description: expect.stringContaining('The phone may be ringing.') });
	}
});
