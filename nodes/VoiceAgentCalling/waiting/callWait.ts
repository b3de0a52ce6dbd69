import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Api, createSharedApi } from '../../shared/client/api';
import { loadKeys } from '../../shared/keys';
import { DAY_MS } from '../../shared/lib/time';
import { runIndexOf } from '../../shared/n8nInternals';
import { CALLER_IDS, type CallerIdField } from '../operation/call';
import type { ItemState } from '../operation/items';
import type { OperationRun } from '../operation/operationRun';
import {
	awaitedOutcome,
	type CallOutcome,
	outcomesInWords,
	TIMED_OUT,
	VOICEMAIL_EVENT_TYPES,
	withOutcome,
} from './callOutcome';
import { memoryOf } from './memory';
import { readCalls } from './readCalls';
import { type AwaitedInput, addResumeTokens, type Listener, type WaitSettings } from './resumeTokens';
import { failOrPoll, fallAsleep, longestTimeLimit, pollUntilOver } from './startWait';
import { type AwaitedCall, type WaitedBy, type WaitHints, waitIdOf } from './wait';

const DEFAULT_POLL_SECONDS = 15;

/** How long a late event may change `completed` to `voicemail`. */
const VOICEMAIL_WAIT_MS = 5000;

const NO_VOICEMAIL =
	'A call with the outcome completed may be a voicemail: the trigger of the agent does not listen to Voicemail Detected. Add that event to tell them apart.';

const PERSON_OR_VOICEMAIL = 'Polling cannot tell a voicemail from a person: both have the outcome completed.';

/** The steps of a run that waits for calls, before the calls are placed and afterwards. */
export class CallWait {
	private readonly operationRun: OperationRun;

	private readonly callerIdField: CallerIdField;

	/** The input by item; undefined for an item that could not be read and whose call is not placed. */
	private readonly awaited: ReadonlyArray<AwaitedInput | undefined>;

	/** The calls that are awaited after {@link after}. */
	private calls: AwaitedCall[] = [];

	private waitedBy: WaitedBy;

	/** The triggers that receive the events, by item, after {@link prepare}. */
	private listeners: ReadonlyMap<number, Listener> = new Map();

	/** Whether an earlier attempt has placed some of the calls: the execution of their resume tokens may have ended. */
	private hasEarlierCalls = false;

	/** For requests that all items share. */
	private readonly api: Api;

	constructor(operationRun: OperationRun) {
		this.operationRun = operationRun;
		this.callerIdField = operationRun.operation.callerIdField as CallerIdField;
		this.api = createSharedApi(operationRun.run);
		this.awaited = operationRun.items.map(({ input, state }) =>
			state.is === 'ready' || state.is === 'done' ? (input as AwaitedInput | undefined) : undefined,
		);
		this.waitedBy = this.settings?.waitBy === 'polling' ? 'polling' : 'event';
	}

	/** Adds resume tokens to the calls, before anything is sent. Fails items whose outcome no trigger would receive. */
	async prepare(): Promise<void> {
		const { settings, callerIdField, api } = this;
		if (settings === undefined || settings.waitBy === 'polling') {
			return;
		}
		const { run, items } = this.operationRun;
		const isReady = (item: number) => items[item].state.is === 'ready';
		const keys = await loadKeys(run.caller);
		const tokenRun = { run, api, runIndex: this.runIndex, callerIdField, keys, isReady };
		const { errors, listeners, contexts } = await addResumeTokens(tokenRun, this.awaited);
		// Polling cannot read a report, transcript or recording: the user would pay for a call without it.
		const waitBy = settings.waitFor?.length ? 'event' : settings.waitBy;
		this.waitedBy = failOrPoll(this.operationRun, waitBy, errors, PERSON_OR_VOICEMAIL);
		if (this.waitedBy === 'event') {
			this.listeners = listeners;
			for (const [item, context] of contexts) {
				(this.awaited[item] as AwaitedInput).values.context = context;
			}
		}
	}

