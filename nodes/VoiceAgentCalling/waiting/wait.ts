import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { replaceInput, runIndexOf } from '../../shared/lib/n8nInternals';
import { loadKeys } from '../../shared/nodeLink/keys';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import { failed, type ItemInput, type Outcome } from '../operation/items';
import { CALLER_IDS, type CalledBy, type Operation } from '../operation/operation';
import { readiness } from '../readiness/load';
import { type Api, createSharedApi } from '../sending/api';
import { canceled } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import { VOICEMAIL_KINDS } from './artifacts';
import { awaitedOutcome } from './callNews';
import { type CallOutcome, TIMED_OUT, withOutcome } from './callOutcome';
import { GRACE_MS, watchDeadline } from './deadline';
import { pollUntilOver } from './polling';
import { readCalls } from './readCalls';
import { type AwaitedCall, progressOf, storeState } from './state';
import { type AwaitedInput, addTickets, longestTimeLimit, type WaitSettings } from './tickets';
import type { Listener } from './triggers';

/** A run of a waiting operation. */
export interface WaitingRun {
	run: Run;
	operation: Operation;
	inputs: Array<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	/** When the run began, in milliseconds since 1970. */
	startedAt: number;
	isCanceled(): boolean;
}

const DAY_MS = 86_400_000;
const DEFAULT_POLL_SECONDS = 15;

/** How long a late event may turn `completed` into `voicemail`. */
const VOICEMAIL_GRACE_MS = 5000;

const NO_VOICEMAIL =
	'The trigger of the agent does not listen to Voicemail Detected: a call that a machine takes has the outcome completed. Add the event to the trigger to get the outcome voicemail.';

/** What a run of a waiting operation does before its calls are placed, and afterwards. */
export class Waiting {
	private readonly waitingRun: WaitingRun;

	/** By item; undefined for an item that could not be read and is not called. */
	private readonly awaited: ReadonlyArray<AwaitedInput | undefined>;

	/** The calls that are awaited after {@link placed}. */
	private calls: AwaitedCall[] = [];

	/** The triggers that receive the events, by item, after {@link prepare}. */
	private listeners: ReadonlyMap<number, Listener> = new Map();

	/** Key of messages, after {@link prepare}. */
	private messageKey: Buffer = Buffer.alloc(0);

	/** Whether an earlier try has placed some of the calls: their tickets may belong to an execution that has ended. */
	private hasEarlierCalls = false;

	/** For requests that all items share. */
	private readonly api: Api;

	constructor(waitingRun: WaitingRun) {
		this.waitingRun = waitingRun;
		this.api = createSharedApi(waitingRun.run, this.assertWanted);
		this.awaited = waitingRun.inputs.map((input) =>
			input instanceof ServiceError ? undefined : (input as ItemInput & { local: WaitSettings }),
		);
	}

	/** Adds tickets to the calls; to be called before anything is sent. Items whose end nothing would report fail. */
	async prepare(): Promise<void> {
		const { run, operation, inputs, outcomes } = this.waitingRun;
		const { calledBy } = operation;
		if (this.settings?.waitBy !== 'event' || calledBy === undefined) {
			return;
		}
		const keys = await loadKeys(run.caller);
		this.messageKey = keys.messages;
		const ticketed = { run, api: this.api, runIndex: this.runIndex, calledBy, keys };
		const { errors, listeners } = await addTickets(ticketed, this.awaited);
		this.listeners = listeners;
		for (const [item, error] of errors) {
			inputs[item] = error;
			outcomes[item] = { error };
		}
	}

