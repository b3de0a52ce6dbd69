import fc from '../../fastCheck.mts';
import { ANSWERS, LISTS } from './faults.mts';

/** Numbers that are called, and what becomes of a call to each. The last one is none. */
export const NUMBERS = ['+12025550001', '+12025550002', '+12025550003', '+12025550111', ''];

/** How a node or a tool calls. */
export interface Calling {
	operation: 'place' | 'queueCall' | 'placeAndWait' | 'queueCallAndWait';
	/** Which of two agents or campaigns; the third agent is not published. */
	owner: number;
	testCall: 'automatic' | 'always';
	/** One request after the other. */
	inTurn: boolean;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** n8n's Retry On Fail. */
	retryOnFail: boolean;
	/** Repeated Number: Call Each Time. */
	eachTime: boolean;
	/** Frequency Cap: how many calls of a phone in a day. */
	atMost?: number;
}

/** A node that calls each item. */
export type CallingNode = Calling;

/** An AI agent whose tools call. */
export interface CallingAgent {
	/** An agent before version 3: it uses the tools of a turn at the same moment. */
	older: boolean;
	tools: Array<Calling & { maxCalls: number; maxCallsPerHour: number }>;
	/** The tools that the model uses in each turn, each with a number. */
	turns: Array<Array<{ tool: number; number: number }>>;
	/** How often the model fails after its tools have called. */
	failingTries: number;
	/** n8n's Retry On Fail, of the agent. */
	retryOnFail: boolean;
}

/** What the requests of an execution meet. */
export interface Meeting {
	/** The requests that place or queue calls, one after the other. */
	answers: string[];
	/** All of those that follow. */
	finally?: string;
	/** The next lists of calls. */
	lists?: string;
}

/** An execution of a workflow that calls, with what happens to it. */
export interface ExecutionStep {
	do: 'execute';
	/** One calls in a loop, the others after the same items. */
	nodes: CallingNode[];
	/** Rounds of the loop around the first node. */
	rounds: number;
	/** An agent in place of the nodes. */
	agent?: CallingAgent;
	/** The number of each item, out of {@link NUMBERS}. */
	numbers: number[];
	/** How the execution began; as a sub-workflow, that of its root. */
	mode: 'trigger' | 'manual' | 'evaluation';
	inSubWorkflow: boolean;
	/** In a worker, and not in the process that receives the deliveries. */
	inWorker: boolean;
	/** The settings of the credential. */
	credential: { testCallsOnly?: boolean; callsPerRun?: number; callsPerDay?: number };
	meets: Meeting;
	/** n8n cancels the execution when so many of its calls were sent. */
	cancelAfter?: number;
	/** How often a person retries it: each time the execution that failed last. */
	retries: number;
	/** Another execution that starts at the same moment. */
	beside?: ExecutionStep;
}

/** In most cases the first value. */
const mostly = <Value,>(usual: Value, ...others: Value[]) =>
	fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** A record in which some keys are often missing. */
const sparse = <Values extends object>(values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> }) =>
	fc
		.record(
			Object.fromEntries(
				Object.entries(values).map(([key, value]) => [
					key,
					fc.option(value as fc.Arbitrary<unknown>, { freq: 2, nil: undefined }),
				]),
			),
		)
		.map((record) =>
			Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
		) as fc.Arbitrary<Partial<Values>>;

const calling = (operation: fc.Arbitrary<Calling['operation']>) => ({
	operation,
	owner: mostly(0, 0, 1, 1, 2),
	testCall: mostly<Calling['testCall']>('automatic', 'always'),
	inTurn: fc.boolean(),
	onError: fc.constantFrom<Calling['onError']>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
	eachTime: mostly(false, true),
	atMost: mostly<number | undefined>(undefined, 1, 1, 2),
});

const node = (...operations: Array<Calling['operation']>): fc.Arbitrary<CallingNode> =>
	fc.record(calling(fc.constantFrom(...operations)));

const number = fc.oneof({ weight: 20, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.constant(4) });