	/** Collects the placed calls and, with polling, waits until they end. */
	async after(): Promise<void> {
		const { items } = this.operationRun;
		for (const [item, { state }] of items.entries()) {
			this.addWaitedBy(state, item);
		}
		this.calls = items.flatMap(({ state }, item) => this.awaitedCalls(state, item));
		const found = this.waitedBy === 'polling' ? await this.poll() : await this.outcomesOfEarlierCalls();
		// Neither polling nor the listing of earlier calls returns artifacts.
		const facts = { outcomes: found, findings: new Map() };
		const ended = new Map(
			this.calls.flatMap((call) => (found.has(call.item) ? [[call.item, awaitedOutcome(call, facts)]] : [])),
		);
		for (const [item, { state }] of items.entries()) {
			if (state.is === 'done') {
				state.items = state.items.map((call) => withOutcome(call, ended.get(item)));
			}
		}
		this.calls = this.calls.filter(({ item }) => !found.has(item));
		if (this.calls.some(({ item }) => this.lacksVoicemail(item))) {
			this.operationRun.run.hints.add(NO_VOICEMAIL);
		}
	}

	/** Whether a trigger receives the events of the agent's call, but no event that reports voicemail. */
	private lacksVoicemail(item: number): boolean {
		const listener = this.listeners.get(item);
		return this.callerIdField === 'agentId' && listener !== undefined && !receivesVoicemail(listener);
	}

	/**
	 * Puts the execution to sleep until the outcomes arrive. If n8n itself ends the wait, each call has the outcome
	 * `timedOut`.
	 *
	 * @param items the output of the node so far
	 */
	async finish(items: INodeExecutionData[], hints: WaitHints): Promise<void> {
		const { run } = this.operationRun;
		const { runIndex, callerIdField, calls, since } = this;
		if (this.waitedBy === 'polling' || calls.length === 0) {
			return;
		}
		const awaited = new Map(calls.map((call) => [call.item, call]));
		const stored = items.map((item, index) => asStored(item, awaited.get(index)));
		const until = Date.now() + (await this.limitMs());
		memoryOf(waitIdOf(run.caller, runIndex)).receivesAll = !this.hasEarlierCalls;
		const state = { run: runIndex, since, until, ...hints, callerIdField, calls };
		await fallAsleep(this.operationRun, state, stored);
	}

	/** The settings of the first item that could be read: Wait By and Poll Interval are the same for all items. */
	private get settings(): WaitSettings | undefined {
		return this.awaited.find((input) => input !== undefined)?.local;
	}

	/** Returns a time before the first call was placed, possibly in an earlier attempt. */
	private get since(): number {
		const { startedAt } = this.operationRun;
		const earlier = this.calls.flatMap(({ item }) => this.startOfEarlier(item) ?? []);
		// The clock of the service may differ.
		return earlier.reduce((first, startsAt) => Math.min(first, startsAt - DAY_MS), startedAt);
	}

	private get runIndex(): number {
		return runIndexOf(this.operationRun.run.caller);
	}

	/** Returns the longest time limit of the items, counted from when the phones can first ring, in milliseconds. */
	private async limitMs(): Promise<number> {
		const delays = new Map<string, number>();
		if (this.callerIdField === 'campaignId') {
			const { msUntilNextSlot } = await import('../callRules/campaign.js');
			for (const { owner } of this.calls) {
				const campaign = owner.toLowerCase();
				delays.set(campaign, delays.get(campaign) ?? (await msUntilNextSlot(this.api, owner)));
			}
		}
		const delayOf = ({ campaignId, delay_seconds }: AwaitedInput['values']) =>
			delays.get(String(campaignId).toLowerCase()) ?? Number(delay_seconds ?? 0) * 1000;
		return longestTimeLimit(
			this.awaited.map((input) => input && { ...input.local, delayMs: delayOf(input.values) }),
			this.callerIdField,
		);
	}

	/** Adds to a call how the node waits for it. */
	private addWaitedBy(state: ItemState, item: number): void {
		if (state.is === 'done' && this.awaited[item] && (state.result === 'placed' || state.result === 'queued')) {
			const more = state.isElsewhere ? { outcome: 'unknown' } : { waitedBy: this.waitedBy };
			state.items = [{ ...state.items[0], ...more }];
		}
	}

