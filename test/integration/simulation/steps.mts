import fc from 'fast-check';

import type { Fault } from '../service.mts';

/** What one request that places or queues a call may meet. */
const faults: Readonly<Record<string, Omit<Fault, 'match'>>> = {
	nothing: { kind: 'latency', ms: 0 },
	'cut before': { kind: 'drop-before' },
	'cut after': { kind: 'drop-after' },
	malformed: { kind: 'malformed' },
	'500': { kind: 'status', status: 500, body: { message: 'Broken' } },
	'502': { kind: 'status', status: 502, body: 'Bad gateway' },
	'422': { kind: 'status', status: 422, body: { success: false, message: 'Not valid' } },
	contradiction: { kind: 'status', status: 200, body: { success: false, message: 'No', data: { id: 'call-1' } } },
	'success without a call': { kind: 'status', status: 200, body: { success: true } },
	'429': { kind: 'status', status: 429, body: { message: 'Too many' }, headers: { 'retry-after': '1' } },
};

/** The fault with a name, for one request to these paths. */
export function faultOf(name: string, path: string, method = 'POST'): Fault {
	const fault = faults[name];
	if (fault === undefined) {
		throw new Error(`No fault is named ${name}`);
	}
	return { match: { method, path }, times: 1, ...fault };
}

const call = fc.record({
	do: fc.constant('call' as const),
	operation: fc.constantFrom('place' as const, 'place' as const, 'queueCall' as const, 'placeAndWait' as const),
	/** In the process that also receives the deliveries, or in a worker. */
	inWorker: fc.boolean(),
	/** The number of each item, out of a few. The last one is missing. */
	numbers: fc.array(fc.oneof({ weight: 16, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.constant(4) }), {
		minLength: 1,
		maxLength: 5,
	}),
	/** How the execution began; as a sub-workflow, that of its root. */
	mode: fc.constantFrom('trigger' as const, 'manual' as const, 'evaluation' as const),
	inSubWorkflow: fc.boolean(),
	/** Whether the credential allows test calls only. */
	testCallsOnly: fc.constantFrom(false, false, false, true),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const, 'continueErrorOutput' as const),
	retry: fc.boolean(),
	/** What the first requests meet: often one is refused after others were taken. */
	meets: fc.array(fc.constantFrom('nothing', 'nothing', '422', '422', ...Object.keys(faults)), { maxLength: 4 }),
});

/** What one change of a webhook meets while a workflow is published, unpublished or edited. */
const webhookFault = fc.option(
	fc.record({
		method: fc.constantFrom('POST', 'PUT', 'DELETE'),
		name: fc.constantFrom('cut before', 'cut after', '500', '502'),
	}),
	{ freq: 2, nil: undefined },
);

/** One step of a history, by how often it comes. */
const steps = [
	{ weight: 6, arbitrary: call },
	{
		weight: 4,
		arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.constantFrom(3, 40, 600, 4000) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('publish' as const),
			whose: fc.constantFrom('own', 'other'),
			meets: webhookFault,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('unpublish' as const),
			whose: fc.constantFrom('own', 'other'),
			meets: webhookFault,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('edit' as const), without: fc.nat({ max: 4 }), meets: webhookFault }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant('outage' as const), deliveries: fc.integer({ min: 1, max: 4 }) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), ago: fc.integer({ min: 1, max: 3 }) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('forge' as const),
			tamper: fc.constantFrom('body', 'signature', 'secret'),
			which: fc.nat({ max: 20 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('again' as const),
			times: fc.integer({ min: 1, max: 3 }),
			which: fc.nat({ max: 20 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('late' as const),
			event: fc.nat({ max: 4 }),
			seconds: fc.constantFrom(0, 90),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('catchUp' as const) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('rotate' as const), meets: webhookFault }) },
	// The other n8n is a copy of the own one: it gets the stored data, as a copied database has them.
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('copy' as const) }) },
];

export type Step = (typeof steps)[number]['arbitrary'] extends fc.Arbitrary<infer Value> ? Value : never;
export type CallStep = Extract<Step, { do: 'call' }>;

/** Whether the calls of a run have to be test calls. */
export const placesTestCalls = ({ mode, testCallsOnly }: CallStep) => mode !== 'trigger' || testCallsOnly;

/** Histories: what users, the service, the network and n8n do, one after the other. Most begin with a published trigger. */
export const histories: fc.Arbitrary<Step[]> = fc
	.tuple(
		fc.integer({ min: 0, max: 4 }),
		fc.array(fc.oneof(...steps) as fc.Arbitrary<Step>, { minLength: 2, maxLength: 12 }),
	)
	.map(([start, rest]) => (start === 0 ? rest : [{ do: 'publish', whose: 'own', meets: undefined }, ...rest]));
