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
