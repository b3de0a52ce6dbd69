import { hintsIn } from '../service.mts';
import { reportedResults } from '../VoiceAgentCalling/sending/reportedResults.mts';
import { isElsewhere, isForgottenByRetry, isNotAsked, isSentAtOnce, mayNotRing } from './allowances.mts';
import { NUMBERS, placesTestCalls } from './executionStep.mts';
import type { CallRequest, Execution, Try } from './executions.mts';

/** A call of an agent or of a campaign, as the service has it: a phone that rang, or that rings when its campaign calls. */
export interface ServiceCall {
	id: string;
	to: string;
	is_testing: boolean;
	status: string;
	created_at: string;
	context?: { run?: string; node?: string; round?: number; item?: number };
	/** Whether a campaign has it. */
	isQueued: boolean;
}

/** What became of a request: acted on, certainly not, or nobody can tell. */
type Fate = 'taken' | 'refused' | 'unclear';

export interface Sent {
	/** The place in the journal. */
	at: number;
	node: string;
	round: number;
	item: number;
	to: string;
	status: number | null;
	fate: Fate;
}

/** What one item, or one use of a tool, is reported to have become. */
interface Report {
	node: string;
	round: number;
	item: number;
	to: string;
	/** The node's word; from an error `done`. */
	result: string;
	json: Record<string, unknown>;
}

