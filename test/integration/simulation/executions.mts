import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import {
	harness,
	type Instance,
	type LoadedPackage,
	type NodeSpec,
	type WorkflowRun,
	type WorkflowSpec,
} from '../harness.mts';
import { actionNode, byId, retried, type Service } from '../service.mts';
import type { Clock } from './clock.mts';
import { type Calling, type CallingAgent, type ExecutionStep, NUMBERS } from './executionStep.mts';
import { faultOf } from './faults.mts';

/** A request that places or queues a call, as the service's journal has it. */
export interface CallRequest {
	/** The place in the journal. */
	at: number;
	status: number | null;
	fault?: string;
	body: { to: string; context?: { run?: string; node?: string; round?: number; item?: number } };
}

/** One try of an execution: the execution itself, or one of n8n's Retries. */
export interface Try {
	run: WorkflowRun;
	/** The length of the journal when it began, and when it had ended. */
	began: number;
	ended: number;
	/** How many calls the execution had sent when it was canceled. */
	canceled?: number;
	/** By n8n's clock, in milliseconds since 1970. */
	from: number;
	to: number;
}

/** A node or a tool that calls. */
export type Caller = Calling & Partial<CallingAgent['tools'][number]>;

/** An execution with its retries, as the auditor sees it. */
export interface Execution {
	id: string;
	step: ExecutionStep;
	/** The calling nodes or tools by name. */
	callers: Record<string, Caller>;
	tries: Try[];
	/** The real outbound calls of the day before it began. */
	callsBefore: number;
	/** Its process: the memory of a package. */
	process: LoadedPackage;
	/** Of the workflow, whose tools share a limit. */
	workflow: string;
	/** The other execution that runs at the same moment. */
	beside?: Execution;
	/** Whether the service had few credits when it began. */
	lacksCredits: boolean;
	/** Whether n8n itself has ended its wait. */
	isEndedByN8n?: boolean;
}

/** The processes that execute: each has a memory of its own. */
interface Home {
	n8n: Instance;
	worker: LoadedPackage;
}

const CALLS = '/api/v1/*';
const MANY = 99;

/** How often an execution sleeps at most, and longer than it sleeps each time. */
const MOST_WAITS = 6;
const LONGEST_WAIT_S = 8 * 86_400;

/** How often the end of a wait is looked for. */
const MOST_CHECKS = 400;

/** The answers of the requests before a cancel, which comes while the last of them is under way. */
const untilCancel = (count: number) => [...Array.from({ length: count - 1 }, () => 'nothing'), 'slow'];

let executions = 0;

/** Plays executions of workflows that call. */
export class Executions {
	readonly all: Execution[] = [];
	/** What is left at the service; null without a limit. */
	credits: number | null = null;
	private readonly service: Service;
	private readonly clock: Clock;
	private readonly home: Home;
	private readonly owners: Record<'agents' | 'campaigns', readonly string[]>;
	private readonly workflow: string;

	constructor(service: Service, clock: Clock, home: Home, owners: Executions['owners'], workflow: string) {
		this.service = service;
		this.clock = clock;
		this.home = home;
		this.owners = owners;
		this.workflow = workflow;
	}

	/** The requests that place or queue calls. */
	async callRequests(): Promise<CallRequest[]> {
		const all = await this.service.requests();
		return all
			.map((request, at) => ({
				...(request as unknown as CallRequest),
				at,
				method: request.method,
				path: request.path,
			}))
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	}

	/** Runs a workflow, perhaps beside another one, and retries it. Some of its requests meet faults. */
	async play(step: ExecutionStep): Promise<Execution[]> {
		const { answers, finally: last, lists } = step.meets;
		for (const name of [...(step.cancelAfter === undefined ? [] : untilCancel(step.cancelAfter)), ...answers]) {
			await this.service.fault(faultOf(name, CALLS));
		}
		if (last !== undefined) {
			await this.service.fault(faultOf(last, CALLS, 'POST', MANY));
		}
		if (lists !== undefined) {
			await this.service.fault(faultOf(lists, CALLS, 'GET', 2));
		}
		// Both meet the same.
		const steps = step.beside ? [step, { ...step.beside, meets: step.meets }] : [step];
		const made = await Promise.all(steps.map(async (one) => await this.make(one)));
		for (const [index, execution] of made.entries()) {
			execution.beside = made[1 - index];
		}
		const both = await Promise.all(made.map(async (execution) => await this.begin(execution)));
		await fetch(`${this.service.url}/_sandbox/faults`, { method: 'DELETE' });
		for (const { execution, spec } of both) {
			for (let count = 0; count < execution.step.retries; count++) {
				await this.retry(execution, spec);
			}
		}
		return both.map(({ execution }) => execution);
	}

