import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/isRecord';
import type { Attempt, KnownRedeliveries } from './deliveryLog';

/** How long the service keeps an entry of the log ("Retries, logs, redelivery"). */
const RETENTION_MS = 30 * 86_400_000;

interface Redelivery {
	/** The entry of the new attempt; absent as long as it is asked for. */
	to?: string;
	/** When the event failed first, in milliseconds since 1970. */
	since: number;
	/** When it was redelivered. */
	at: number;
}

/**
 * What earlier runs have redelivered: a redelivery makes a new entry in the log and leaves the old one as it was, so
 * that without this memory it would be redelivered with each run.
 */
export class Redeliveries implements KnownRedeliveries {
	private readonly byEntry: Record<string, Redelivery>;

	/** The redelivered entry's record, by the entry that the redelivery made. */
	private readonly made = new Map<string | undefined, Redelivery>();

	/** @param kept where the node keeps what it is to know in later executions */
	constructor(kept: IDataObject) {
		if (!isRecord(kept.redelivered)) {
			kept.redelivered = {};
		}
		this.byEntry = kept.redelivered as unknown as Record<string, Redelivery>;
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
	 * When the event of an attempt failed first. A redelivery that fails is redelivered as well, but an event is not
	 * carried on for ever by its own redeliveries.
	 */
	since({ id, at }: Attempt): number {
		return this.made.get(id)?.since ?? at;
	}

	/** To be called before a redelivery is asked for: no other item of the run takes the entry then. */
	begin(attempt: Attempt): void {
		this.byEntry[attempt.id] = { since: this.since(attempt), at: Date.now() };
	}

	/** @param to the entry of the new attempt */
	done({ id }: Attempt, to: string): void {
		this.byEntry[id] = { ...this.byEntry[id], to };
	}

	/** To be called when it did not come to a redelivery, or nobody knows: the next run looks at the log again. */
	undo({ id }: Attempt): void {
		delete this.byEntry[id];
	}
}
