import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	sleep,
} from 'n8n-workflow';

import type { SendRequest } from '../../shared/client/request';
import type { Keys } from '../../shared/keys';
import { BoundedMap } from '../../shared/lib/collections';
import type { CallFacts } from './callOutcome';
import type { AwaitedCampaign, WaitId, WaitState } from './wait';

/**
 * How many requests wait for late events at the same time: for each of them n8n keeps an environment for expressions in
 * memory. Further requests are refused, and the service delivers their events again.
 */
const MAX_HELD = 20;

let held = 0;

/**
 * What this process knows about a wait from its events, so that it need not poll the service. This is only a cache:
 * whatever is missing here is read from the service.
 */
export class WaitMemory {
	readonly calls: CallFacts = { outcomes: new Map(), findings: new Map() };
	/** The campaigns as they were last read, by ID. */
	readonly campaigns = new Map<string, AwaitedCampaign>();
	/** The campaigns that had an event since they were last read, by ID: whether an event reports their completion. */
	readonly mentioned = new Map<string, boolean>();
	/**
	 * Whether this process receives every event, those that it refuses later than others, and so knows whether the
	 * execution was resumed: the wait began here, and only this execution awaits the calls. That is so if n8n is one
	 * process. In queue mode executions run in workers, which receive no events. Only a manual
	 * execution runs in the main process: if that receives some events and another process the others, its wait may end
	 * at the time limit.
	 */
	receivesAll = false;
	/** Whether the execution is being resumed, or has been. */
	resumed = false;
	/** Whether this process ends the wait at the time limit. */
	watched = false;
	private isPollDue = false;
	private polling: Promise<unknown> = Promise.resolve();

	/** Marks the wait as over and drops what is known. */
	end(): void {
		this.resumed = true;
		this.calls.outcomes.clear();
		this.calls.findings.clear();
		this.campaigns.clear();
		this.mentioned.clear();
	}

	/**
	 * Runs `poll` once for all events that arrive while it runs or waits for late events. The request that polls gets
	 * its response afterwards: if this process ends before that, the service delivers the event again.
	 *
	 * @param lateEventsMs returns how long a late event may still arrive, in milliseconds; called again after each poll,
	 *   until it returns undefined: a timer may end before the time that it was set to
	 * @returns the last result of `poll`; `merged` if another request polls soon; `overloaded` if too many requests are held
	 */
	async pollOnce<Found>(
		lateEventsMs: () => number | undefined,
		poll: () => Promise<Found>,
	): Promise<Found | 'merged' | 'overloaded'> {
		if (this.isPollDue) {
			return 'merged';
		}
		if (held >= MAX_HELD && (lateEventsMs() ?? 0) > 0) {
			return 'overloaded';
		}
		held += 1;
		try {
			let found: Found;
			do {
				this.isPollDue = true;
				await Promise.allSettled([this.polling, sleep(lateEventsMs() ?? 0)]);
				this.isPollDue = false;
				if (this.resumed) {
					return 'merged';
				}
				const polling = poll();
				this.polling = polling;
				found = await polling;
			} while (lateEventsMs() !== undefined);
			return found;
		} finally {
			held -= 1;
		}
	}
}

const memoryByWait = new BoundedMap<WaitMemory>();

/** Returns the memory of a wait, which is empty at first. */
export function memoryOf(wait: WaitId): WaitMemory {
	const key = JSON.stringify(wait);
	const memory = memoryByWait.get(key) ?? new WaitMemory();
	memoryByWait.set(key, memory);
	return memory;
}

/** A wait for which a request has arrived. */
export interface RunningWait<State = WaitState> {
	caller: IWebhookFunctions;
	keys: Keys;
	state: State;
	memory: WaitMemory;
	/** Sends a request to the service. */
	sendRequest: SendRequest;
}

/** What an execution waits for: calls, or campaigns. */
export interface WaitTarget {
	/**
	 * Reads an event into the memory, if it is authentic and belongs to this wait.
	 *
	 * @param message the message of a trigger; undefined for a request of the service
	 * @returns the response, if the event is refused or changes nothing else; otherwise undefined
	 * @throws ServiceError
	 */
	take(message: IDataObject | undefined): Promise<IWebhookResponseData | undefined>;
	/** Whether everything that is awaited is known. */
	isComplete(): boolean;
	/** Whether {@link poll} may change anything: the service may know more, or a late event may arrive. */
	needsPoll(): boolean;
	/**
	 * Returns how long a late event may still arrive, in milliseconds; undefined if none is awaited. 0 means that its
	 * time is over: {@link poll} then settles what the event could have changed.
	 */
	lateEventsMs(): number | undefined;
	/**
	 * Reads what is unknown from the service, unless this process receives every event. Settles what late events could
	 * have changed, if their time is over and the log of the webhook lacks them.
	 *
	 * @param timeIsUp whether the execution continues afterwards in any case
	 * @param isLastTime whether this is the last poll: then errors are only logged
	 * @returns whether the service confirms what the events report; if not, they have to be delivered again
	 * @throws ServiceError
	 */
	poll(timeIsUp: boolean, isLastTime?: boolean): Promise<boolean>;
	/** Returns the items with which the execution continues. */
	items(): INodeExecutionData[];
	/** Called when the execution has been resumed. */
	ended?(): void;
}

/** The response to an event that does not resume the execution. */
export const ACKNOWLEDGED = 'OK';
