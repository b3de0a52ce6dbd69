import type { NodeSpec } from '../../harness.mts';
import { byId, useService } from '../../service.mts';

const service = useService();

type Parameters = NodeSpec['parameters'];

/** What AI models write who do not know a value: n8n does not check the parameters of community nodes. */
const mistakes: Array<[what: string, wrong: Parameters, right: string]> = [
	['a resource', { resource: 'calls' }, 'use one of call, campaign, agent,'],
	['an operation', { operation: 'placeCall' }, 'use one of checkBeforeCalling, end, getActive, getAll, place,'],
	['the agent, by its name', { agent: 'Odette' }, 'use an ID from Agent → Get Many'],
	[
		'variables without a mapping mode',
		{ agentVariables: { first_name: 'Ada' } },
		'defineBelow with the variables in value',
	],
];

test.each(mistakes)(
	'A wrong value for %s calls nobody, and the error says what is right',
	async (_what, wrong, right) => {
		const { run } = await service.run(
			{
				resource: 'call',
				operation: 'place',
				phoneNumber: '+12025550111',
				testCall: 'always',
				agent: byId(service.seed.agents.published),
				...wrong,
			},
			[{ name: 'Ada' }, { name: 'Ben' }, { name: 'Eva' }],
		);
		const { message, description } = run.error as Error & { description?: string };
		expect(`${message} ${description}`).toContain(right);
		expect(await service.requests('POST', '/call')).toEqual([]);
	},
);
