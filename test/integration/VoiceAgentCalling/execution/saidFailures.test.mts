import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const body = { success: false, message: 'Down for the night.', data: [] };
const said = 'The service reports a failure: Down for the night.';

/** Operations by what they send and would say of it; all answers to requests with the method have `success: false`. */
const operations: Array<[string, string, (seed: Service['seed']) => Record<string, unknown>]> = [
	[
		'Set Status',
		'PATCH',
		({ campaigns }) => ({
			...{ resource: 'campaign', operation: 'setStatus', campaign: byId(campaigns.active), status: 'paused' },
		}),
	],
	[
		'Delete',
		'DELETE',
		({ campaigns }) => ({ resource: 'campaign', operation: 'delete', campaign: byId(campaigns.draft) }),
	],
	[
		'Update',
		'PUT',
		({ agents }) => ({
			...{ resource: 'agent', operation: 'update', agent: byId(agents.published) },
			updateFields: { temperature: 1 },
		}),
	],
	['Get Many', 'GET', () => ({ resource: 'campaign', operation: 'getAll', returnAll: true })],
	[
		'Check Before Calling',
		'GET',
		({ agents }) => ({
			...{ resource: 'call', operation: 'checkBeforeCalling', agent: byId(agents.published) },
			...{ phoneNumber: '+12025550111', agentVariables: { mappingMode: 'defineBelow', value: {} } },
		}),
	],
	[
		'Get Active',
		'GET',
		({ agents }) => ({
			...{ resource: 'call', operation: 'getActive', agent: byId(agents.published), phoneNumber: '+12025550111' },
		}),
	],
	[
		'Catch Up',
		'GET',
		({ campaigns }) => ({
			...{ resource: 'webhook', operation: 'catchUp', source: 'campaign', campaign: byId(campaigns.active) },
			webhook: byId('2f1b4f6e-0000-4000-8000-000000000000'),
		}),
	],
	[
		'a list of Make API Request',
		'GET',
		() => ({
			...{ resource: 'service', operation: 'makeApiRequest', path: '/campaigns', options: { returnAllPages: true } },
		}),
	],
];

test.each(operations)(
	'%s fails where the service answers 200 and says that it failed',
	async (_, method, parameters) => {
		await service.fault({ match: { method }, kind: 'status', status: 200, body, times: 100 });
		const { run } = await service.run(parameters(service.seed) as never);
		expect(run.error?.message).toContain(said);
	},
);

describe('Set Status', () => {
	const parameters = () => ({
		...{ resource: 'campaign', operation: 'setStatus' },
		...{ campaign: byId(service.seed.campaigns.active), status: 'paused' },
	});

	test.each([
		['no campaign, and it has another status', undefined, 'but the campaign is active, not paused'],
		['another status', { id: '1', status: 'active' }, 'but the campaign is active, not paused'],
		['no status, and it has another one', { id: '1' }, 'but the campaign is active, not paused'],
	])('does not say that it changed a campaign if the answer has %s', async (_, data, message) => {
		await service.fault({ match: { method: 'PATCH' }, kind: 'status', status: 200, body: { success: true, data } });
		const { run } = await service.run(parameters());
		expect(run.error?.message).toContain(message);
	});

	test('does not say that nothing changed if a request without an answer may have changed it', async () => {
		await service.fault({ match: { method: 'PATCH' }, kind: 'drop-after' });
		const { outputs } = await service.run(parameters());
		expect(outputs[0]).toMatchObject([{ json: { status: 'paused', changed: null } }]);
	});
});