const agent: fc.Arbitrary<CallingAgent> = fc.record({
	older: fc.boolean(),
	tools: fc.array(
		fc.record({
			...calling(fc.constantFrom('place', 'queueCall')),
			// n8n loses what a tool says at an error output.
			onError: mostly<Calling['onError']>('continueRegularOutput', 'stopWorkflow'),
			maxCalls: fc.constantFrom(1, 2, 3, 99),
			maxCallsPerHour: fc.constantFrom(2, 4, 99),
		}),
		{ minLength: 1, maxLength: 2 },
	),
	turns: fc.array(
		fc.array(fc.record({ tool: fc.nat({ max: 1 }), number: fc.nat({ max: 3 }) }), { minLength: 1, maxLength: 3 }),
		{
			minLength: 1,
			maxLength: 3,
		},
	),
	failingTries: mostly(0, 1),
	retryOnFail: fc.boolean(),
});

const meets: fc.Arbitrary<Meeting> = fc
	.record({
		// Often one is refused after others were taken.
		answers: fc.array(fc.constantFrom('nothing', 'nothing', '422', '422', 'late', ...ANSWERS), { maxLength: 5 }),
		more: sparse<Required<Pick<Meeting, 'finally' | 'lists'>>>({
			finally: fc.constantFrom('nothing', 'nothing', '401', '402', 'cut before'),
			lists: fc.constantFrom(...LISTS),
		}),
	})
	.map(({ answers, more }) => ({ answers, ...more }));

/** @param nodes the nodes that call @param more what is sometimes there, too */
const execution = (
	nodes: fc.Arbitrary<CallingNode[]>,
	more: Partial<Record<keyof ExecutionStep, fc.Arbitrary<unknown>>>,
) =>
	fc
		.record({
			always: fc.record({
				nodes,
				rounds: mostly(1, 2, 3),
				numbers: fc.array(number, { minLength: 1, maxLength: 6 }),
				mode: fc.constantFrom<ExecutionStep['mode']>('trigger', 'trigger', 'manual', 'evaluation'),
				inSubWorkflow: mostly(false, true),
				inWorker: fc.boolean(),
				credential: sparse<Required<ExecutionStep['credential']>>({
					testCallsOnly: mostly(false, true),
					callsPerRun: fc.integer({ min: 1, max: 5 }),
					// The seed has calls of this day.
					callsPerDay: fc.integer({ min: 2, max: 9 }),
				}),
				meets,
				retries: mostly(0, 1, 1, 2),
			}),
			sometimes: sparse({ cancelAfter: rarely(fc.integer({ min: 1, max: 5 })), ...more }),
		})
		.map(({ always, sometimes }) => ({ do: 'execute', ...always, ...sometimes }) as ExecutionStep);

/** In half of the cases in which it could be there. */
function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
	return fc.option(value, { freq: 2, nil: undefined }) as fc.Arbitrary<Value>;
}

const nodes = fc.array(node('place', 'place', 'place', 'queueCall', 'queueCall', 'placeAndWait', 'queueCallAndWait'), {
	minLength: 1,
	maxLength: 3,
});
const oneOfMany = { agent: rarely(agent) };

/** Several nodes, or an agent, perhaps beside others. */
export const executionStep = execution(nodes, { ...oneOfMany, beside: rarely(execution(nodes, oneOfMany)) });

/** One node that calls once, in most cases by the campaign of a trigger. In the engine here, an execution waits once. */
export const campaignStep = execution(
	fc.array(node('queueCall', 'queueCall', 'queueCallAndWait', 'place', 'placeAndWait'), { minLength: 1, maxLength: 1 }),
	{},
).map((step) => ({ ...step, rounds: 1 }));

/** Whether the calls of a node or tool are test calls. */
export const placesTestCalls = ({ mode, credential }: ExecutionStep, { testCall }: Calling): boolean =>
	mode !== 'trigger' || credential.testCallsOnly === true || testCall === 'always';
