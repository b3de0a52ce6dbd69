import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CallBudget, type CallLimits } from '../../../../nodes/VoiceAgentCalling/sending/callBudget.ts';

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 15) }));
afterEach(() => jest.useRealTimers());

let count = 0;
/** A credential or a workflow of its own: what was counted for it stays in memory. */
const own = () => `own-${++count}`;

/** The budget of one run of a tool. */
function budgetOf(limits: Partial<CallLimits>, { workflow = own(), credential = own() } = {}) {
	const context: IDataObject = {};
	const caller = {
		getNode: () => ({ credentials: { voiceAgentCallingApi: { id: credential, name: 'Service' } } }),
		getWorkflow: () => ({ id: workflow }),
	} as unknown as IExecuteFunctions;
	return new CallBudget(caller, context, { maxCalls: 100, maxCallsPerHour: 100, ...limits });
}

const taken = (budget: CallBudget, calls: number) =>
	Array.from({ length: calls }, () => budget.take().error?.code ?? 'taken');

test.each([{ maxCalls: 2 }, { maxCallsPerHour: 2 }])(
	'%j: a tool has so many calls, and a refused one is given back',
	(limits) => {
		const budget = budgetOf(limits);
		const first = budget.take() as { giveBack(): void };
		expect(taken(budget, 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
		first.giveBack();
		expect(taken(budget, 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
	},
);

test('the calls of an hour count over all runs of a workflow with a credential, and of no other', () => {
	const [workflow, credential] = [own(), own()];
	const limits = { maxCallsPerHour: 2 };
	expect(taken(budgetOf(limits, { workflow, credential }), 1)).toEqual(['taken']);
	expect(taken(budgetOf(limits, { workflow, credential }), 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
	expect(taken(budgetOf(limits, { workflow }), 1)).toEqual(['taken']);
	expect(taken(budgetOf(limits, { credential }), 1)).toEqual(['taken']);
});

test('the error says which limit it is, and in how many minutes the next call is possible', () => {
	const budget = budgetOf({ maxCallsPerHour: 1 });
	budget.take();
	jest.advanceTimersByTime(10 * 60_000);
	expect(budget.take().error).toMatchObject({
		message: expect.stringContaining('limit of 1 call per hour'),
		advice: expect.stringContaining('in 50 minutes'),
	});
	jest.advanceTimersByTime(49 * 60_000 + 30_000);
	expect(budget.take().error?.advice).toContain('in 1 minute.');
	jest.advanceTimersByTime(30_000);
	const perRun = budgetOf({ maxCalls: 2 });
	expect([...taken(budget, 1), ...taken(perRun, 2)]).toEqual(['taken', 'taken', 'taken']);
	expect(perRun.take().error?.message).toContain('limit of 2 calls per run');
});
