import type { IExecuteFunctions } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { runOperation } from '../../../../nodes/VoiceAgentCalling/run/runOperation.ts';

const ITEMS = 600;

const credential = {
	baseUrl: 'http://127.0.0.1',
	environmentToken: 'TOKEN',
	testCallsOnly: false,
	callsPerRun: 0,
	callsPerDay: 0,
};

/** The functions of n8n for a node with these parameters. */
const callerWith = (parameters: Record<string, unknown>, more: object) =>
	({
		continueOnFail: () => false,
		getContext: () => ({}),
		getCredentials: async () => credential,
		getExecuteData: () => ({ node: { name: 'Agent' }, data: { main: [[{ json: {} }]] }, source: null }),
		getWorkflow: () => ({ id: 'w' }),
		getExecutionCancelSignal: () => undefined,
		getExecutionId: () => '77',
		getMode: () => 'trigger',
		getNode: () => ({ name: 'Node', type: 'node', parameters: {} }),
		getNodeParameter: (name: string) => parameters[name] ?? {},
		getTimezone: () => 'UTC',
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		...more,
	}) as unknown as IExecuteFunctions;

test('a run that is canceled while its items are read says that none is done', async () => {
	let asked = 0;
	const caller = callerWith(
		{ resource: 'service', operation: 'checkHealth' },
		{
			// The node asks before it reads an item.
			getExecutionCancelSignal: () => Object.assign(new EventTarget(), { aborted: ++asked > 250 }),
			getInputData: () => Array.from({ length: ITEMS }, () => ({ json: {} })),
		},
	);
	await expect(runOperation(caller, resources)).rejects.toMatchObject({
		message: 'The execution was canceled',
		description: 'Nothing was done. Not done: 600 not tried.',
	});
});

test('a call counts for the next run of a tool even if n8n fails after it was placed', async () => {
	const context = {};
	let calls = 0;
	const call = (runIndex: number) =>
		callerWith(
			{
				resource: 'call',
				operation: 'place',
				agent: 'a',
				phoneNumber: '+12025550111',
				testCall: 'never',
				maxCalls: 9,
				maxCallsPerHour: 999,
				allowedPrefixes: '',
			},
			{
				addExecutionHints() {
					throw new Error('Out of order');
				},
				getContext: () => context,
				getInputData: () => [{ json: {} }],
				getNode: () => ({ name: 'Node', type: 'nodeTool', parameters: {} }),
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
				helpers: {
					httpRequestWithAuthentication: async (_credential: string, { method }: { method: string }) => {
						calls += method === 'POST' ? 1 : 0;
						return { statusCode: 200, headers: {}, body: { success: true, data: { id: 'a', flow_config: null } } };
					},
				},
			},
		);
	await expect(runOperation(call(0), resources)).rejects.toThrow('Out of order');
	// A tool that n8n tries again has the next run index.
	await expect(runOperation(call(1), resources)).rejects.toThrow('Out of order');
	expect(calls).toBe(1);
});

