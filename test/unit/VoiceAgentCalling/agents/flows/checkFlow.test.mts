import { ServiceError } from '../../../../../nodes/shared/errors/serviceError.ts';
import { checkFlow, type FlowCheck } from '../../../../../nodes/VoiceAgentCalling/agents/flows/checkFlow.ts';
import type { Answer } from '../../../n8n.mts';
import { has, serviceWith, UNREADABLE } from '../../callRules/service.mts';

const end = { id: 'end', type: 'end' };
const fine = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'say', content: 'A', next: 'end' }, end] };
const misspelled = { ...fine, nodes: [{ ...fine.nodes[0], next: 'edn' }, end] };
const booking = { ...fine, nodes: [{ id: 'a', type: 'action', action_id: 'act_1', next: 'end' }, end] };

const ACTIONS = 'agents/ada/actions';
const VALIDATION = 'agents/ada/flow/validate';
const accepted: Answer = { body: { success: true } };
const rejected = (errors: unknown, status = 200): Answer => ({ status, body: { success: false, errors } });

/** The check of a flow for the agent `ada`, of which the service says this. */
async function check(
	flow: Record<string, unknown>,
	answers: Record<string, Answer> = {},
	changes: Partial<FlowCheck> = {},
) {
	const { api, requests, read } = serviceWith(answers);
	const checked = await checkFlow(api, flow, { agentId: 'ada', readsActions: 'forActionNodes', ...changes });
	return {
		...checked,
		rules: checked.rules.map(({ rule }) => rule),
		requests,
		read: read(),
	};
}

const saying = (content: string, flow = fine) => ({ ...flow, nodes: [{ ...flow.nodes[0], content }, end] });
const MALFORMED = 'placeholder-malformed';

test.each<[string, Record<string, unknown>, string[], Partial<FlowCheck>?]>([
	['by the rules', saying('Hi {name}'), [MALFORMED]],
	['by the rules, which know what the service would refuse', misspelled, ['unknown-node']],
	['by the rules that are not ignored', saying('Hi {name}'), [], { ignored: [MALFORMED] }],
	['without values for placeholders', saying('Hi {{name}}'), []],
	['with values for placeholders', saying('Hi {{name}}'), ['placeholder-without-value'], { payload: {} }],
])('Without an agent, a flow is checked alone %s: %#', async (_what, flow, rules, changes = {}) => {
	const result = await check(flow, {}, { agentId: undefined, readsActions: 'always', ...changes });
	expect(result).toMatchObject({ valid: null, service: null, rules, read: [] });
	expect(result.notChecked).toEqual([expect.stringMatching(/^Only the rules .* JSON for an Agent\.$/)]);
});