	/** Collects the placed calls and, with polling, waits for them; to be called after the calls are placed. */
	async placed(): Promise<void> {
		const { outcomes } = this.waitingRun;
		this.calls = outcomes.flatMap((outcome, item) => this.addInput(outcome, item));
		const found = this.settings?.waitBy === 'polling' ? await this.poll() : await this.outcomesOfEarlierCalls();
		// Neither polling nor the listing of earlier calls brings an artifact.
		const known = { outcomes: found, findings: new Map() };
		const ended = new Map(
			this.calls.flatMap((call) => (found.has(call.item) ? [[call.item, awaitedOutcome(call, known)]] : [])),
		);
		for (const [item, outcome] of outcomes.entries()) {
			if (outcome && !failed(outcome)) {
				const callItem = outcome.sameNumberAsItem ?? item;
				outcome.items = outcome.items.map((call) => withOutcome(call, ended.get(callItem)));
			}
		}
		this.calls = this.calls.filter(({ item }) => !found.has(item));
		if (this.calls.some(({ item }) => this.lacksVoicemail(item))) {
			this.waitingRun.run.notes.add(NO_VOICEMAIL);
		}
	}

	/** Whether a trigger receives the events of the agent's call, but not those that tell of a machine. */
	private lacksVoicemail(item: number): boolean {
		const listener = this.listeners.get(item);
		return this.waitingRun.operation.calledBy === 'agentId' && listener !== undefined && !hearsVoicemail(listener);
	}

	/**
	 * Puts the execution to sleep in n8n's database until the outcomes arrive. When n8n itself ends the wait, it outputs
	 * the node's input; so the input is replaced by the placed calls, each with the outcome `timedOut`.
	 *
	 * @param items the output of the node, if it does not wait
	 */
	async putToWait(items: INodeExecutionData[]): Promise<void> {
		const { run, operation, outcomes, startedAt } = this.waitingRun;
		const { caller } = run;
		if (this.settings?.waitBy !== 'event' || this.calls.length === 0) {
			return;
		}
		const until = Date.now() + (await this.limitMs());
		const { calledBy } = operation;
		const state = { run: this.runIndex, since: startedAt, until, calledBy, calls: this.calls };
		storeState(caller, state);
		const awaited = new Map(this.calls.map((call) => [call.item, call]));
		replaceInput(
			caller,
			items.map((item, index) => this.asStored(item, awaited.get(outcomes[index]?.sameNumberAsItem ?? index))),
		);
		progressOf(caller, state.run).complete = !this.hasEarlierCalls;
		watchDeadline(caller, this.messageKey, state);
		await caller.putExecutionToWait(new Date(until + GRACE_MS));
	}

	/** An item as n8n outputs it if it ends the wait. @param call the call that the item waits for, if it does */
	private asStored({ json, pairedItem, error }: INodeExecutionData, call: AwaitedCall | undefined): INodeExecutionData {
		const nothing = { outcomes: new Map(), findings: new Map() };
		const outcome = error === undefined && call !== undefined ? awaitedOutcome(call, nothing) : undefined;
		// `error` is not enumerable: a copy with spread syntax would lose it.
		return { json: withOutcome(json, outcome), pairedItem, error };
	}

	/** Whether the execution sleeps in n8n's database while it waits. */
	get sleeps(): boolean {
		return this.settings?.waitBy === 'event';
	}

	/** The settings of the first item that could be read: Wait By and Poll Interval are the same for all items. */
	private get settings(): WaitSettings | undefined {
		return this.awaited.find((input) => input !== undefined)?.local;
	}

	private get runIndex(): number {
		return runIndexOf(this.waitingRun.run.caller);
	}

	/** The longest time limit of the items, counted from when their phones can ring at the earliest. In milliseconds. */
	private async limitMs(): Promise<number> {
		const calledBy = this.waitingRun.operation.calledBy as CalledBy;
		const delays = new Map<string, number>();
		if (calledBy === 'campaignId') {
			const { msUntilNextSlot } = await readiness();
			for (const { owner } of this.calls) {
				delays.set(owner, delays.get(owner) ?? (await msUntilNextSlot(this.api, owner)));
			}
		}
		const delayOf = ({ campaignId, delay_seconds }: AwaitedInput['values']) =>
			delays.get(String(campaignId)) ?? Number(delay_seconds ?? 0) * 1000;
		return longestTimeLimit(
			this.awaited.map((input) => input && { ...input.local, delayMs: delayOf(input.values) }),
			calledBy,
		);
	}

