import type { IDataObject } from 'n8n-workflow';

import fc from '../../../fastCheck.mts';
import { harness } from '../../harness.mts';
import { actionNode, byId, retried } from '../../service.mts';
import { startPlannedService } from './plannedService.mts';
import { reportedResults } from './reportedResults.mts';

/** What the service does with a request: whether it acts on it, and what it answers. */
const answers = {
	taken: { acts: true, status: 200 },
	'taken, with a field named error': { acts: true, status: 200 },
	'taken, then cut': { acts: true },
	'taken, then broken': { acts: true, status: 500 },
	'taken, without the call': { acts: true, status: 200 },
	'cut before': { acts: false },
	forbidden: { acts: false, status: 403 },
	'wrong values': { acts: false, status: 422 },
	'a 400': { acts: false, status: 400 },
	'no credits': { acts: false, status: 402 },
	'too many': { acts: false, status: 429 },
} as const satisfies Record<string, { acts: boolean; status?: number }>;
type Answer = keyof typeof answers;

const plans = fc.record({
	operation: fc.constantFrom('place', 'queueCall', 'makeApiRequest'),
	/** The number of each item, out of a few. */
	numbers: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 9 }),
	/** What the requests meet, in the order of their arrival; afterwards, all are taken. */
	meets: fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom<Answer>('taken', 'taken, with a field named error', 'forbidden') },
			{ weight: 2, arbitrary: fc.constantFrom(...(Object.keys(answers) as Answer[])) },
		),
		{ maxLength: 14 },
	),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retry: fc.boolean(),
	variables: fc.constantFrom<'automatic' | 'fail' | 'ignore'>('automatic', 'fail', 'fail', 'ignore'),
	/** What the reads of the agent meet, in the order of their arrival: one in each try. It has no variables afterwards. */
	reads: fc.array(
		fc.constantFrom<'variables' | 'no variables' | 'forbidden'>('variables', 'no variables', 'forbidden'),
		{ minLength: 3, maxLength: 4 },
	),
	concurrency: fc.integer({ min: 1, max: 5 }),
	eachTime: fc.constantFrom<'no' | 'option' | 'duplicates'>('no', 'no', 'no', 'option', 'duplicates'),
});
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

const numberOf = (index: number) => `+1202555011${index}`;

/** A service that meets each request as planned. @returns its credential, and the IDs of the calls that it placed, by number */
async function plannedService({ operation, meets: plannedMeets, reads: plannedReads }: Plan) {
	const placed = new Map<string, string[]>();
	let [requests, reads] = [0, 0];
	const read = (url: string) => {
		if (url.endsWith('/flow')) {
			return { status: 404 };
		}
		if (url.includes('/campaigns/')) {
			return { status: 200, data: { id: 'a', agent_id: 'a', status: 'active' } };
		}
		const meets = plannedReads[reads++];
		const data = { id: 'a', initial_message: meets === 'variables' ? 'Hello {{to}}!' : 'Hello!' };
		return meets === 'forbidden' ? { status: 403 } : { status: 200, data };
	};
	const success = (meets: Answer, call: { error?: string }) => {
		const isRequest = operation === 'makeApiRequest';
		const data = meets === 'taken, without the call' && !isRequest ? [] : call;
		return operation === 'queueCall'
			? { campaign_call: data, campaign: { id: 'a', name: 'A', status: 'active' } }
			: { success: true, data, ...(isRequest && call.error && { error: call.error }) };
	};
	const credentials = await startPlannedService((method, url, to) => {
		if (method === 'GET') {
			const { status, ...data } = read(url);
			return { status, body: { success: true, ...data } };
		}
		const meets = plannedMeets[requests++] ?? 'taken';
		const { acts, status }: { acts: boolean; status?: number } = answers[meets];
		const call = { id: `call ${requests}`, to, ...(meets === 'taken, with a field named error' && { error: 'none' }) };
		if (acts) {
			placed.set(to, [...(placed.get(to) ?? []), call.id]);
		}
		const body = status === 200 ? success(meets, call) : { success: false, message: 'The number: no.' };
		return { status, body, ...(status === 429 && { headers: { 'retry-after': '0.01' } }) };
	});
	return { credentials, placed };
}