	/** Gives an execution that sleeps time to be resumed. */
	async awaken(id: string): Promise<void> {
		for (let checks = 0; checks < MOST_CHECKS && this.home.n8n.waiting.rest(id) === undefined; checks++) {
			await sleep(5);
		}
	}

	/**
	 * Lets the longest wait pass, and waits until the executions that sleep are resumed, by an event, at their time limit, or
	 * by n8n itself. In a loop, an execution sleeps several times.
	 */
	async settle(): Promise<void> {
		const { waiting } = this.home.n8n;
		for (let times = 0; times < MOST_WAITS; times++) {
			const asleep = this.all.filter(({ tries }) => tries.at(-1)!.run.status === 'waiting');
			if (asleep.length === 0) {
				return;
			}
			await this.clock.jump(LONGEST_WAIT_S);
			for (const { tries } of asleep) {
				await this.awaken(tries.at(-1)!.run.id);
			}
			await this.clock.during(async () => {
				const overdue = await waiting.resumeOverdue();
				for (const execution of asleep) {
					const last = execution.tries.at(-1)!;
					execution.isEndedByN8n ||= overdue.includes(last.run.id);
					last.run = (await waiting.rest(last.run.id)) ?? waiting.stored(last.run.id) ?? last.run;
					last.ended = await this.journalLength();
				}
			}, true);
		}
	}

	private async make(step: ExecutionStep): Promise<Execution> {
		const id = `execution ${++executions}`;
		const callers = callersOf(step);
		const execution: Execution = {
			id,
			step,
			callers,
			tries: [],
			callsBefore: await this.realCallsToday(),
			process: step.inWorker ? this.home.worker : this.home.n8n.loaded,
			workflow: this.workflow,
			lacksCredits: this.credits !== null,
		};
		this.all.push(execution);
		return execution;
	}

	private async begin(execution: Execution): Promise<{ execution: Execution; spec: WorkflowSpec }> {
		const { step } = execution;
		const spec = this.workflowOf(execution);
		await this.try(execution, async (options) => {
			const started = await harness.startWorkflow(spec, options);
			if (step.cancelAfter !== undefined) {
				await this.cancelDuring(started, execution, step.cancelAfter);
			}
			return await started.result;
		});
		return { execution, spec };
	}

	/** Retries an execution that failed, as a person does when the service works again. */
	private async retry(execution: Execution, spec: WorkflowSpec): Promise<void> {
		const last = execution.tries.at(-1)!;
		if (last.run.status === 'success' || last.run.status === 'waiting') {
			return;
		}
		await this.try(execution, async (options) => await harness.retryWorkflow(spec, last.run, options));
	}

	private async try(
		execution: Execution,
		work: (options: Parameters<typeof harness.startWorkflow>[1]) => Promise<WorkflowRun>,
	): Promise<void> {
		const { step } = execution;
		const began = await this.journalLength();
		const from = this.clock.now();
		const attempt = { began, from } as Try;
		execution.tries.push(attempt);
		const run = await this.clock.during(
			async () =>
				await work({
					...(step.inSubWorkflow ? { mode: 'integrated', rootMode: step.mode } : { mode: step.mode }),
					package: await harness.packageWithTool(execution.process),
					n8n: this.home.n8n,
				}),
			Object.values(execution.callers).some(({ operation }) => operation.endsWith('AndWait')),
		);
		await this.service.settled();
		Object.assign(attempt, { run, ended: await this.journalLength(), to: this.clock.now() });
	}

	private async cancelDuring(
		{ cancel, result }: Awaited<ReturnType<typeof harness.startWorkflow>>,
		{ id, tries }: Execution,
		after: number,
	): Promise<void> {
		let isOver = false;
		result.then(() => (isOver = true));
		const attempt = tries.at(-1)!;
		while (!isOver) {
			const sent = (await this.callRequests()).filter(({ body }) => body.context?.run === id);
			if (sent.length >= after) {
				attempt.canceled = sent.length;
				cancel();
				return;
			}
			await sleep(2);
		}
	}

