import fc from '../../fastCheck.mts';
import { campaignStep, type ExecutionStep, executionStep } from './executionStep.mts';

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

const advance = (weight: number) => step(weight, 'advance', { seconds: fc.constantFrom(3, 40, 600, 4000) });
const restart = step(1, 'restart');

const AGENT_ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

/** What happens around executions. */
const aroundExecutions = [
	{ weight: 6, arbitrary: executionStep },
	advance(2),
	restart,
	step(1, 'campaign', { status: fc.constantFrom('paused', 'active') }),
	step(1, 'credits', { left: fc.constantFrom(0, 1, 3, null) }),
];

/** What happens around a trigger. */
const aroundTriggers = [
	{ weight: 8, arbitrary: campaignStep },
	advance(4),
	restart,
	step(2, 'publish', { whose, meets }),
	step(2, 'unpublish', { whose, meets }),
	step(1, 'edit', { without: fc.nat({ max: 4 }), meets }),
	step(3, 'outage', { deliveries: fc.integer({ min: 1, max: 4 }) }),
	step(1, 'restore', { ago: fc.integer({ min: 1, max: 3 }) }),
	step(3, 'forge', { tamper: fc.constantFrom('body', 'signature', 'secret'), which }),
	step(2, 'again', { times: fc.integer({ min: 1, max: 3 }), which }),
	step(1, 'late', { event: fc.nat({ max: 4 }), seconds: fc.constantFrom(0, 90) }),
	step(3, 'catchUp'),
	step(1, 'listen', {
		events: fc.constantFrom(AGENT_ENDS, [...AGENT_ENDS, 'event_voicemail_detected'], AGENT_ENDS.slice(1)),
	}),
	step(1, 'awaitCampaign', {
		waitBy: fc.constantFrom('event', 'polling', 'automatic'),
		end: fc.constantFrom('completed', 'cancelled'),
		forged: fc.option(fc.record({ tamper: fc.constantFrom('body', 'signature', 'secret') }), { nil: undefined }),
	}),
	step(3, 'rotate', { meets: meetsFor('PUT') }),
	// The other n8n is a copy of the own one: it gets the stored data, as a copied database has them.
	step(2, 'copy'),
];

type StepOf<Kinds extends ReadonlyArray<{ arbitrary: unknown }>> =
	Kinds[number]['arbitrary'] extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = ExecutionStep | StepOf<typeof aroundExecutions> | StepOf<typeof aroundTriggers>;

/** What users, the service, the network and n8n do, one after the other. */
export const executionHistories: fc.Arbitrary<Step[]> = fc.array(fc.oneof(...aroundExecutions) as fc.Arbitrary<Step>, {
	minLength: 1,
	maxLength: 5,
});

const published: Step = { do: 'publish', whose: 'own', meets: undefined };
const listening: Step = { do: 'listen', events: AGENT_ENDS };

/** The same with triggers. Most begin with a published one, some with one that hears of calls that are awaited. */
export const triggerHistories: fc.Arbitrary<Step[]> = fc
	.tuple(
		fc.constantFrom<Step[]>([], [published], [published], [listening, published], [listening, published]),
		fc.array(fc.oneof(...aroundTriggers) as fc.Arbitrary<Step>, { minLength: 2, maxLength: 12 }),
	)
	.map((parts) => parts.flat());
