import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'agentFlow',
	operation: name,
	agent: byId('={{ $json.agent }}'),
	...more,
});

const good = {
	initial_node_id: 'a',
	nodes: [
		{ id: 'a', type: 'say', content: 'Hi', next: 'b' },
		{ id: 'b', type: 'end' },
	],
};
const nowhere = { ...good, initial_node_id: 'nowhere' };
const twice = {
	initial_node_id: 'a',
	nodes: [
		{ id: 'a', type: 'end' },
		{ id: 'a', type: 'end' },
	],
};

describe('Agent Flow', () => {
	test('Validate returns a result for each flow, even for an invalid flow', async () => {
		const agent = service.seed.agents.published;
		const items = [
			...[good, nowhere, twice, 'not a flow'].map((flow) => ({ agent, flow })),
			{ agent: nobody, flow: good },
		];
		const sent = await expectItems(
			service,
			operation('validate', { flowSource: 'jsonForAgent', flow: '={{ $json.flow }}' }),
			items,
			[
				{ valid: true, service: { valid: true, errors: [] } },
				{ valid: false, service: { errors: expect.arrayContaining([expect.stringContaining('nowhere')]) } },
				{ valid: false, service: { errors: expect.arrayContaining([expect.stringContaining("'a'")]) } },
				failed('INVALID_INPUT', { message: expect.stringContaining("'Flow' is not valid JSON: line 1, column 2") }),
				failed('AGENT_NOT_FOUND'),
			],
		);
		expect(sent).toEqualInAnyOrder([
			['GET', `agents/${agent}/actions`],
			...[good, nowhere, twice].map((flow_config) => ['POST', `agents/${agent}/flow/validate`, { flow_config }]),
			['GET', `agents/${nobody}/actions`],
		]);
	});

	test('Validate and Update accept what Get returns', async () => {
		const { published, draft } = service.seed.agents;
		const write = operation('update', { flow: '={{ $json.flow }}' });
		await expectItems(service, write, [{ agent: published, flow: good }], [{ flow_config: good }]);
		const read = await service.run(operation('get'), [{ agent: published }]);
		const item = read.outputs[0]?.[0]?.json;
		expect(item).toEqual({ conversation_mode: 'flow_driven', flow_config: good });
		const items = [{ flow: item }, { flow: JSON.stringify([item], undefined, 2) }, { flow: good }].map((given) => ({
			...given,
			agent: draft,
		}));
		const checked = await expectItems(
			service,
			operation('validate', { flowSource: 'jsonForAgent', flow: '={{ $json.flow }}' }),
			items,
			items.map(() => ({ valid: true, service: { errors: [] } })),
		);
		// The same flow of the same agent is asked about once.
		const asked = checked.filter(([method]) => method === 'POST').map(([, , body]) => body);
		expect(asked).toEqual([{ flow_config: good }]);
		const written = await expectItems(
			service,
			write,
			items,
			items.map(() => ({ conversation_mode: 'flow_driven', flow_config: good })),
		);
		expect(written.filter(([method]) => method === 'PUT').map(([, , body]) => body)).toEqual(
			items.map(() => ({ conversation_mode: 'flow_driven', flow_config: good })),
		);
	});

	test('Validate takes the item of Get as it is', async () => {
		const { published } = service.seed.agents;
		await service.api('PUT', `agents/${published}/flow`, { conversation_mode: 'flow_driven', flow_config: good });
		const item = (await service.run(operation('get'), [{ agent: published }])).outputs[0]?.[0]?.json as object;
		const parameters = {
			...operation('validate', { flowSource: 'jsonForAgent', flow: '={{ $json }}' }),
			agent: byId(published),
		};
		await expectItems(service, parameters, [{ ...item }], [{ valid: true }]);
	});

	test('Update replaces the flow and keeps the status; an invalid flow fails with all its mistakes', async () => {
		const { published, draft } = service.seed.agents;
		const write = operation('update', { conversationMode: '={{ $json.mode }}', flow: '={{ $json.flow }}' });
		const items = [
			{ agent: published, mode: 'flow_driven', flow: good },
			{ agent: draft, mode: 'flow_driven', flow: { ...good, nodes: [{ id: 'b', type: 'say' }] } },
			{ agent: published, mode: 'flow_driven', flow: '' },
			{ agent: published, mode: 'sideways', flow: good },
			{ agent: nobody, mode: 'llm_driven', flow: good },
		];
		const sent = await expectItems(service, write, items, [
			{ conversation_mode: 'flow_driven', flow_config: good },
			failed('FLOW_INVALID', {
				message: expect.stringMatching(
					/has 4 errors\. The service reports: .*'a' does not exist.*'b' of type 'say' requires content.*as the service says/,
				),
			}),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Flow' is empty") }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Conversation Mode' cannot be") }),
			failed('AGENT_NOT_FOUND'),
		]);
		expect(sent).toEqualInAnyOrder([
			['POST', `agents/${published}/flow/validate`, { flow_config: good }],
			['PUT', `agents/${published}/flow`, { conversation_mode: 'flow_driven', flow_config: good }],
			['POST', `agents/${draft}/flow/validate`, { flow_config: items[1]?.flow }],
			['PUT', `agents/${nobody}/flow`, { conversation_mode: 'llm_driven' }],
		]);
		expect((await service.api('GET', `agents/${published}`)).body.data).toMatchObject({ current_status: 'published' });
	});

	test('Get reads the current flow, and Get Versions lists its versions', async () => {
		const { published, draft } = service.seed.agents;
		const write = operation('update', { conversationMode: '={{ $json.mode }}', flow: good });
		for (const mode of ['flow_driven', 'llm_driven', 'flow_driven']) {
			await service.run(write, [{ agent: published, mode }]);
		}
		const agents = [{ agent: published }, { agent: draft }, { agent: nobody }, { agent: '' }];
		const refused = [
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Agent' is empty") }),
		];
		const sent = await expectItems(service, operation('get'), agents, [
			{ conversation_mode: 'flow_driven', flow_config: good },
			{ conversation_mode: 'llm_driven', flow_config: null },
			...refused,
		]);
		expect(sent).toEqualInAnyOrder([published, draft, nobody].map((id) => ['GET', `agents/${id}/flow`]));

		const versions = (await service.api('GET', `agents/${published}/flow/versions`)).body.data as {
			versions: Array<{ is_current: boolean }>;
		};
		const { outputs } = await service.run(operation('getVersions', { returnAll: true }), agents.slice(0, 1));
		expect(outputs[0]?.map(({ json }) => json)).toEqual(versions.versions);
		expect(versions.versions.map(({ is_current }) => is_current)).toEqual([true, false, false]);
		expect((await service.run(operation('getVersions', { limit: 2 }), agents.slice(0, 1))).outputs[0]).toHaveLength(2);
		await expectItems(service, operation('getVersions'), agents.slice(2), refused);
	});
});
