import type { IDataObject } from 'n8n-workflow';

import { agentVariableColumns } from '../../../../nodes/VoiceAgentCalling/callRules/variableColumns.ts';
import type { Answer } from '../../n8n.mts';
import { runWith } from './runs.mts';
import { AGENT, CAMPAIGN, FORBIDDEN, has } from './service.mts';

const taught = { 'agents/ada': has({ ...AGENT, description: '{{name}} {{company.name}}' }) };

/** The columns for a node with these parameters. */
function columns(answers: Record<string, Answer>, parameters: IDataObject) {
	const { caller, read } = runWith(answers, { parameters });
	return { result: agentVariableColumns(caller), read };
}

const byAgent = (agent: unknown, more: IDataObject = {}) => ({ resource: 'call', agent, ...more }) as IDataObject;
const byCampaign = (campaign: unknown) => ({ resource: 'campaign', campaign, agent: 'eve' }) as IDataObject;
const stored = (schema: unknown) => ({ agentVariables: { value: { name: 'Ada' }, schema } }) as IDataObject;
const notice = (text: string | RegExp) => ({ fields: [], emptyFieldsNotice: expect.stringMatching(text) });

describe('the columns of Agent Variables', () => {
	test.each([
		['the agent', byAgent('ada')],
		['the agent of the campaign', byCampaign('spring')],
	])('are the variables of %s', async (_what, parameters) => {
		const { result } = columns({ ...taught, 'campaigns/spring': has(CAMPAIGN) }, parameters);
		expect(await result).toEqual({
			fields: ['name', 'company.name'].map((id) => ({
				id,
				displayName: id,
				type: 'string',
				required: false,
				defaultMatch: false,
				display: true,
			})),
			emptyFieldsNotice: expect.stringMatching(/^Variables of ada: name, company\.name\. For other names/),
		});
	});

	test('may be more, if the token may not read the flow', async () => {
		const { result } = columns({ ...taught, 'agents/ada/flow': FORBIDDEN }, byAgent('ada'));
		const { fields, emptyFieldsNotice } = await result;
		expect([fields.length, emptyFieldsNotice]).toEqual([2, expect.stringContaining('may not read')]);
	});

	test('are accompanied by the texts that may be variables in another notation, as HTML', async () => {
		const answers = { 'agents/ada': has({ ...AGENT, name: 'Ada', initial_message: 'Hi {name}, <name>' }) };
		const { emptyFieldsNotice } = await columns(answers, byAgent('ada')).result;
		expect(emptyFieldsNotice).toContain(
			'Agent Variables: Ada has none. The agent "Ada" may say as it is written: "{name}" (first message)',
		);
		expect(emptyFieldsNotice).toContain('"&lt;name&gt;"');
	});

	test.each([
		['an agent without variables', byAgent('ada'), /^Agent Variables: ada has none\.$/],
		['an agent that does not exist', byAgent('none'), 'The agent does not exist'],
		['a campaign that does not exist', byCampaign('none'), 'The campaign does not exist'],
		['a campaign without an agent', byCampaign('spring'), 'The campaign has no agent'],
		['a campaign whose agent is gone', byCampaign('summer'), 'The campaign has no agent'],
	])('with %s are replaced by a sentence', async (_what, parameters, text) => {
		const answers = {
			'agents/ada': has(AGENT),
			'campaigns/spring': has({ ...CAMPAIGN, agent_id: null }),
			'campaigns/summer': has({ ...CAMPAIGN, agent_id: 'gone' }),
		};
		expect(await columns(answers, parameters).result).toEqual(notice(text));
	});

	test.each(['', null, 5])('stay while the expression for the agent has no value: %j', async (agent) => {
		const schema = [{ id: 'name' }];
		const { result, read } = columns({}, byAgent(agent, stored(schema)));
		expect(await result).toEqual({ fields: schema, emptyFieldsNotice: expect.stringContaining('for the agent') });
		expect(read()).toEqual([]);
	});

	test.each([
		['an agent that does not exist', byAgent('none', stored([{ id: 'name' }])), 'The agent does not exist'],
		['a campaign that does not exist', { ...byCampaign('none'), ...stored([{ id: 'name' }]) }, 'The campaign does not'],
	])('that are stored stay with %s: the editor would delete their values', async (_what, parameters, text) => {
		const kept = { fields: [{ id: 'name' }], emptyFieldsNotice: expect.stringContaining(text) };
		expect(await columns({}, parameters).result).toEqual(kept);
	});

	test.each([undefined, null, { schema: 'name' }])('are none where none are stored: %j', async (agentVariables) => {
		const parameters = { ...byCampaign(''), agentVariables } as IDataObject;
		expect(await columns({}, parameters).result).toEqual(notice('for the campaign'));
	});

	test('that are stored stay if the variables cannot be read: the editor would delete their values', async () => {
		const answers = { 'agents/ada': { status: 500, body: { message: 'Broken <b>' } } };
		expect(await columns(answers, byAgent('ada')).result).toEqual(notice('Broken b'));
		expect(await columns(answers, byAgent('ada', stored([]))).result).toEqual(notice('cannot be read'));
		await expect(columns(answers, byAgent('ada', stored([{ id: 'name' }]))).result).rejects.toThrow('Broken');
	});
});
