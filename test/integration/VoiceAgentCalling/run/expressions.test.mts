import type { NodeSpec } from '../../harness.mts';
import { byId, to, useService } from '../../service.mts';

const service = useService();

type Of = (more: object) => NodeSpec['parameters'];

const call: Of = (more) => service.place({}, { phoneNumber: '+12025550101', ...more });
const queue: Of = (more) => service.queue({}, { phoneNumber: '+12025550101', ...more });
const updating = (resource: string, updateFields: object) => ({
	resource,
	operation: 'update',
	updateFields: updateFields as never,
});
const updateCampaign: Of = (fields) => ({
	...updating('campaign', fields),
	campaign: byId(service.seed.campaigns.draft),
});
const updateAgent: Of = (fields) => ({ ...updating('agent', fields), agent: byId(service.seed.agents.published) });
const getMany: Of = (filters) => ({ resource: 'campaign', operation: 'getAll', filters: filters as never });

/** An expression that counts in n8n's data of the execution how often it was evaluated, and returns the number. */
const counting = (name: string) => {
	const data = `$execution.customData`;
	return `={{ (${data}.set("${name}", String(Number(${data}.get("${name}") ?? 0) + 1)), ${data}.get("${name}")) }}`;
};

test('n8n evaluates each expression once for each item, also where several fields need it', async () => {
	const parameters = queue({
		phoneNumber: '={{ $json.to }}',
		agentVariables: { mappingMode: 'defineBelow', value: { name: counting('name') } },
		options: { metadataFields: { values: [{ name: 'count', value: counting('metadata') }] } },
		sending: { maxConcurrentRequests: 1 },
	});
	await service.run(parameters, to('+12025550101', '+12025550102', '+12025550103'));
	const sent = (await service.requests('POST')).map(({ body }) => body);
	expect(sent).toMatchObject(['1', '2', '3'].map((count) => ({ context: { count }, payload: { name: count } })));
});

const nothing = '={{ $json.missing }}';
const contact = { metadataFields: { values: [{ name: 'contact', value: nothing }] } };

test.each<[string, Of, object]>([
	["'Delay (Seconds)'", call, { options: { delay: '={{ null }}' } }],
	['"contact" in \'Metadata\'', call, { options: contact }],
	["'Status'", getMany, { status: nothing }],
	["'Agent'", getMany, { agent: byId(nothing) }],
	["'End Date'", updateCampaign, { endDate: nothing }],
	["'Max Requests per Minute'", queue, { sending: { maxRequestsPerMinute: nothing } }],
])('an expression that gives nothing is an error, and %s does not count as not added', async (name, of, fields) => {
	const { run } = await service.run(of(fields));
	expect(run.error?.message).toContain(`${name} is empty: its expression has no value`);
	expect(await service.requests()).toEqual([]);
});

test.each<[string, Of, object]>([
	['Prompt', updateAgent, { prompt: '=You are Zara. Greet {{first_name}}.' }],
	['First Message', updateAgent, { firstMessage: '=Hello {{first_name}}' }],
	['Agent Variables', call, { agentVariables: { mappingMode: 'defineBelow', value: { name: '={{first_name}}' } } }],
])(
	'%s that n8n has made an expression sends nothing, instead of a text without its variable',
	async (field, of, value) => {
		const { run } = await service.run(of(value), [{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(run.error?.message).toContain(
			`'${field}' is an expression, in which n8n replaces {{first_name}} with nothing`,
		);
		expect((await service.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
	},
);

test('the same prompt, entered as Fixed, keeps its variable', async () => {
	await service.run(updateAgent({ prompt: 'You are Zara. Greet {{first_name}}.' }));
	expect(JSON.stringify(await service.requests('PUT'))).toContain('Greet {{first_name}}.');
});
