import fc from '../../fastCheck.mts';
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
	return { match: { method, path }, times: 1, ...faults[name]! };
}

const whose = fc.constantFrom('own', 'other');
const which = fc.nat({ max: 20 });

/** What one change of a webhook meets, by one of these methods. */
const meetsFor = (...methods: string[]) => {
	const name = fc.constantFrom('cut before', 'cut after', '500', '502');
	return fc.option(fc.record({ method: fc.constantFrom(...methods), name }), { freq: 2, nil: undefined });
};
const meets = meetsFor('POST', 'PUT', 'DELETE');

/** A kind of step. @param weight how often it comes */
const step = <Name extends string, More extends object = object>(
	weight: number,
	name: Name,
	more: { [Key in keyof More]: fc.Arbitrary<More[Key]> } = {} as never,
) => ({ weight, arbitrary: fc.record({ do: fc.constant(name), ...more }) as fc.Arbitrary<{ do: Name } & More> });

const steps = [
	step(6, 'call', {
		operation: fc.constantFrom('place', 'place', 'queueCall', 'placeAndWait'),
		/** In the process that also receives the deliveries, or in a worker. */
		inWorker: fc.boolean(),
		/** The number of each item, out of a few. The last one is missing. */
		numbers: fc.array(
			fc.oneof({ weight: 16, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.constant(4) }),
			{ minLength: 1, maxLength: 5 },
		),
		/** How the execution began; as a sub-workflow, that of its root. */
		mode: fc.constantFrom('trigger' as const, 'manual' as const, 'evaluation' as const),
		inSubWorkflow: fc.boolean(),
		testCallsOnly: fc.constantFrom(false, false, false, true),
		onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const, 'continueErrorOutput' as const),
		retry: fc.boolean(),
		/** What the first requests meet: often one is refused after others were taken. */
		meets: fc.array(fc.constantFrom('nothing', 'nothing', '422', '422', ...Object.keys(faults)), { maxLength: 4 }),
	}),
	step(4, 'advance', { seconds: fc.constantFrom(3, 40, 600, 4000) }),
	step(2, 'publish', { whose, meets }),
	step(1, 'unpublish', { whose, meets }),
	step(1, 'edit', { without: fc.nat({ max: 4 }), meets }),
	step(2, 'outage', { deliveries: fc.integer({ min: 1, max: 4 }) }),
	step(1, 'restart'),
	step(1, 'restore', { ago: fc.integer({ min: 1, max: 3 }) }),
	step(2, 'forge', { tamper: fc.constantFrom('body', 'signature', 'secret'), which }),
	step(2, 'again', { times: fc.integer({ min: 1, max: 3 }), which }),
	step(1, 'late', { event: fc.nat({ max: 4 }), seconds: fc.constantFrom(0, 90) }),
	step(1, 'catchUp'),
	step(2, 'rotate', { meets: meetsFor('PUT') }),
	// The other n8n is a copy of the own one: it gets the stored data, as a copied database has them.
	step(2, 'copy'),
];

export type Step = (typeof steps)[number]['arbitrary'] extends fc.Arbitrary<infer Value> ? Value : never;
export type CallStep = Extract<Step, { do: 'call' }>;
export const placesTestCalls = ({ mode, testCallsOnly }: CallStep) => mode !== 'trigger' || testCallsOnly;

/** Histories: what users, the service, the network and n8n do, one after the other. Most begin with a published trigger. */
export const histories: fc.Arbitrary<Step[]> = fc
	.tuple(
		fc.integer({ min: 0, max: 4 }),
		fc.array(fc.oneof(...steps) as fc.Arbitrary<Step>, { minLength: 2, maxLength: 12 }),
	)
	.map(([start, rest]) => (start === 0 ? rest : [{ do: 'publish', whose: 'own', meets: undefined }, ...rest]));