describe('the service', () => {
	test('is asked about the flow, once in a run, and what it accepts is valid', async () => {
		const { api, requests } = serviceWith({ [VALIDATION]: accepted });
		const ada = { agentId: 'ada', readsActions: 'forActionNodes' } as const;
		for (const flow of [fine, fine, misspelled]) {
			expect(await checkFlow(api, flow, ada)).toMatchObject({
				valid: true,
				service: { valid: true, errors: [] },
				notChecked: [],
			});
		}
		expect(requests).toEqual([
			expect.objectContaining({ method: 'POST', body: { flow_config: fine }, repeat: 'check' }),
			expect.objectContaining({ method: 'POST', body: { flow_config: misspelled } }),
		]);
	});

	test.each<[string, Answer, errors: string[]]>([
		['with a list of errors', rejected(['Too long']), ['Too long']],
		['with errors that are objects', rejected([{ message: 'Too long' }, { at: 3 }]), ['Too long', '{"at":3}']],
		['with the errors of a field', rejected({ flow_config: 'Too long' }), ['flow_config: Too long']],
		[
			'with those of two fields',
			rejected({ nodes: ['Odd', 'Old'], meta: [''] }, 422),
			['nodes: Odd', 'nodes: Old', 'meta: ""'],
		],
		['with a list of errors and status 400', rejected(['Too long'], 400), ['Too long']],
		['with a message', { body: { success: false, message: 'Too long' } }, ['Too long']],
		['without a reason', rejected([]), []],
	])('rejects a flow %s: its words are its answer', async (_what, answer, errors) => {
		const result = await check(fine, { [VALIDATION]: answer });
		expect(result).toMatchObject({ valid: false, service: { valid: false, errors }, rules: [], notChecked: [] });
	});

	test('looks for errors itself, and the rules for warnings', async () => {
		const odd = saying('Hi {name}', misspelled);
		for (const [answer, valid] of [
			[accepted, true],
			[rejected(["Node 'a' references unknown next node 'edn'."]), false],
		] as const) {
			const checked = async (ignored: Array<'placeholder-malformed'>) =>
				await check(odd, { [VALIDATION]: answer }, { ignored });
			expect(await checked([])).toMatchObject({ valid, rules: ['unknown-node', MALFORMED] });
			expect(await checked(['placeholder-malformed'])).toMatchObject({ valid, rules: ['unknown-node'] });
		}
	});

	test.each<[string, Answer]>([
		...UNREADABLE.filter(([what]) => what !== 'a list' && what !== 'no data'),
		['403', { status: 403 }],
		['422 without a list', { status: 422, body: { errors: 'Wrong' } }],
		['422 of a proxy', { status: 422, body: 'Wrong' }],
		['500 with a list', { status: 500, body: { errors: ['Wrong'] } }],
		['a text in place of the errors', rejected('Wrong')],
		['a message of something else', { body: { message: 'Welcome' } }],
	])('that answers with %s has not validated the flow, and this is said', async (_what, answer) => {
		const result = await check(saying('Hi {name}'), { [VALIDATION]: answer });
		expect(result).toMatchObject({ valid: null, service: null, rules: [MALFORMED] });
		expect(result.notChecked).toEqual([expect.stringMatching(/^The service could not validate the flow: .*[^.]\.$/)]);
	});

	test('that accepts a flow with errors that it lists has accepted it', async () => {
		const answer: Answer = { body: { success: true, errors: ['Odd'] } };
		expect(await check(fine, { [VALIDATION]: answer })).toMatchObject({
			valid: true,
			service: { valid: true, errors: ['Odd'] },
			rules: [],
		});
	});
});

describe('the actions of the agent', () => {
	const answers = { [VALIDATION]: accepted, [ACTIONS]: has([null, { id: 'act_1', current_status: 'inactive' }]) };

	test('are read for a flow that has action nodes, or always, and once in a run', async () => {
		expect((await check(booking, answers)).rules).toEqual(['action-inactive']);
		expect((await check(booking, answers)).read).toEqual([ACTIONS, VALIDATION]);
		expect((await check(fine, answers)).read).toEqual([VALIDATION]);
		expect((await check(fine, answers, { readsActions: 'always' })).read).toEqual([ACTIONS, VALIDATION]);
		for (const more of [{ action_id: 'act_1' }, { type: 'action' }]) {
			const named = { ...fine, nodes: [{ ...fine.nodes[0], ...more }] };
			expect((await check(named, answers)).read).toEqual([ACTIONS, VALIDATION]);
		}
		for (const nodes of [null, 'action', [null, 'action']]) {
			expect((await check({ ...fine, nodes }, answers)).read).toEqual([VALIDATION]);
		}
		const { api, read } = serviceWith(answers);
		for (const flow of [booking, misspelled]) {
			await checkFlow(api, flow, { agentId: 'ada', readsActions: 'always' });
		}
		expect(read()).toEqual([ACTIONS, VALIDATION, VALIDATION]);
	});

	test.each<[string, Answer]>([
		['cannot be read', { status: 403, body: {} }],
		['are no list', has({})],
	])('that %s are not known, and this is said; the rest is checked', async (_what, answer) => {
		const result = await check(booking, { [VALIDATION]: accepted, [ACTIONS]: answer });
		expect(result).toMatchObject({ valid: true, service: { valid: true }, rules: [] });
		expect(result.notChecked).toEqual([expect.stringContaining('The actions of the agent could not be read: ')]);
	});
});

describe('a check makes no sense', () => {
	test('without the agent', async () => {
		await expect(check(booking)).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
		// A 404 of the validation alone may mean that the service has none.
		expect((await check(fine)).notChecked).toHaveLength(1);
	});

	test.each<[string, Answer]>([
		['if the token is wrong', { status: 401 }],
		['if the run was canceled', new ServiceError('Canceled', { code: 'CANCELED', advice: '', accepted: 'no' })],
		['if another item has failed', new ServiceError('No', { code: 'NOT_TRIED', advice: '', accepted: 'no' })],
	])('%s', async (_what, answer) => {
		await expect(check(fine, { [VALIDATION]: answer })).rejects.toThrow();
		await expect(check(booking, { [VALIDATION]: accepted, [ACTIONS]: answer })).rejects.toThrow();
	});
});
