import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { activeNumbers, agentState } from '../../../../nodes/VoiceAgentCalling/callRules/agent.ts';
import { AGENT, FORBIDDEN, has, serviceOf, serviceWith, UNREADABLE } from './service.mts';

beforeAll(loadCountries);

const withFlow = (flow: unknown, agent: object = {}) =>
	agentState(serviceWith({ 'agents/ada': has({ ...AGENT, ...agent }), 'agents/ada/flow': has(flow) }).api, 'ada');

describe('an agent', () => {
	test.each([
		['that is published, outbound and has an active number can call', {}, []],
		['with the status of the public documentation can call', { current_status: 'active' }, []],
		['that is a draft cannot call', { current_status: 'draft' }, ['AGENT_INACTIVE']],
		['without a status cannot call', { current_status: undefined }, ['AGENT_INACTIVE']],
		['that takes calls cannot call', { direction: 'inbound' }, ['AGENT_NOT_OUTBOUND']],
		['without a direction cannot call', { direction: undefined }, ['AGENT_NOT_OUTBOUND']],
		['can call with one active number of several', { phone_numbers: [{}, null, ...AGENT.phone_numbers] }, []],
		['whose numbers are inactive', { phone_numbers: [{ current_status: 'inactive' }] }, ['NO_ACTIVE_NUMBER']],
		['whose numbers cannot be read', { phone_numbers: 'active' }, ['NO_ACTIVE_NUMBER']],
	])('%s', async (_what, agent, codes) => {
		const { findings } = await agentState(serviceOf({ agent: agent as never }).api, 'ada');
		expect(findings.map(({ code }) => code)).toEqual(codes);
	});

	test('that does not exist has one finding, and no variables', async () => {
		expect(await agentState(serviceWith({}).api, 'ada')).toEqual({
			exists: false,
			placeholders: [],
			readsFlow: true,
			findings: [expect.objectContaining({ code: 'AGENT_NOT_FOUND' })],
		});
	});

	test('is read once in a run, and its flow only if it exists', async () => {
		const { api, read } = serviceOf({});
		expect(await agentState(api, 'ada')).toMatchObject({ exists: true, readsFlow: true });
		await agentState(api, 'ada');
		await agentState(api, 'eve');
		expect(read()).toEqual(['agents/ada', 'agents/ada/flow', 'agents/eve']);
	});

	test.each(UNREADABLE)('with %s in its place or that of its flow may not be called ready', async (_what, answer) => {
		await expect(agentState(serviceWith({ 'agents/ada': answer }).api, 'ada')).rejects.toThrow();
		const { api } = serviceWith({ 'agents/ada': has(AGENT), 'agents/ada/flow': answer });
		await expect(agentState(api, 'ada')).rejects.toThrow();
	});
});

describe('the variables of an agent', () => {
	test('are in all of its texts, but not in trainings that are inactive', async () => {
		const trainings = [
			{ subject: '{{subject}}', instructions: '{{price}}', current_status: 'active' },
			{ subject: '{{old}}', current_status: 'inactive' },
			{ instructions: '{{new}}' },
			null,
		];
		const agent = { initial_message: 'Hello {{name}}', description: '{{product}}', trainings };
		const { placeholders } = await withFlow({ flow_config: { nodes: [{ content: 'On {{day}}' }] } }, agent);
		expect(placeholders).toEqual(['name', 'product', 'subject', 'price', 'new', 'day']);
		expect((await withFlow({ flow_config: {} }, { trainings: '{{text}}' })).placeholders).toEqual([]);
	});

	test('may be others, in the texts that are said, if those have another notation', async () => {
		const agent = {
			name: 'Ada',
			initial_message: 'Hi {a}',
			description: 'Say %b%',
			trainings: [
				{ subject: '[[c]]', instructions: '{d}' },
				{ instructions: '{old}', current_status: 'inactive' },
			],
		};
		const { note } = await withFlow({ flow_config: { nodes: [{ content: '{e}', code: '{f}' }, null] } }, agent);
		expect(note).toContain(
			'"{a}" (first message), "%b%" (prompt), "[[c]]" (subject of a training), "{d}" (training "[[c]]"), "{e}" (flow).',
		);
		expect((await withFlow({ flow_config: null }, { description: 'Say {{a}}' })).note).toBeUndefined();
		expect((await withFlow({ flow_config: null }, { description: '{a}', name: ' ' })).note).toContain('agent "ada"');
	});

	test.each([
		['the language model leads', { conversation_mode: 'llm_driven' }, true],
		['it says nothing of the mode', { flow_config: null }, true],
		['the flow leads', { conversation_mode: 'flow_driven', flow_config: null }, false],
		['there may be a flow', { conversation_mode: 'mixed' }, false],
		['the flow is a text', { flow_config: 'flow' }, false],
	])('without a flow, if %s, are known: %j', async (_what, flow, known) => {
		const result = await withFlow(flow).catch((error) => error);
		expect(result).toMatchObject(known ? { exists: true, readsFlow: true } : { code: 'UNREADABLE_ANSWER' });
	});

	test('may be more, if the token may not read the flow', async () => {
		const agent = { ...AGENT, description: 'Hello {{name}}' };
		const { api } = serviceWith({ 'agents/ada': has(agent), 'agents/ada/flow': FORBIDDEN });
		expect(await agentState(api, 'ada')).toMatchObject({ exists: true, placeholders: ['name'], readsFlow: false });
	});
});

test('the calls in progress of an agent are those of each such status, however the service writes their numbers', async () => {
	const { api, requests } = serviceWith({
		'agents/ada/calls?status=initiated': has([{ to: '+1 202 555 0111' }]),
		'agents/ada/calls?status=ringing': has([{ to: '+12025550122' }]),
		'agents/ada/calls': has([]),
	});
	expect([...(await activeNumbers(api, 'ada'))]).toEqual(['+12025550111', '+12025550122']);
	await activeNumbers(api, 'ada');
	expect(requests).toMatchObject(
		['initiated', 'ringing', 'answered'].map((status) => ({ path: ['agents', 'ada', 'calls'], query: { status } })),
	);
});