	private readonly assertWanted = (): void => {
		if (this.waitingRun.isCanceled()) {
			throw canceled();
		}
	};

	/** Adds the item's payload and context to its call. @returns the call, if it is to be awaited */
	private addInput(outcome: Outcome | undefined, item: number): AwaitedCall[] {
		// An item with the number of an earlier one shares its call.
		const values = this.awaited[outcome?.sameNumberAsItem ?? item]?.values;
		const { calledBy } = this.waitingRun.operation;
		if (!outcome || failed(outcome) || outcome.withheld || !values || !calledBy) {
			return [];
		}
		const [call] = outcome.items as IDataObject[];
		// It is not known with what a call that was already queued was sent.
		const isKnown = outcome.result !== 'alreadyQueued';
		const payload = isKnown ? ((values.payload ?? {}) as IDataObject) : null;
		outcome.items = [{ ...call, payload, context: isKnown ? withoutTickets(values.context ?? {}) : null }];
		// A call that was already queued has no ticket of this execution. The call of an earlier item is awaited there.
		const isOwn = outcome.result === 'placed' || outcome.result === 'queued';
		const hasId = typeof call.id === 'string' || typeof call.id === 'number';
		// A call of an earlier try may be by another owner.
		const owner = call[CALLER_IDS[calledBy]] ?? values[calledBy];
		return isOwn && hasId ? [this.awaitedCall(item, String(call.id), String(owner))] : [];
	}

	private awaitedCall(item: number, id: string, owner: string): AwaitedCall {
		const { waitFor = [] } = this.awaited[item]?.local ?? {};
		const listener = this.listeners.get(item);
		return {
			...{ item, id, owner },
			...(waitFor.length > 0 && { artifacts: waitFor }),
			...(listener && { webhook: listener.webhook }),
			...(listener && hearsVoicemail(listener) && { graceMs: VOICEMAIL_GRACE_MS }),
		};
	}

	/**
	 * Asks the service about the calls of an earlier try. After n8n's Retry their tickets belong to the execution that
	 * failed, so no event resumes this one; the service is asked again at the deadline.
	 */
	private async outcomesOfEarlierCalls(): Promise<Map<number, CallOutcome>> {
		const earlier = this.calls.filter(({ item }) => this.isSentEarlier(item));
		this.hasEarlierCalls = earlier.length > 0;
		if (!this.hasEarlierCalls) {
			return new Map();
		}
		const { operation, startedAt } = this.waitingRun;
		const { value } = await toResult(readCalls(this.api.request, operation.calledBy, earlier, startedAt - DAY_MS));
		return value ?? new Map();
	}

	/** Polls the service. A call that is not over in time has the outcome `timedOut`. */
	private async poll(): Promise<Map<number, CallOutcome>> {
		const { run, operation, startedAt, isCanceled } = this.waitingRun;
		const found = await pollUntilOver(this.calls, {
			intervalMs: (this.settings?.pollInterval ?? DEFAULT_POLL_SECONDS) * 1000,
			until: Date.now() + (await this.limitMs()),
			read: async (calls) => await readCalls(this.api.request, operation.calledBy, calls, startedAt),
			sleep: async (ms) => void (await toResult(run.pace.sleep(ms, this.assertWanted))),
			isCanceled,
			onError: ({ message }) => run.notes.add(`The service could not be asked about the calls for a while: ${message}`),
		});
		for (const { item } of this.calls) {
			if (!found.has(item)) {
				found.set(item, TIMED_OUT);
			}
		}
		return found;
	}

	private isSentEarlier(item: number): boolean {
		const outcome = this.waitingRun.outcomes[item];
		return outcome !== undefined && !failed(outcome) && outcome.sentEarlier === true;
	}
}

/** Whether a trigger receives an event that tells of a machine. */
function hearsVoicemail({ kinds }: Listener): boolean {
	return VOICEMAIL_KINDS.some((kind) => kinds.includes(kind));
}
