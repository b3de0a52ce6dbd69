import { rootOf } from '../../../nodes/shared/n8nInternals.ts';

type Caller = Parameters<typeof rootOf>[0];
type Execution = NonNullable<Caller['runExecutionData']>;

const ofTrigger = { type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger' };
const another = { type: 'n8n-nodes-base.webhook' };
const item = (isTest: boolean) => ({ json: { isTest, webhookOwner: {} } });

/** An execution as it is stored when it begins: the trigger's output is among what is to be executed. */
const begun = (isTest: boolean, more: object = {}) =>
	({
		executionData: { nodeExecutionStack: [{ source: null, data: { main: [[item(isTest)]] } }] },
		...more,
	}) as unknown as Execution;

/** An execution as it is stored when it waits or has ended. */
const stored = (source: string, isTest?: boolean, more: object = {}) =>
	({
		executionData: { runtimeData: { source }, nodeExecutionStack: [] },
		resultData: { runData: isTest === undefined ? {} : { Events: [{ source: [], data: { main: [[item(isTest)]] } }] } },
		...more,
	}) as unknown as Execution;

/** The execution that another one began. */
const by = (executionId: string, source?: string) => ({
	parentExecution: { executionId, executionContext: { source } },
});

/** A sub-workflow that another execution began, in n8n's database. */
function sub(mode: string, rest: Partial<Caller>, executions: Record<string, Execution>): Caller {
	return {
		getMode: () => mode,
		runExecutionData: by('1', 'integrated'),
		getExecutionDataById: async (id) => executions[id],
		...rest,
	};
}

const known = (mode: string, triggerNode = ofTrigger) => ({
	additionalData: { rootExecutionMode: mode },
	getExecutionContext: () => ({ source: 'integrated', triggerNode }),
});

test.each<[string, Caller, string | undefined]>([
	[
		'of an execution that the event of a test call began',
		sub('integrated', known('webhook'), { 1: begun(true) }),
		'testEvent',
	],
	['of one that the event of a real call began', sub('integrated', known('webhook'), { 1: begun(false) }), 'webhook'],
	[
		'of a sub-workflow of one that the event of a test call began, and that has waited',
		sub('integrated', known('webhook'), { 1: stored('integrated', undefined, by('2')), 2: stored('webhook', true) }),
		'testEvent',
	],
	['of one that the trigger began and that cannot be read', sub('integrated', known('webhook'), {}), undefined],
	[
		'of one that the event of a test call began, where n8n does not name the trigger',
		sub('integrated', { additionalData: { rootExecutionMode: 'webhook' } }, { 1: begun(true) }),
		'testEvent',
	],
	[
		'of one that a webhook began, where n8n neither names the trigger nor stores the execution',
		sub('integrated', { additionalData: { rootExecutionMode: 'webhook' } }, {}),
		'webhook',
	],
	['of one that another node began: nothing is read', sub('integrated', known('webhook', another), {}), 'webhook'],
	[
		'of a manual execution with the event of a real call',
		sub('integrated', known('manual'), { 1: begun(false) }),
		'manual',
	],
	[
		'of a sub-workflow of a production execution, after a wait',
		sub('integrated', {}, { 1: stored('integrated', undefined, by('2')), 2: stored('trigger') }),
		'trigger',
	],
	[
		'of a sub-workflow of a manual execution, after a wait',
		sub('integrated', {}, { 1: stored('integrated', undefined, by('2')), 2: stored('manual') }),
		'manual',
	],
	[
		'of one that is not stored any more, after a wait',
		sub('integrated', {}, { 1: stored('integrated', undefined, by('2')) }),
		undefined,
	],
	['of one that still runs and has not stored its mode', sub('integrated', {}, { 1: begun(false) }), undefined],
	[
		'where n8n cannot read executions',
		{ getMode: () => 'integrated', runExecutionData: by('1', 'integrated') },
		undefined,
	],
])('The root of a sub-workflow %s', async (_what, caller, mode) => {
	expect((await rootOf(caller)).mode).toBe(mode);
});

test.each<[string, Caller, string | undefined]>([
	[
		'that the event of a test call began',
		{ ...sub('error', known('webhook'), { 1: begun(true) }), runExecutionData: by('1', 'webhook') },
		'testEvent',
	],
	['that a person began', { ...sub('error', {}, {}), runExecutionData: by('1', 'manual') }, 'manual'],
	// The outer execution may be stored, or not yet.
	[
		'that is a sub-workflow',
		sub('error', {}, { 1: stored('integrated', undefined, by('2')), 2: stored('manual') }),
		undefined,
	],
])('The root of an error workflow for an execution %s', async (_what, caller, mode) => {
	expect((await rootOf(caller)).mode).toBe(mode);
});

test('The events that began the outermost execution are known, or it is known that they are not', async () => {
	const eventsOf = async (caller: Caller) => (await rootOf(caller)).events;
	const oldest = { additionalData: { rootExecutionMode: 'webhook' } };
	for (const rest of [known('webhook'), oldest]) {
		expect(await eventsOf(sub('integrated', rest, { 1: begun(false) }))).toEqual([item(false).json]);
	}
	expect(await eventsOf(sub('integrated', known('webhook'), {}))).toBeUndefined();
	expect(await eventsOf(sub('integrated', {}, {}))).toBeUndefined();
	expect(await eventsOf(sub('integrated', oldest, {}))).toBeUndefined();
	const passedOn = { runExecutionData: { ...begun(false), ...by('1', 'integrated') } };
	expect(await eventsOf(sub('integrated', { ...known('webhook'), ...passedOn }, {}))).toEqual([item(false).json]);
	expect(await eventsOf(sub('integrated', known('webhook', another), {}))).toEqual([]);
	expect(await eventsOf(sub('trigger', {}, {}))).toEqual([]);
});