/** An execution with its retries, and what the service has of it. */
interface Seen {
	execution: Execution;
	sent: Sent[];
	calls: ServiceCall[];
	/** As the last of its tries reports them. */
	reports: Report[];
	everybodysCalls: ServiceCall[];
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The results of items that share or have a call. */
const CALLED = ['placed', 'queued', 'alreadyQueued', 'sameNumber', 'done'];

/** How many phones a manual execution calls in a run of a node with Test Call at Automatic. */
const TRIED_BY_HAND = 5;

/** The results of items that certainly have no call. */
const NOT_CALLED = ['failed', 'notTried', 'limitReached', 'tooOften', 'notReady'];

const fateOf = ({ status, fault }: CallRequest): Fate => {
	const isInvented = fault !== undefined && fault !== 'latency';
	if (status === null || status >= 500 || (isInvented && status < 400)) {
		return 'unclear';
	}
	return status < 400 ? 'taken' : 'refused';
};

/** Whether a request may have placed a call. */
const notRefused = ({ fate }: Sent) => fate !== 'refused';

/** Checks executions against what the service has. @returns what is wrong, in sentences */
export function auditExecutions(executions: Execution[], requests: CallRequest[], calls: ServiceCall[]): string[] {
	const seen = executions.map((execution) => see(execution, requests, calls));
	return [
		...seen.flatMap((one) => invariants.flatMap((check) => check(one).map((what) => `${one.execution.id}: ${what}`))),
		...callsPerHour(seen),
	];
}

/** The IDs of the calls for which executions wait. */
export function awaitedOf(executions: readonly Execution[], calls: readonly ServiceCall[]): Set<string> {
	const waiting = calls.filter(({ context }) => {
		const caller = executions.find(({ id }) => id === context?.run)?.callers[context?.node ?? ''];
		return caller?.operation.endsWith('AndWait');
	});
	return new Set(waiting.map(({ id }) => id));
}

function see(execution: Execution, requests: readonly CallRequest[], calls: ServiceCall[]): Seen {
	return {
		execution,
		sent: sentBy(execution, requests),
		calls: calls.filter(({ context }) => context?.run === execution.id),
		reports: reportsOf(execution),
		everybodysCalls: calls,
	};
}

/** The requests of an execution and its retries. */
export function sentBy({ id }: Execution, requests: readonly CallRequest[]): Sent[] {
	return requests
		.filter(({ body }) => body.context?.run === id)
		.map((request) => {
			const { at, status, body } = request;
			const { node = '', round = 0, item = 0 } = body.context ?? {};
			return { at, node, round, item, to: body.to, status, fate: fateOf(request) };
		});
}

/** What a try, the last one by default, says of each item and of each use of a tool. */
export function reportsOf({ step, callers, tries }: Execution, { run }: Try = tries.at(-1)!): Report[] {
	return Object.keys(callers).flatMap((node) =>
		step.agent ? reportsOfTool(node, run, tries) : reportsOfNode(node, run, step.numbers),
	);
}

function reportsOfNode(node: string, run: Try['run'], numbers: number[]): Report[] {
	return (run.nodes[node] ?? []).flatMap(({ outputs, error }, round) => {
		const common = (item: number) => ({ node, round, item, to: NUMBERS[numbers[item]!] ?? '' });
		if (error === undefined) {
			return outputs.flat().map(({ json: output, pairedItem }) => {
				const { item } = pairedItem as { item: number };
				// After a wait, an error output has the item as its error.
				const json = (output.result === undefined ? (output.error ?? output) : output) as Report['json'];
				return { ...common(item), result: String(json.result), json };
			});
		}
		const { message, description } = error as Error & { description?: string };
		const only = message.includes('Outcome unknown')
			? 'with an unknown outcome'
			: message.includes('Not tried')
				? 'not tried'
				: 'failed';
		const list = numbers.length === 1 ? `${only} (sheet row 2)` : String(description);
		return reportedResults(list, numbers.length).flatMap((results, item) =>
			results.map((result) => ({ ...common(item), result, json: { error: message, list } })),
		);
	});
}

type ToolRun = {
	executionStatus?: string;
	inputOverride?: { ai_tool?: [[{ json: { phone: string } }]] };
	data?: { ai_tool?: Array<Array<{ json: Record<string, unknown> }>> };
	error?: Error;
};

/** A tool answers its model: with the call, or with what is wrong. */
function reportsOfTool(node: string, run: Try['run'], tries: readonly Try[]): Report[] {
	const runsIn = ({ stored }: Try['run']) => (stored.data.resultData.runData[node] ?? []) as unknown as ToolRun[];
	return runsIn(run).flatMap(({ data, error, executionStatus }, round) => {
		// An error of another tool has ended the execution before, or somebody has canceled it: then n8n stores the
		// arguments of the tool as what it said.
		if (error === undefined && (data === undefined || executionStatus === 'canceled')) {
			return [];
		}
		// In a Retry, n8n runs a tool again without saying with what.
		const inputs = tries.map((attempt) => runsIn(attempt.run)[round]?.inputOverride?.ai_tool?.[0][0].json.phone);
		const to = inputs.find((phone) => phone !== undefined) ?? '';
		const [output = {}] = (data?.ai_tool ?? []).flat().map((item) => item.json);
		// An older agent has the items of a tool in one.
		const [json = {}] = [output.response ?? output].flat() as Array<Record<string, unknown>>;
		const text = `${error?.message} ${JSON.stringify(json)}`;
		const inError = error?.message.includes('Not tried') ? 'notTried' : 'failed';
		const said = text.includes('Outcome unknown') ? 'unknown' : String(json.result ?? inError);
		const result = text.includes('reached its limit') ? 'limitReached' : said;
		return [{ node, round, item: 0, to, result, json: { ...json, ...(error && { error: error.message }) } }];
	});
}

/** Groups by a text. */
function by<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
	const groups = new Map<string, Value[]>();
	for (const value of values) {
		const key = keyOf(value);
		groups.set(key, [...(groups.get(key) ?? []), value]);
	}
	return groups;
}

const isTestOf = ({ step, callers }: Execution, node = '') => placesTestCalls(step, callers[node]!);
const isQueue = ({ callers }: Execution, node: string) => callers[node]!.operation.startsWith('queueCall');

/** Whether a phone may ring because of a request of the execution without a clear outcome, or one that n8n has ended. */
const mayRing = ({ execution, sent }: Pick<Seen, 'execution' | 'sent'>, to: string) =>
	sent.some((request) => request.to === to && request.fate === 'unclear') ||
	execution.tries.some(({ canceled }) => canceled !== undefined);

/**
 * Makes the test whether an item without a call counted for a limit: nobody waited for its answer, or a model used a tool
 * again before the answer came.
 */
const holdsPlace =
	({ agent }: Execution['step']) =>
	({ result }: Report) =>
		result === 'unknown' || (agent !== undefined && result === 'failed');