describe('What an earlier try has sent is told, whatever stops the next one', () => {
	/** The call is accepted, not answered, or refused, by the last digit of the number. */
	const service = async (_credential: string, { method, body }: { method: string; body?: string }) => {
		const to = body?.match(/"to":"\+1202555010(\d)"/)?.[1];
		if (to !== undefined && method === 'POST') {
			dialed += to;
		}
		if (to === '2') {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		const data = { id: `call ${to}`, flow_config: null };
		return to === '3' && method === 'POST'
			? { statusCode: 403, headers: {}, body: { message: 'No' } }
			: { statusCode: 200, headers: {}, body: { success: true, data, ...(queue && { campaign_call: data }) } };
	};
	let queue = false;
	/** The last digits of the numbers that were dialed. */
	let dialed = '';

	interface Try {
		/** The last digits of the numbers of the items; x is no number. */
		numbers: string;
		/** By item; the same for all by default. */
		agents?: string;
		/** Another one is n8n's Retry of an execution. */
		executionId?: string;
		runIndex?: number;
		continueOnFail?: boolean;
		tool?: boolean;
		credential?: boolean;
		operation?: 'place' | 'queueCall';
	}

	const runTry = async (
		context: Partial<Record<'node' | 'flow', object>>,
		{ numbers, runIndex = 0, credential: hasCredential = true, ...wanted }: Try,
	) => {
		const { operation = 'place', continueOnFail = false, tool = false, agents, executionId = '77' } = wanted;
		queue = operation === 'queueCall';
		const caller = callerWith(
			{
				resource: queue ? 'campaign' : 'call',
				operation,
				agent: 'a',
				campaign: 'c',
				testCall: 'never',
				options: { missingVariables: 'ignore' },
				agentVariables: { mappingMode: 'defineBelow', value: {} },
				...(tool && { maxCalls: 9, maxCallsPerHour: 999, allowedPrefixes: '' }),
			},
			{
				addExecutionHints: () => undefined,
				continueOnFail: () => continueOnFail,
				getContext: (of: 'node' | 'flow') => (context[of] ??= {}),
				getExecutionId: () => executionId,
				getInputData: () => [...numbers].map(() => ({ json: {} })),
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
				getNode: () => ({
					name: 'Node',
					type: tool ? 'nodeTool' : 'node',
					parameters: { phoneNumber: '={{ $json.to }}', agent: '={{ $json.agent }}' },
				}),
				getCredentials: async () => ({ ...credential, ...(!hasCredential && { baseUrl: 'nowhere' }) }),
				helpers: { httpRequestWithAuthentication: service },
			},
		);
		const { getNodeParameter } = caller;
		const to = (item: number) => (numbers[item] === 'x' ? 'nobody' : `+1202555010${numbers[item]}`);
		caller.getNodeParameter = ((name: string, item: number) => {
			const agent = name === 'agent' ? agents?.[item] : undefined;
			return name === 'phoneNumber' ? to(item) : (agent ?? getNodeParameter(name, item));
		}) as never;
		return await runOperation(caller, resources);
	};

	/** Runs two tries. @returns what n8n shows or the model is told of the second one */
	const told = async (first: Try, second: Try) => {
		const context = {};
		dialed = '';
		await expect(runTry(context, first)).rejects.toThrow();
		return await runTry(context, second).then(
			([items]) => items!.map(({ json }) => json),
			({ message, description }: Error & { description?: string }) => `${message} | ${description}`,
		);
	};

	test.each<[string, Try, Try, RegExp]>([
		[
			'an item is invalid now',
			...([{ numbers: '1213' }, { numbers: '124x' }] as const),
			/^Outcome unknown.*\[item 1\].*Calls placed: sheet row 2\. 1 with an unknown outcome \(sheet row 3\).* Not called: .*\(sheet row 5\), 1 not tried \(sheet row 4\)\./,
		],
		['the only item is invalid now', { numbers: '2' }, { numbers: 'x' }, /^Outcome unknown.*\[item 0\]/],
		[
			'the item that was called is invalid now',
			...([{ numbers: '13' }, { numbers: 'x3' }] as const),
			/nobody.*\[item 0\].*Calls placed: sheet row 2\. Not called: 1 not tried \(sheet row 3\)\./,
		],
		[
			'a tool that has called has another run index in the next try, and is to call nobody',
			...([
				{ numbers: '13', tool: true },
				{ numbers: 'x3', tool: true, runIndex: 1 },
			] as const),
			/nobody.*enter one\. Not called: .* \(sheet row 2\), 1 not tried\. To send .* \| undefined/,
		],
		[
			'the credential cannot be used now',
			...([{ numbers: '123' }, { numbers: '123', credential: false }] as const),
			/^The Base URL.*Calls placed: sheet row 2\. 1 with an unknown outcome \(sheet row 3\).* Not called: .* \(sheet row 4\)\./,
		],
		[
			'an item of a campaign is invalid now, and the credential cannot be used',
			{ numbers: '13', operation: 'queueCall' },
			{ numbers: '1x', credential: false, operation: 'queueCall' },
			/nobody.*\[item 1\].*Calls queued: sheet row 2\. Not queued: .* \(sheet row 3\)\./,
		],
		[
			'a tool whose last call has an unknown outcome is to call no number',
			...([
				{ numbers: '2', tool: true },
				{ numbers: 'x', tool: true, runIndex: 1 },
			] as const),
			/^'Phone Number' cannot be "nobody".*enter one\. \| undefined/,
		],
	])('%s', async (_what, first, second, text) => {
		expect(await told(first, second)).toMatch(text);
	});

	const placed = (digit: string) => ({ result: 'placed', isTest: false, id: `call ${digit}`, alreadySent: true });
	const refused = { result: 'failed' };
	const unknown = { result: 'unknown', code: 'OUTCOME_UNKNOWN' };
	const notTried = { result: 'notTried', code: 'NOT_TRIED' };
	const sameAsFirst = { ...placed('1'), result: 'sameNumber', sameNumberAsItem: 0 };
	const other = { ...unknown, advice: expect.stringContaining('campaign or number then.') };

	test.each<[string, Omit<Try, 'numbers'>, numbers: [string, string], items: object[], dialed: string]>([
		['if the items are invalid now', {}, ['123', 'xxx'], [placed('1'), unknown, refused], '123'],
		['without a credential', { credential: false }, ['123', '123'], [placed('1'), unknown, refused], '123'],
		['at another item, if the first one is invalid now', {}, ['13', 'x1'], [placed('1'), sameAsFirst], '13'],
		['with another agent', { agents: 'ba' }, ['13', '13'], [placed('1'), refused], '133'],
		['with another number', {}, ['13', '43'], [placed('1'), refused], '133'],
		[
			'with the number of another item that was called',
			{},
			['143', '413'],
			[placed('1'), placed('4'), refused],
			'1433',
		],
		[
			'nor for an item whose number it has now and that was refused',
			{},
			['13', '31'],
			[placed('1'), sameAsFirst],
			'13',
		],
		['with another number, if the outcome is unknown', {}, ['2', '4'], [other], '2'],
		[
			'for another item and agent, if the outcome is unknown',
			{ agents: 'ab' },
			['23', '22'],
			[unknown, notTried],
			'23',
		],
	])(
		'With On Error at Continue, an item that was called is not called again: %s',
		async (_what, changes, [first, second], items, all) => {
			const found = await told({ numbers: first }, { ...changes, numbers: second, continueOnFail: true });
			expect(found).toMatchObject(items);
			expect(dialed).toBe(all);
			// The number that was called is not stored.
			expect(JSON.stringify(found)).not.toContain('+12025550104');
		},
	);

	test("With n8n's Retry of the execution, the same call is not placed again, and one to another number is", async () => {
		dialed = '';
		const context = {};
		await expect(runTry(context, { numbers: '143' })).rejects.toThrow();
		const retry = { executionId: '78', numbers: '153' };
		const copy = JSON.parse(JSON.stringify(context));
		await expect(runTry(copy, retry)).rejects.toThrow();
		expect(dialed).toBe('14353');
		// The tries of that execution, in turn.
		const [items] = await runTry(copy, { ...retry, numbers: '163', continueOnFail: true });
		expect(items!.map(({ json }) => json)).toMatchObject([placed('1'), placed('5'), refused]);
		expect(dialed).toBe('143533');
	});
});
