import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { attempt, ServiceError } from '../../shared/errors/serviceError';
import { loadKeys } from '../../shared/nodeLink/keys';
import { sendMessage } from '../../shared/nodeLink/messages';
import { seal, TICKET_FIELD, withoutTickets } from '../../shared/nodeLink/ticket';
import { failed, type ItemInput, type Outcome } from '../operation/items';
import { type Operation } from '../operation/operation';
import { type Api, createApi } from '../sending/api';
import { canceled } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import { type CallOutcome, finalKinds, type WaitFor, withOutcome } from './callOutcome';
import { GRACE_MS, watchDeadline } from './deadline';
import { readCalls } from './readCalls';
import { type AwaitedCall, keepState, knownOf, nodeResumeAddress, placeOf } from './state';
import { assertResumable, assertWaitingReachable } from './triggers';

/** A run of a waiting operation. */
interface Job {
	run: Run;
	operation: Operation;
	inputs: Array<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	/** When the run began, in milliseconds since 1970. */
	startedAt: number;
	isCancelled(): boolean;
}

/** What the values of an item say about the waiting. */
interface Values extends Record<string, unknown> {
	waitBy: 'event' | 'polling';
	waitFor?: WaitFor;
	/** Minutes. */
	timeLimit: number;
	/** Seconds. */
	pollInterval?: number;
	context?: IDataObject;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DEFAULT_POLL_SECONDS = 15;

/** What a waiting operation does before its calls are placed, and after. */
export class Waiting {
	private readonly job: Job;

	/** By item; undefined: it could not be read, and is not called. */
	private readonly values: ReadonlyArray<Values | undefined>;

	private calls: AwaitedCall[] = [];

	private messages: Buffer = Buffer.alloc(0);

	/** Whether there are calls whose tickets may lead to an execution that is over: those of an earlier try. */
	private doubtful = false;

	/** For what is read for all items. */
	private readonly api: Api;

	constructor(job: Job) {
		this.job = job;
		const { assertWanted } = this;
		this.api = createApi({
			run: job.run,
			itemIndex: 0,
			repeat: 'safe',
			placesCall: false,
			budget: undefined,
			assertWanted,
		});
		this.values = job.inputs.map((input) => (input instanceof ServiceError ? undefined : (input.values as Values)));
	}

	/**
	 * Gives each call the ticket with which its last event finds its way back; to be called before anything is sent. An
	 * item whose call no trigger could tell of fails here.
	 */
	async prepare(): Promise<void> {
		const { run, operation, inputs, outcomes } = this.job;
		const { caller } = run;
		if (this.way?.waitBy !== 'event') {
			return;
		}
		const { tickets, messages } = await loadKeys(caller);
		this.messages = messages;
		const common = { url: nodeResumeAddress(caller), ...placeOf(caller, this.runIndex) };
		const checks = new Map<string, Promise<{ error?: ServiceError }>>();
		for (const [item, values] of this.values.entries()) {
			if (values?.waitBy !== 'event' || !operation.calledBy) {
				continue;
			}
			const kinds = finalKinds(operation.calledBy, values.waitFor);
			const owner = String(values[operation.calledBy]);
			const key = JSON.stringify([owner, kinds]);
			// What an earlier try has sent was checked there.
			const check = run.sent.hasEarlier
				? Promise.resolve({ error: undefined })
				: (checks.get(key) ?? attempt(this.assertResumable(operation.calledBy, owner, kinds)));
			checks.set(key, check);
			const { error } = await check;
			if (error) {
				inputs[item] = error;
				outcomes[item] = { error };
			} else {
				values.context = { ...values.context, [TICKET_FIELD]: seal(tickets, { ...common, item, kinds }) };
			}
		}
	}

	/** To be called when the calls are placed: notes them, and where the user wants to poll, waits for them. */
	async placed(): Promise<void> {
		const { outcomes } = this.job;
		this.calls = outcomes.flatMap((outcome, item) => this.placedCall(outcome, item));
		const found =
			this.way?.waitBy === 'polling'
				? await this.poll(this.way.pollInterval ?? DEFAULT_POLL_SECONDS)
				: await this.earlierOutcomes();
		for (const [item, outcome] of outcomes.entries()) {
			if (outcome && !failed(outcome)) {
				outcome.items = outcome.items.map((call) => withOutcome(call, item, found));
			}
		}
		this.calls = this.calls.filter(({ item }) => !found.has(item));
	}

