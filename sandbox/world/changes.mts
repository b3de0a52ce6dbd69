import { randomUUID } from 'node:crypto';

/** A change: its type, the id of the changed object, if any, and a few fields. */
export interface Change {
	type: string;
	id?: string;
	[more: string]: unknown;
}

/** A change with its position in the order of all changes. */
export interface NumberedChange {
	/** `<start of this sandbox>-<number>`. */
	id: string;
	change: Change;
}

/** The number of changes that are kept for listeners that reconnect. */
const KEPT = 2000;

/** Publishes changes in the sandbox to listeners. It outlives a reset. */
export class Changes {
	/** Distinguishes the ids of this process from the ids of other processes. */
	private readonly start = randomUUID().slice(0, 8);
	private count = 0;
	private kept: NumberedChange[] = [];
	private readonly listeners = new Set<(numbered: NumberedChange) => void>();

	/** The id of the latest change. */
	get lastId(): string {
		return `${this.start}-${this.count}`;
	}

	/** The number of listeners. */
	get listening(): number {
		return this.listeners.size;
	}

	publish(change: Change): void {
		this.count += 1;
		const numbered = { id: this.lastId, change };
		this.kept.push(numbered);
		if (this.kept.length >= 2 * KEPT) {
			this.kept = this.kept.slice(-KEPT);
		}
		for (const listener of this.listeners) {
			listener(numbered);
		}
	}

	/** Returns the changes after the given one, in order; undefined if they are no longer kept or the id is unknown. */
	since(id: string): NumberedChange[] | undefined {
		const [start, text = ''] = id.split('-', 2);
		const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
		const missed = this.count - number;
		if (start !== this.start || number < 0 || missed < 0 || missed > this.kept.length) {
			return undefined;
		}
		return missed === 0 ? [] : this.kept.slice(-missed);
	}

	/** Calls `listener` after each change. @returns a function that removes the listener */
	listen(listener: (numbered: NumberedChange) => void): () => void {
		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}
}