/** The parameters of the operation, with the number as each item writes it. */
function parametersOf({ operation, eachTime, concurrency, variables }: Plan) {
	const mapping = variables === 'automatic' ? 'autoMapInputData' : 'defineBelow';
	const agentVariables = { mappingMode: mapping, value: null };
	const options = {
		...(operation !== 'makeApiRequest' && variables !== 'automatic' && { missingVariables: variables }),
		...(eachTime === 'option' && { repeatedNumber: 'callEachTime' }),
		...(eachTime === 'duplicates' && operation === 'queueCall' && { ifAlreadyQueued: 'queueAgain' }),
		...(operation === 'makeApiRequest' && {
			body: `={{ { to: $json.to, allow_duplicates: ${String(eachTime === 'duplicates')} } }}`,
		}),
	};
	const calls = {
		place: { resource: 'call', agent: byId('a'), phoneNumber: '={{ $json.to }}', agentVariables },
		queueCall: { resource: 'campaign', campaign: byId('a'), phoneNumber: '={{ $json.to }}', agentVariables },
		makeApiRequest: { resource: 'service', method: 'POST', path: 'agents/a/call' },
	};
	return { operation, ...calls[operation], options, sending: { maxConcurrentRequests: concurrency, maxWait: 2 } };
}

/** By item: the ID of its call, or its result. */
type Report = Array<{ id?: string; result?: string; shared: boolean }>;

/** The report of each item: in the outputs, or in the error that ended the run. */
function reportOf(
	plan: Plan,
	outputs: Array<Array<{ json: IDataObject; pairedItem?: unknown }>>,
	error?: Error,
): Report {
	const items: Report = [];
	const add = (item: number, report: Report[number]) => {
		expect({ item, twice: items[item] !== undefined }).toEqual({ item, twice: false });
		items[item] = report;
	};
	if (error) {
		const { description } = error as { description?: string };
		// The error of a single item has no list.
		const alone = error.message.includes('Outcome unknown') ? 'with an unknown outcome' : 'failed';
		const list = plan.numbers.length === 1 ? `${alone} (sheet row 2)` : String(description);
		for (const [item, results] of reportedResults(list, plan.numbers.length).entries()) {
			for (const result of results) {
				add(item, { result, shared: false });
			}
		}
	}
	for (const { json, pairedItem } of outputs.flat()) {
		const data = (json.data ?? json) as IDataObject;
		const result = String(json.result);
		const hasCall = ['placed', 'queued', 'alreadyQueued', 'sameNumber'].includes(result);
		add((pairedItem as { item: number }).item, {
			...(hasCall ? { id: String(data.id) } : { result }),
			shared: json.sameNumberAsItem !== undefined,
		});
	}
	return items;
}

const options = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 100) };

test('whatever the service answers, and however often n8n tries again, no number is called more often than it should be, and each item is reported as it is', async () => {
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(plans, async (plan) => {
			const { credentials, placed: placedAll } = await plannedService(plan);
			const { outputs, run, tries } = await harness.runNode(
				{
					type: actionNode,
					parameters: parametersOf(plan) as never,
					onError: plan.onError,
					...(plan.retry && retried),
				},
				plan.numbers.map((index) => ({ to: numberOf(index) })),
				{ credentials },
			);
			const items = reportOf(plan, outputs, run.error);
			expect(items.filter(Boolean)).toHaveLength(plan.numbers.length);
			for (const index of new Set(plan.numbers)) {
				const placed = placedAll.get(numberOf(index)) ?? [];
				const own = items.filter((_item, item) => plan.numbers[item] === index);
				const counts = (kind: string) => own.filter(({ result, shared }) => result === kind && !shared).length;
				// Never more often than wanted.
				expect(placed.length).toBeLessThanOrEqual(plan.eachTime === 'no' ? 1 : own.length);
				if (run.error) {
					// The error that stops a run does not say which items share a call.
					expect(placed.length).toBeLessThanOrEqual(counts('done') + counts('unknown'));
					expect(counts('done') > 0 && placed.length === 0).toBe(false);
					continue;
				}
				const ids = own.flatMap(({ id }) => id ?? []);
				const ownIds = own.filter(({ shared }) => !shared).flatMap(({ id }) => id ?? []);
				// Every call that is reported was placed, once for each item that has its own.
				expect(placed).toEqual(expect.arrayContaining(ids));
				expect(new Set(ownIds).size).toBe(ownIds.length);
				// Every call that was placed is reported, or may have been.
				expect(placed.length).toBeLessThanOrEqual(ownIds.length + counts('unknown'));
			}
			seen.add(
				`${run.error?.message.includes('variables') ? 'variables ' : ''}${run.status} ${tries > 1 ? 'again' : 'once'} ${items.map(({ result }) => result).sort()[0] ?? 'done'}`,
			);
		}),
		options,
	);
	// Otherwise the test would prove little.
	expect(seen.size).toBeGreaterThan(6);
}, 600_000);
