import { sleep } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/collections';
import type { CallFacts } from './callFacts';
import type { AwaitedCampaign } from './campaignEnd';
import type { WaitId } from './state';

/**
 * How many requests wait for their look at the same time: for each of them n8n keeps an environment for expressions in
 * memory. The others are refused, and the service delivers their events again.
 */
const MOST_HELD = 20;

let held = 0;

/**
 * What this process remembers of a wait: what events have said, so that it need not ask. It is a cache. The truth is in
 * the service, which is asked for whatever is missing here.
 */
export class WaitMemory {
	/** What is known about the calls. */
	readonly calls: CallFacts = { outcomes: new Map(), findings: new Map() };
	/** The campaigns as they were read last, by ID. */
	readonly campaigns = new Map<string, AwaitedCampaign>();
	/** The campaigns of which an event has come since they were read, by ID: whether it says that they are completed. */
	readonly mentioned = new Map<string, boolean>();
	/**
	 * Whether this process receives every event: the wait began here, and only this execution awaits the calls. That holds
	 * if n8n is one process. In queue mode executions run in workers, which receive no event. Only a manual execution runs
	 * in the main process: if that receives some events and another process the others, its wait may end at the time limit.
	 */
	receivesAll = false;
	/** Whether the execution is being resumed, or was. */
	resumed = false;
	/** Whether this process ends the wait when the time is up. */
	watched = false;
	private isLookDue = false;
	private looking: Promise<unknown> = Promise.resolve();

	/** Marks the wait as over and drops what is known. */
	end(): void {
		this.resumed = true;
		this.calls.outcomes.clear();
		this.calls.findings.clear();
		this.campaigns.clear();
		this.mentioned.clear();
	}

	/**
	 * Runs `look` once for all events that arrive while it runs or waits for late events. The request that looks is
	 * answered afterwards: if this process ends before that, the service delivers its event again.
	 *
	 * @param lateEventsMs how long a late event may still come, in milliseconds; asked again after each look, until it
	 * says that none is awaited: a timer may end before the time that it was set to
	 * @param look asks the service
	 * @returns what `look` has returned last; `joined` if another request looks soon; `busy` if too many are held
	 */
	async look<Found>(
		lateEventsMs: () => number | undefined,
		look: () => Promise<Found>,
	): Promise<Found | 'joined' | 'busy'> {
		if (this.isLookDue) {
			return 'joined';
		}
		if (held >= MOST_HELD && (lateEventsMs() ?? 0) > 0) {
			return 'busy';
		}
		held += 1;
		try {
			let found: Found;
			do {
				this.isLookDue = true;
				await Promise.allSettled([this.looking, sleep(lateEventsMs() ?? 0)]);
				this.isLookDue = false;
				if (this.resumed) {
					return 'joined';
				}
				const looking = look();
				this.looking = looking;
				found = await looking;
			} while (lateEventsMs() !== undefined);
			return found;
		} finally {
			held -= 1;
		}
	}
}

const memoryByWait = new BoundedMap<WaitMemory>();

/** What this process remembers of a wait; nothing at first. */
export function memoryOf(wait: WaitId): WaitMemory {
	const key = JSON.stringify(wait);
	const memory = memoryByWait.get(key) ?? new WaitMemory();
	memoryByWait.set(key, memory);
	return memory;
}