	/**
	 * Puts the execution to sleep in n8n's database until the outcomes come. When n8n's own time is
	 * up it passes on what it takes for the node's input: so that becomes what was placed, and not what came in.
	 *
	 * @param items what the node gives where there is nothing to wait for
	 */
	async putToWait(items: INodeExecutionData[]): Promise<void> {
		const { run, operation, startedAt } = this.job;
		const { caller } = run;
		if (this.way?.waitBy !== 'event' || this.calls.length === 0) {
			return;
		}
		const until = Date.now() + this.limitMs;
		const forMore = this.values.some((values) => values?.waitFor !== undefined && values.waitFor !== 'end');
		const { calledBy } = operation;
		const state = { run: this.runIndex, since: startedAt, until, calledBy, forMore, calls: this.calls };
		keepState(caller, state);
		caller.getExecuteData().data = { main: [items.map(asStored)] };
		const isWatched = this.calls.length > 1 || this.doubtful;
		if (isWatched) {
			knownOf(caller, state.run).complete = !this.doubtful;
			watchDeadline(caller, this.messages, state);
		}
		await caller.putExecutionToWait(new Date(until + (isWatched ? GRACE_MS : 0)));
	}

	/** @throws ServiceError `NO_TRIGGER` */
	private async assertResumable(
		calledBy: Operation['calledBy'],
		owner: string,
		kinds: readonly string[],
	): Promise<void> {
		const { caller } = this.job.run;
		await assertResumable(this.api, calledBy, owner, kinds);
		await this.api.remember('address of waiting executions', async () => {
			const url = nodeResumeAddress(caller);
			assertWaitingReachable(url, await attempt(sendMessage(caller.helpers, this.messages, url, { command: 'check' })));
		});
	}

	/**
	 * What became of the calls of an earlier try. After n8n's Retry their tickets lead to the execution that failed, so
	 * the service is asked, now and when the time is up.
	 */
	private async earlierOutcomes(): Promise<Map<number, CallOutcome>> {
		const { operation, outcomes, startedAt } = this.job;
		const earlier = this.calls.filter(({ item }) => {
			const outcome = outcomes[item];
			return outcome && !failed(outcome) && (outcome.items[0] as IDataObject).alreadySent === true;
		});
		this.doubtful = earlier.length > 0;
		if (!this.doubtful) {
			return new Map();
		}
		const { value } = await attempt(readCalls(this.api.request, operation.calledBy, earlier, startedAt - DAY_MS));
		return value ?? new Map();
	}

	private readonly assertWanted = (): void => {
		if (this.job.isCancelled()) {
			throw canceled();
		}
	};

	private get runIndex(): number {
		return Number(this.job.run.caller.getWorkflowDataProxy(0).$runIndex);
	}

	/** What is the same for all items. */
	private get way(): Values | undefined {
		return this.values.find((values) => values !== undefined);
	}

	private get limitMs(): number {
		return Math.max(...this.values.map((values) => values?.timeLimit ?? 0)) * MINUTE_MS;
	}

	/** Adds to a placed call what it was given. @returns it where it is to be waited for */
	private placedCall(outcome: Outcome | undefined, item: number): AwaitedCall[] {
		const values = this.values[item];
		const { calledBy } = this.job.operation;
		if (!outcome || failed(outcome) || !values || !calledBy) {
			return [];
		}
		const [call] = outcome.items as IDataObject[];
		const context = withoutTickets(values.context ?? {});
		outcome.items = [{ ...call, payload: values.payload as IDataObject, context }];
		// A call that was there already has no ticket of this execution; an earlier item's call is waited for there.
		const isOwn = call.alreadyQueued !== true && outcome.sameNumberAsItem === undefined;
		return isOwn && typeof call.id === 'string' ? [{ item, id: call.id, owner: String(values[calledBy]) }] : [];
	}

	/** Asks the service until all calls are over, the time is up, or the run is cancelled. */
	private async poll(intervalSeconds: number): Promise<Map<number, CallOutcome>> {
		const { run, operation, outcomes, startedAt, isCancelled } = this.job;
		const until = Date.now() + this.limitMs;
		const found = new Map<number, CallOutcome>();
		let open = this.calls;
		while (open.length > 0 && Date.now() < until && !isCancelled()) {
			await attempt(run.pace.sleep(Math.min(intervalSeconds * 1000, until - Date.now()), this.assertWanted));
			const { value, error } = await attempt(readCalls(this.api.request, operation.calledBy, open, startedAt));
			if (error && !isCancelled()) {
				run.notes.add(`The calls could not be looked at for a while: ${error.message}`);
			}
			for (const [item, outcome] of value ?? []) {
				found.set(item, outcome);
			}
			open = open.filter(({ item }) => !found.has(item));
		}
		for (const { item } of open) {
			const outcome = outcomes[item];
			const [call] = outcome && !failed(outcome) ? (outcome.items as IDataObject[]) : [];
			found.set(item, { outcome: 'timedOut', status: call?.status });
		}
		return found;
	}
}

/**
 * An item as n8n stores it: an error is then a plain object, by which n8n still finds the way to the error output. It
 * leaves of such an item the error's message alone, so that says what to do too.
 */
function asStored({ json, pairedItem, error }: INodeExecutionData): INodeExecutionData {
	const plain = error && ({ message: json.message ?? error.message } as unknown as INodeExecutionData['error']);
	return { json, pairedItem, ...(plain && { error: plain }) };
}
