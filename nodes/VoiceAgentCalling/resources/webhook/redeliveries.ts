import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import { DAY_MS } from '../../../shared/lib/time';
import type { Attempt, KnownRedeliveries } from './deliveryLog';

/** The service keeps log entries for 30 days. */
const RETENTION_MS = 30 * DAY_MS;

interface Redelivery {
	/** The log entry of the new attempt; absent until the service responds. */
	to?: string;
	/** The time of the event's first failed attempt, in milliseconds since 1970. */
	since: number;
	/** The time of the redelivery, in milliseconds since 1970. */
	at: number;
}

/**
 * The redeliveries of earlier runs, stored in static data. A redelivery creates a new log entry and leaves the old one
 * unchanged, so without this record every run would redeliver the event again.
 */
export class Redeliveries implements KnownRedeliveries {
	private readonly byEntry: Record<string, Redelivery>;

	/** Redeliveries by the log entry that they created. */
	private readonly made = new Map<string | undefined, Redelivery>();

	/** @param staticData the node's static data, which n8n keeps between executions; changed in place */
	constructor(staticData: IDataObject) {
		if (!isRecord(staticData.redelivered)) {
			staticData.redelivered = {};
		}
		this.byEntry = staticData.redelivered as unknown as Record<string, Redelivery>;
		for (const [id, redelivery] of Object.entries(this.byEntry)) {
			if (Date.now() - redelivery.at > RETENTION_MS) {
				delete this.byEntry[id];
			} else {
				this.made.set(redelivery.to, redelivery);
			}
		}
	}

	isOne(id: string): boolean {
		return this.made.has(id);
	}

	hasOne(id: string): boolean {
		return this.byEntry[id] !== undefined;
	}

	/**
	 * Returns when the event of an attempt first failed, in milliseconds since 1970. A failed redelivery keeps the time
	 * of the original attempt, so that redeliveries do not keep an old event alive forever.
	 */
	since({ id, at }: Attempt): number {
		return this.made.get(id)?.since ?? at;
	}

	/** Call this before requesting a redelivery, so that no other item of the run redelivers the same entry. */
	begin(attempt: Attempt): void {
		this.byEntry[attempt.id] = { since: this.since(attempt), at: Date.now() };
	}

	/** Records a redelivery. @param to the log entry of the new attempt */
	done({ id }: Attempt, to: string): void {
		this.byEntry[id] = { ...this.byEntry[id], to };
	}

	/** Call this if the redelivery failed or its outcome is unknown: the next run checks the log again. */
	undo({ id }: Attempt): void {
		delete this.byEntry[id];
	}
}