	/** Returns the call of an item, if it is awaited: an already queued call lacks a resume token of this execution. */
	private awaitedCalls(state: ItemState, item: number): AwaitedCall[] {
		const input = this.awaited[item];
		if (state.is !== 'done' || state.isElsewhere || !input || !['placed', 'queued'].includes(String(state.result))) {
			return [];
		}
		const [call] = state.items as IDataObject[];
		// A call of an earlier attempt may have another owner.
		const owner = call[CALLER_IDS[this.callerIdField]] ?? input.values[this.callerIdField];
		const hasId = typeof call.id === 'string' || typeof call.id === 'number';
		return hasId ? [this.awaitedCall(item, String(call.id), String(owner), input.local)] : [];
	}

	private awaitedCall(item: number, id: string, owner: string, { waitFor = [] }: WaitSettings): AwaitedCall {
		const listener = this.listeners.get(item);
		return {
			item,
			id,
			owner,
			...(waitFor.length > 0 && { artifacts: waitFor }),
			...(listener && { webhook: listener.webhook }),
			...(listener && receivesVoicemail(listener) && { voicemailWaitMs: VOICEMAIL_WAIT_MS }),
		};
	}

	/**
	 * Reads the outcomes of the calls of an earlier attempt. After n8n's Retry their resume tokens belong to the failed
	 * execution, so their events do not resume this one; the calls are read again at the deadline.
	 */
	private async outcomesOfEarlierCalls(): Promise<Map<number, CallOutcome>> {
		const earlier = this.calls.filter(({ item }) => this.startOfEarlier(item) !== undefined);
		this.hasEarlierCalls = earlier.length > 0;
		if (!this.hasEarlierCalls) {
			return new Map();
		}
		return (await readCalls(this.api.request, this.callerIdField, earlier, this.since)).outcomes;
	}

	/** Polls the service. A call that is not over in time has the outcome `timedOut`. */
	private async poll(): Promise<Map<number, CallOutcome>> {
		const until = Date.now() + (await this.limitMs());
		const found = await pollUntilOver(this.operationRun, this.calls, {
			what: 'calls',
			intervalSeconds: this.settings?.pollInterval ?? DEFAULT_POLL_SECONDS,
			until,
			read: async (calls) => {
				const extent = { goesOnAfterErrors: Date.now() >= until };
				return await readCalls(this.api.request, this.callerIdField, calls, this.since, extent);
			},
		});
		for (const { item } of this.calls) {
			if (!found.has(item)) {
				found.set(item, TIMED_OUT);
			}
		}
		const { hints } = this.operationRun.run;
		const others = [...hints];
		// The outcomes come first: n8n shows two hints, and the others on request.
		hints.clear();
		for (const hint of [...outcomesInWords([...found.values()].map(({ outcome }) => outcome)), ...others]) {
			hints.add(hint);
		}
		// With Automatic, `failOrPoll` has added this note already.
		if (this.settings?.waitBy === 'polling' && [...found.values()].some(({ outcome }) => outcome === 'completed')) {
			hints.add(PERSON_OR_VOICEMAIL);
		}
		return found;
	}

	/**
	 * Returns when a phone that an earlier attempt has called could ring; undefined if this attempt has sent the call.
	 */
	private startOfEarlier(item: number): number | undefined {
		const { state } = this.operationRun.items[item];
		return state.is === 'done' && state.sentEarlier ? state.startsAt : undefined;
	}
}

/** Returns an item as n8n outputs it if it ends the wait. @param call the call that the item waits for, if any */
function asStored({ json, pairedItem, error }: INodeExecutionData, call: AwaitedCall | undefined): INodeExecutionData {
	const noFacts = { outcomes: new Map(), findings: new Map() };
	const outcome = error === undefined && call !== undefined ? awaitedOutcome(call, noFacts) : undefined;
	// `error` is not enumerable: a copy with spread syntax would lose it.
	return { json: withOutcome(json, outcome), pairedItem, error };
}

/** Whether a trigger receives an event that reports voicemail. */
function receivesVoicemail({ eventTypes }: Listener): boolean {
	return VOICEMAIL_EVENT_TYPES.some((type) => eventTypes.includes(type));
}
