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

const codesOf = (budget: CallBudget, calls: number) =>
	Array.from({ length: calls }, () => budget.take().error?.code ?? 'taken');

test('a run has its calls, and a refused one is given back', () => {
	const budget = budgetOf({ maxCalls: 2 });
	const first = budget.take();
	expect(codesOf(budget, 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
	if (!first.error) {
		first.giveBack();
	}
	expect(codesOf(budget, 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
});

test('the calls of an hour count over all runs of a workflow with a credential, and of no other', () => {
	const [workflow, credential] = [own(), own()];
	const limits = { maxCallsPerHour: 2 };
	expect(codesOf(budgetOf(limits, { workflow, credential }), 1)).toEqual(['taken']);
	expect(codesOf(budgetOf(limits, { workflow, credential }), 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
	expect(codesOf(budgetOf(limits, { workflow }), 1)).toEqual(['taken']);
	expect(codesOf(budgetOf(limits, { credential }), 1)).toEqual(['taken']);
});

test('a refused call is given back to the hour too', () => {
	const budget = budgetOf({ maxCallsPerHour: 1 });
	const first = budget.take();
	if (!first.error) {
		first.giveBack();
	}
	expect(codesOf(budget, 2)).toEqual(['taken', 'CALL_LIMIT_REACHED']);
});

test('the error says in how many minutes the next call is possible', () => {
	const budget = budgetOf({ maxCallsPerHour: 1 });
	budget.take();
	jest.advanceTimersByTime(10 * 60_000);
	expect(budget.take().error?.advice).toContain('in 50 minutes');
	jest.advanceTimersByTime(49 * 60_000 + 30_000);
	expect(budget.take().error?.advice).toContain('in 1 minute.');
	jest.advanceTimersByTime(30_000);
	expect(codesOf(budget, 1)).toEqual(['taken']);
});

test.each([
	[1, 'call'],
	[2, 'calls'],
])('the error of a limit of %d says "%s"', (limit, word) => {
	const messageAfter = (limits: Partial<CallLimits>) => {
		const budget = budgetOf(limits);
		codesOf(budget, limit);
		return budget.take().error?.message;
	};
	expect(messageAfter({ maxCalls: limit })).toContain(`limit of ${limit} ${word} per run`);
	expect(messageAfter({ maxCallsPerHour: limit })).toContain(`limit of ${limit} ${word} per hour`);
});