/** Whether a call is one of the execution at the same moment, in another process. */
const isBesideElsewhere = (execution: Execution, { context }: ServiceCall) =>
	isElsewhere(execution, execution.beside) && context?.run === execution.beside?.id;

/** Each invariant says what is wrong with an execution. */
const invariants: ReadonlyArray<(seen: Seen) => string[]> = [
	/** A phone rings once for each run of a node, and once for all tools of an execution. */
	function once({ execution, calls }) {
		const groups = by(calls, ({ to, context = {} }) => {
			const caller = execution.callers[context.node ?? '']!;
			if (execution.step.agent) {
				return [to, ...(caller.eachTime ? [context.node, context.round] : [isTestOf(execution, context.node)])].join();
			}
			return [to, context.node, context.round, caller.eachTime ? context.item : ''].join();
		});
		const rung = [...groups.values()].filter((rings) => rings.length > 1);
		return rung.map(([{ to, context }, ...more]) => `${to} rings ${1 + more.length} times by ${whoIn(context)}`);
	},

	/** A phone of which nobody knows whether it rings is not called again, by no node and in no try. */
	function notAfterUnclear({ execution, sent }) {
		return sent.flatMap((request, index) => {
			const unclear = sent
				.slice(0, index)
				.find(
					(earlier) =>
						earlier.fate === 'unclear' && earlier.to === request.to && !isSentAtOnce(execution, earlier, request),
				);
			return unclear
				? [`${request.to} is called again by ${whoIn(request)} after ${whoIn(unclear)}, whose outcome is unknown`]
				: [];
		});
	},

	/** What rings in a test run costs nothing, and rings no one as a real call. */
	function testOrReal({ execution, calls, reports }) {
		return [
			...calls
				.filter(({ is_testing, context }) => is_testing !== isTestOf(execution, context?.node))
				.map(({ to, is_testing, context }) => `${to} has a ${is_testing ? 'test' : 'real'} call by ${whoIn(context)}`),
			...reports
				.filter(({ json, node, round, result }) => {
					// An unknown outcome may be that of another node's call, and a call that was queued before is another one.
					const isShared = ({ node: other, round: its, item }: (typeof reports)[number]) =>
						other === node && its === round && item === json.sameNumberAsItem;
					const own = result === 'sameNumber' ? (reports.find(isShared)?.result ?? result) : result;
					return (
						CALLED.includes(result) &&
						own !== 'alreadyQueued' &&
						// In a Retry, nobody gets a test call who had a real one.
						!(own === 'sameNumber' && execution.tries.length > 1) &&
						typeof json.isTest === 'boolean' &&
						json.isTest !== isTestOf(execution, node)
					);
				})
				.map((report) => `${whoIn(report)} says isTest: ${String(report.json.isTest)}`),
		];
	},

	/** One output for each item. */
	function complete({ execution: { tries, step, callers }, reports }) {
		const { run } = tries.at(-1)!;
		if (step.agent) {
			return [];
		}
		return Object.keys(callers).flatMap((node) =>
			(run.nodes[node] ?? []).flatMap(({ error }, round) => {
				const items = reports
					.filter((report) => report.node === node && report.round === round)
					.map(({ item }) => item);
				const wanted = step.numbers.map((_number, item) => item);
				const isComplete = JSON.stringify(items.toSorted((one, other) => one - other)) === JSON.stringify(wanted);
				return error !== undefined || isComplete
					? []
					: [`${node}, round ${round} has the items ${items.join()} of ${wanted.join()}`];
			}),
		);
	},

	/** What an item says of its call is true. */
	function reported({ execution, sent, calls, reports, everybodysCalls }) {
		const isHeld = holdsPlace(execution.step);
		return reports.flatMap((report) => {
			const { node, round, item, to, result, json } = report;
			const isOwnRun = ({ context }: ServiceCall) => context?.node === node && context.round === round;
			// A tool returns the call of any tool.
			const rang = calls.filter((call) => to !== '' && (execution.step.agent !== undefined || isOwnRun(call)));
			const own = rang.filter((call) => call.to === to);
			const says = `${whoIn(report)} says ${result} of ${to || 'no number'}`;
			if (
				NOT_CALLED.includes(result) &&
				!isCutShort(execution) &&
				!isForgottenByRetry(execution) &&
				own.some((call) => isOwnRun(call) && call.context?.item === item)
			) {
				return [`${says}, which it has called`];
			}
			if (result === 'unknown') {
				return mayRing({ execution, sent }, to) ? [] : [`${says}, which is not so`];
			}
			if (result === 'tooOften') {
				// A campaign may call the phone several times. The other execution may be about to call it.
				const mayHaveCalls = isQueue(execution, node) || execution.beside !== undefined;
				const mayHaveRung = [...sent.filter(notRefused), ...reports.filter(isHeld)];
				return mayHaveCalls || [...everybodysCalls, ...mayHaveRung].some((one) => one.to === to)
					? []
					: [`${says}, which nobody has called`];
			}
			if (!CALLED.includes(result)) {
				return NOT_CALLED.includes(result) ? [] : [`${says}, which is no result`];
			}
			// Who shares the call of another item may share one that the campaign had before.
			if (result === 'alreadyQueued' || (['sameNumber', 'done'].includes(result) && isQueue(execution, node))) {
				const isThere = own.length > 0 || everybodysCalls.some((call) => call.to === to && call.isQueued);
				// Without credits the campaign calls nobody.
				return isThere || execution.lacksCredits ? [] : [`${says}, and no campaign has it`];
			}
			if (own.length === 0 && !(isQueue(execution, node) && execution.lacksCredits)) {
				return [`${says}, which has no call`];
			}
			const isOwn =
				own.length === 0 ||
				typeof json.id !== 'string' ||
				own.some(({ id }) => id === json.id) ||
				result === 'sameNumber';
			return isOwn ? [] : [`${says}, with the ID of another call`];
		});
	},

	/** Each call is in the report of an item with its number. */
	function callsAreReported({ execution, calls, reports }) {
		if (isCutShort(execution) || isForgottenByRetry(execution)) {
			return [];
		}
		return calls
			.filter(({ to, context = {} }) => {
				const own = reports.filter(
					(report) => report.node === context.node && report.round === context.round && report.to === to,
				);
				return !own.some(({ result }) => CALLED.includes(result) || result === 'unknown');
			})
			.map(({ to, context }) => `no item says that ${to} was called by ${whoIn(context)}`);
	},

	/** Nobody is forgotten: what has failed was refused, in the try that reports it. */
	function refused({ execution, sent, reports }) {
		const { tries, step } = execution;
		if (step.meets.lists !== undefined || isCutShort(execution) || isForgottenByRetry(execution)) {
			return [];
		}
		const [before, last] = [tries.at(-2), tries.at(-1)!];
		const failed = reports.filter(({ to, result }) => result === 'failed' && to !== '');
		return failed.flatMap((report) => {
			const { node, round, item } = report;
			const isRunAgain = !step.agent && before?.run.nodes[node]?.[round]?.error !== undefined;
			const isRefused = sent.some(
				(request) =>
					request.node === node &&
					request.round === round &&
					request.item === item &&
					request.fate === 'refused' &&
					request.at >= (isRunAgain ? last.began : 0),
			);
			return isRefused ? [] : [`${whoIn(report)} says failed of ${report.to}, which nothing has refused`];
		});
	},

	/** Nobody is forgotten: what was not tried was stopped by something. */
	function stopped({ execution, sent, reports }) {
		const notTried = reports.filter(({ result }) => result === 'notTried' && !isCutShort(execution));
		return notTried.flatMap((report) => {
			const ofRun = reports.filter(({ node, round }) => node === report.node && round === report.round);
			const isStopped = ofRun.some(
				({ result, to }) => ['failed', 'unknown'].includes(result) || mayRing({ execution, sent }, to),
			);
			const others = ofRun.filter(({ result }) => !['notTried', 'sameNumber'].includes(result));
			const isBeyondTrial = execution.step.mode === 'manual' && others.length >= TRIED_BY_HAND;
			return isStopped || isBeyondTrial
				? []
				: [`${whoIn(report)} says notTried of ${report.to}, although nothing has stopped it`];
		});
	},

	/** Nobody is forgotten: a limit holds nobody back before it is reached. */
	function limited({ execution, reports, sent }) {
		const { step, callers } = execution;
		const { callsPerRun = Number.POSITIVE_INFINITY, callsPerDay } = step.credential;
		const isHourly = step.agent?.tools.some(({ maxCallsPerHour }) => maxCallsPerHour < 99) === true;
		const isHeld = holdsPlace(step);
		// What a cancel has cut short is in no report, and keeps its place.
		if (callsPerDay !== undefined || isHourly || isCutShort(execution) || reports.some(isHeld)) {
			return [];
		}
		return reports
			.filter(({ result }) => result === 'limitReached')
			.flatMap((report) => {
				const { maxCalls = Number.POSITIVE_INFINITY } = callers[report.node]!;
				const mayHaveRung = sent.filter(notRefused);
				const count = new Set(mayHaveRung.map(({ node, round, item }) => [node, round, item].join())).size;
				const isReached = count >= Math.min(callsPerRun, maxCalls);
				return isReached ? [] : [`${whoIn(report)} says limitReached of ${report.to}, after ${count} calls`];
			});
	},

	/** After a refusal that concerns what follows, nothing more is sent. */
	function stops({ execution, sent }) {
		return sent.flatMap((stop, index) => {
			const { inTurn, onError, retryOnFail, operation } = execution.callers[stop.node]!;
			const isOwn = (request: Sent) => request.node === stop.node && request.round === stop.round;
			const tryOf = ({ at }: Sent) => execution.tries.findIndex(({ ended }) => at < ended);
			if (!inTurn || retryOnFail || execution.step.agent || stop.fate === 'taken' || stop.status === 429) {
				return [];
			}
			const isAlreadyQueued = stop.status === 409 && operation !== 'place';
			const isStop = onError === 'stopWorkflow' ? !isAlreadyQueued : stop.status === 401;
			const next = sent.slice(index + 1).find((request) => tryOf(request) === tryOf(stop) && isOwn(request));
			return isStop && next ? [`${whoIn(next)} calls ${next.to} after ${whoIn(stop)} got ${stop.status}`] : [];
		});
	},

	/** Nothing is sent after a cancel but what was under way, and nothing after the end. */
	function ends({ execution: { tries, callers, step }, sent }) {
		const inTurn = Object.values(callers).every((caller) => caller.inTurn) && step.agent?.older !== true;
		return tries.flatMap(({ began, canceled, ended }, index) => {
			const own = sent.filter(({ at }) => at >= began && at < (tries[index + 1]?.began ?? Number.POSITIVE_INFINITY));
			const late = own.filter(({ at }) => at >= ended);
			const underWay = inTurn ? 1 : Number.POSITIVE_INFINITY;
			const after = canceled === undefined ? 0 : own.length - canceled;
			return [
				...late.map(({ to }) => `${to} is called after the end of the execution`),
				...(after > underWay ? [`${after} calls are sent after the cancel`] : []),
			];
		});
	},

	/** No more calls than Calls per Run. */
	function callsPerRun({ execution: { step }, calls }) {
		const { callsPerRun = Number.POSITIVE_INFINITY } = step.credential;
		return calls.length > callsPerRun ? [`${calls.length} calls with Calls per Run at ${callsPerRun}`] : [];
	},

	/** No more real calls than what was left of Calls per Day, also by two executions of a process at the same moment. */
	function callsPerDay({ execution, calls, everybodysCalls }) {
		const { step, tries, callsBefore, beside } = execution;
		const { callsPerDay = Number.POSITIVE_INFINITY } = step.credential;
		const { callsPerDay: others = Number.POSITIVE_INFINITY } = beside?.step.credential ?? {};
		const days = new Set(
			tries.flatMap(({ from, to }) => [from, to].map((ms) => new Date(ms).toISOString().slice(0, 10))),
		);
		if (isElsewhere(execution, beside) || days.size > 1 || step.meets.lists !== undefined) {
			return [];
		}
		const isReal = ({ is_testing }: ServiceCall) => !is_testing;
		const real = calls.filter(isReal).length;
		const together = real + everybodysCalls.filter((call) => call.context?.run === beside?.id).filter(isReal).length;
		const tooMany = (count: number, limit: number) =>
			count > Math.max(0, limit - callsBefore)
				? [`${count} real calls with Calls per Day at ${limit}, ${callsBefore} before`]
				: [];
		// With two limits the higher one is never exceeded.
		return [...tooMany(real, callsPerDay), ...tooMany(beside ? together : 0, Math.max(callsPerDay, others))];
	},

	/** No agent calls a phone more often in a day than its Frequency Cap allows. */
	function frequency({ execution, calls, everybodysCalls }) {
		if (execution.step.meets.lists !== undefined) {
			return [];
		}
		const byAgents = everybodysCalls.filter(
			(call) => !call.isQueued && (call.context?.run === execution.id || !isBesideElsewhere(execution, call)),
		);
		return calls
			.filter(({ isQueued }) => !isQueued)
			.flatMap((call) => {
				const { atMost = Number.POSITIVE_INFINITY } = execution.callers[call.context?.node ?? '']!;
				const since = Date.parse(call.created_at) - DAY_MS + SECOND_MS;
				const before = byAgents
					.slice(0, byAgents.indexOf(call))
					.filter((one) => one.to === call.to && Date.parse(one.created_at) > since);
				return before.length >= atMost
					? [`${call.to} is called by ${whoIn(call.context)} after ${before.length} calls, with a cap of ${atMost}`]
					: [];
			});
	},

	/** Who shares a call shares one that rings. */
	function shared({ execution, sent, reports }) {
		return reports
			.filter(({ node, result }) => result === 'sameNumber' && !isQueue(execution, node))
			.filter(({ node, round, to }) => {
				const own = sent.filter((request) => request.to === to && request.node === node && request.round === round);
				return !own.some(({ fate }) => fate === 'taken') && !execution.step.agent;
			})
			.map((report) => `${whoIn(report)} says sameNumber of ${report.to}, which has no call that is known`);
	},

	/** The hint counts what the service has taken, and what may ring. */
	function hints({ execution, sent, reports }) {
		if (execution.step.agent || isCutShort(execution) || isForgottenByRetry(execution)) {
			return [];
		}
		const { run } = execution.tries.at(-1)!;
		return Object.keys(execution.callers).flatMap((node) =>
			(run.nodes[node] ?? []).flatMap(({ error }, round) => {
				const own = sent.filter((request) => request.node === node && request.round === round);
				const hint = error === undefined ? hintsIn(run, node, round).join(' ') : '';
				const said = `${hint} ${error?.message} ${(error as { description?: string } | undefined)?.description}`;
				const mayHaveRung = own.some(notRefused);
				const problems =
					mayHaveRung && /No calls were|Nothing was done/.test(said)
						? [`${node}, round ${round} says that nobody was called: ${said}`]
						: [];
				// An execution that has slept has no hint of what it did before.
				const isForgotten = hint === '' && execution.callers[node]!.operation.endsWith('AndWait');
				if (error !== undefined || isForgotten) {
					return problems;
				}
				const count = (pattern: RegExp) => Number(pattern.exec(hint)?.[1] ?? 0);
				const unknown = reports.filter(
					(report) => report.node === node && report.round === round && report.result === 'unknown',
				);
				// An execution that was stopped before the response came does not know that the service has taken the call.
				const isKnown = ({ item }: (typeof own)[number]) => !unknown.some((report) => report.item === item);
				const taken = own.filter((request) => request.fate === 'taken' && isKnown(request)).length;
				const calls =
					count(/(\d+) test calls? (?:placed|queued):/) +
					count(/(\d+) real calls? (?:placed|queued):/) +
					count(/(\d+) calls? of an earlier attempt/);
				return [
					...problems,
					...(calls === taken ? [] : [`${node}, round ${round} says ${calls} calls, but has ${taken}: ${hint}`]),
					...(count(/(\d+) with an unknown outcome/) === unknown.length
						? []
						: [`${node}, round ${round} has ${unknown.length} unknown items, but says: ${hint}`]),
				];
			}),
		);
	},

	/** No tool calls after as many calls as its Max Calls per Run, by whichever tool. */
	function maxCalls({ execution: { step, callers }, sent }) {
		return (step.agent?.tools ?? []).flatMap(({ maxCalls }, index) => {
			const name = Object.keys(callers)[index];
			const before = callsBefore(sent, name);
			return before >= maxCalls ? [`${name} calls after ${before} calls, with Max Calls per Run at ${maxCalls}`] : [];
		});
	},

	/** An execution fails only if a node of it may stop it. */
	function status({ execution: { step, callers, tries } }) {
		const { run, canceled } = tries.at(-1)!;
		const mayStop =
			Object.values(callers).some(({ onError }) => onError === 'stopWorkflow') || step.agent !== undefined;
		return run.status === 'error' && !mayStop && canceled === undefined
			? [`it ends with an error, which no node may: ${run.error?.message}`]
			: [];
	},

	/** A wait ends. */
	function waits({ execution }) {
		const isWaiting = execution.tries.at(-1)!.run.status === 'waiting';
		return isWaiting ? ['it waits forever'] : [];
	},

	/** The outcome of a call is what became of it. */
	function outcomes({ reports, execution }) {
		if (isCutShort(execution)) {
			return [];
		}
		return reports.flatMap((report) => {
			const { json, node, to } = report;
			if (!execution.callers[node]!.operation.endsWith('AndWait') || !['placed', 'queued'].includes(report.result)) {
				return [];
			}
			const wanted = OUTCOMES[to]!;
			// A campaign calls a busy phone again, and has failed in the end.
			const allowed = isQueue(execution, node) ? [wanted, wanted === 'completed' ? wanted : 'failed'] : [wanted];
			const isAllowed =
				allowed.includes(String(json.outcome)) ||
				execution.step.meets.lists !== undefined ||
				mayNotRing(execution, json.outcome) ||
				isNotAsked(execution, json.outcome);
			return isAllowed ? [] : [`the call to ${to} has the outcome ${String(json.outcome)}`];
		});
	},
];

