import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

/** An expression that counts in n8n's data of the execution how often it was evaluated, and returns the number. */
const counting = (name: string) => {
	const data = `$execution.customData`;
	return `={{ (${data}.set("${name}", String(Number(${data}.get("${name}") ?? 0) + 1)), ${data}.get("${name}")) }}`;
};

test('n8n evaluates each expression once for each item, also where several fields need it', async () => {
	await service.run(
		{
			resource: 'campaign',
			operation: 'queueCall',
			campaign: byId(service.seed.campaigns.active),
			phoneNumber: '={{ $json.to }}',
			agentVariables: { mappingMode: 'defineBelow', value: { name: counting('name') } },
			options: { metadataFields: { values: [{ name: 'count', value: counting('metadata') }] } },
			sending: { maxConcurrentRequests: 1 },
		},
		['+12025550101', '+12025550102', '+12025550103'].map((to) => ({ to })),
	);
	const sent = (await service.requests('POST')).map(({ body }) => body);
	expect(sent).toMatchObject(['1', '2', '3'].map((count) => ({ context: { count }, payload: { name: count } })));
});

describe('an expression that gives nothing is an error, and the option does not count as not added', () => {
	const campaign = (options: object) => ({
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		agent: byId(service.seed.agents.published),
		startDate: '2031-04-01',
		timezone: 'Europe/Berlin',
		options: options as never,
	});
	const nothing = '={{ $json.missing }}';

	test.each([
		['Do Not Call Numbers', () => campaign({ doNotCallNumbers: nothing })],
		['End Date', () => campaign({ endDate: '={{ $json.missing ?? "" }}' })],
		[
			'Delay (Seconds)',
			() => ({
				resource: 'call',
				operation: 'place',
				agent: byId(service.seed.agents.published),
				phoneNumber: '+12025550101',
				options: { delay: '={{ null }}' },
			}),
		],
		[
			'"contact" in \'Metadata',
			() => ({
				resource: 'call',
				operation: 'place',
				agent: byId(service.seed.agents.published),
				phoneNumber: '+12025550101',
				options: { metadataFields: { values: [{ name: 'contact', value: nothing }] } },
			}),
		],
		['Status', () => ({ resource: 'campaign', operation: 'getAll', returnAll: true, filters: { status: nothing } })],
		[
			'Agent',
			() => ({ resource: 'campaign', operation: 'getAll', returnAll: true, filters: { agent: byId(nothing) } }),
		],
		[
			'End Date',
			() => ({
				resource: 'campaign',
				operation: 'update',
				campaign: byId(service.seed.campaigns.draft),
				updateFields: { endDate: nothing },
			}),
		],
		[
			'Max Requests per Minute',
			() => ({
				resource: 'campaign',
				operation: 'queueCall',
				campaign: byId(service.seed.campaigns.active),
				phoneNumber: '+12025550101',
				sending: { maxRequestsPerMinute: nothing },
			}),
		],
	])('%s', async (name, parameters) => {
		const { run } = await service.run(parameters());
		expect(run.error?.message).toContain(`${name}' is empty: its expression has no value`);
		expect(await service.requests()).toEqual([]);
	});

	test('an empty field without an expression is not sent, and removes a value in Update Fields', async () => {
		await service.run({ resource: 'campaign', operation: 'getAll', filters: { status: '', agent: byId('') } });
		await service.run({
			resource: 'campaign',
			operation: 'update',
			campaign: byId(service.seed.campaigns.draft),
			updateFields: { endDate: '' },
		});
		expect(await service.requests()).toMatchObject([{ query: {} }, { body: { end_date: null } }]);
	});
});