	private async journalLength(): Promise<number> {
		return (await this.service.requests()).length;
	}

	private async realCallsToday(): Promise<number> {
		const calls = (await this.service.calls()) as unknown as Array<Record<string, string | boolean>>;
		return calls.filter(
			(call) =>
				call.direction === 'outbound' &&
				call.is_testing === false &&
				String(call.created_at).startsWith(this.clock.today()),
		).length;
	}

	private workflowOf({ id, step, callers, workflow }: Execution): WorkflowSpec {
		const items = step.numbers.map((index) => (NUMBERS[index] ? { to: NUMBERS[index] } : {}));
		const source = harness.sourceOf(items as never);
		const { testCallsOnly, ...limits } = step.credential;
		const credentials = this.service.credentials({ ...limits, ...(testCallsOnly && { testCallsOnly }) });
		const common = { id: workflow, credentials };
		const names = Object.keys(callers);
		if (step.agent) {
			const tools = step.agent.tools.map((tool, index) => ({
				...this.nodeOf(id, names[index]!, tool),
				type: `${actionNode}Tool`,
			}));
			const nodes = [source, agentOf(step.agent, names), ...tools];
			const used = Object.fromEntries(names.map((name) => [name, 'Agent']));
			return { ...common, nodes, connections: { Source: [['Agent']] }, tools: used };
		}
		const nodes = step.nodes.map((node, index) => this.nodeOf(id, names[index]!, node));
		const [first, ...others] = names as [string, ...string[]];
		if (step.rounds === 1) {
			return { ...common, nodes: [source, ...nodes], connections: { Source: [names] } };
		}
		const loop = { name: 'Loop', type: 'harness.loop', parameters: { rounds: step.rounds } };
		const connections = { Source: [['Loop', ...others]], Loop: [[], [first]], [first]: [['Loop']] };
		return { ...common, nodes: [source, loop, ...nodes], connections };
	}

	private nodeOf(id: string, name: string, caller: Caller): NodeSpec {
		const { operation, owner, testCall, inTurn, onError, retryOnFail, eachTime, atMost } = caller;
		const { maxCalls, maxCallsPerHour } = caller;
		const isTool = maxCalls !== undefined;
		const isQueued = operation === 'queueCall' || operation === 'queueCallAndWait';
		const isWaiting = operation === 'placeAndWait' || operation === 'queueCallAndWait';
		const options = {
			// Other metadata at each try make no other call.
			metadataJson: `={{ { run: '${id}', node: '${name}', round: $runIndex, item: ${isTool ? 0 : '$itemIndex'}, at: Math.random() } }}`,
			missingVariables: 'ignore',
			...(eachTime && { repeatedNumber: 'callEachTime' }),
			...(atMost !== undefined && { frequencyCap: { values: { atMost, days: 1 } } }),
		};
		const more = {
			operation,
			testCall,
			phoneNumber: isTool ? "={{ $fromAI('phone') }}" : '={{ $json.to ?? "none".toDateTime() }}',
			...(isWaiting && { waitBy: 'automatic' }),
			...(inTurn && { sending: { maxConcurrentRequests: 1 } }),
			...(isTool && { maxCalls, maxCallsPerHour, allowedPrefixes: '' }),
		};
		const parameters = isQueued
			? this.service.queue(options, { ...more, campaign: byId(this.owners.campaigns[owner]!) })
			: this.service.place(options, { ...more, agent: byId(this.owners.agents[owner]!) });
		return { name, type: actionNode, parameters: parameters as INodeParameters, onError, ...(retryOnFail && retried) };
	}
}

/** The nodes or tools that call, by name. */
function callersOf({ nodes, agent }: ExecutionStep): Execution['callers'] {
	const named = (name: string, all: readonly Calling[]) => all.map((one, index) => [`${name} ${index}`, one]);
	return Object.fromEntries(agent ? named('Tool', agent.tools) : named('Call', nodes)) as Execution['callers'];
}

function agentOf({ older, turns, tools, failingTries, retryOnFail }: CallingAgent, names: string[]): NodeSpec {
	const uses = turns.map((turn) =>
		turn.map(({ tool, number }) => ({ tool: names[tool % tools.length]!, input: { phone: NUMBERS[number]! } })),
	);
	return {
		name: 'Agent',
		type: older ? 'harness.olderAgent' : 'harness.agent',
		parameters: { turns: uses as never, failingTries },
		...(retryOnFail && retried),
	};
}