/** What becomes of the calls to the numbers. */
const OUTCOMES: Readonly<Record<string, string>> = {
	'+12025550001': 'completed',
	'+12025550002': 'busy',
	'+12025550003': 'noAnswer',
	'+12025550111': 'completed',
};

/** How many calls there were, or may have been, before the last request of a tool; -1 if it has sent none. */
function callsBefore(sent: readonly Sent[], node = ''): number {
	const last = sent.findLastIndex((request) => request.node === node);
	return last === -1 ? -1 : sent.slice(0, last).filter(notRefused).length;
}

/** No tool calls after as many calls of an hour as its Max Calls per Hour, by the tools of its workflow in its process. */
function callsPerHour(seen: Seen[]): string[] {
	const uses = seen.filter(({ execution }) => execution.step.agent !== undefined);
	return uses.flatMap(({ execution, sent }, index) => {
		const { process, tries, step } = execution;
		const since = tries.at(-1)!.to - HOUR_MS;
		const earlier = uses
			.slice(0, index)
			.filter((other) => other.execution.process === process && other.execution.tries[0]!.from > since)
			.filter((other) => other.execution.tries.at(-1)!.ended <= tries[0]!.began)
			.flatMap((other) => other.sent.filter(notRefused)).length;
		return (step.agent?.tools ?? []).flatMap(({ maxCallsPerHour }, tool) => {
			const own = callsBefore(sent, `Tool ${tool}`);
			return own >= 0 && own + earlier >= maxCallsPerHour
				? [
						`${execution.id}: Tool ${tool} calls after ${own + earlier} calls, with Max Calls per Hour at ${maxCallsPerHour}`,
					]
				: [];
		});
	});
}

/** Whether the last try says little of its items: it was canceled, or waits. */
function isCutShort({ tries }: Execution): boolean {
	const { run, canceled } = tries.at(-1)!;
	return canceled !== undefined || run.status === 'canceled' || run.status === 'waiting';
}

function whoIn({ node, round, item }: { node?: string; round?: number; item?: number } = {}): string {
	return `${node}, round ${round}, item ${item}`;
}
