import { randomUUID } from 'node:crypto';

/** Something that changed: its kind, the id of the object if it has one, and little more. */
export interface Change {
	type: string;
	id?: string;
	[more: string]: unknown;
}

/** A change with its place in the order of all changes. */
export interface NumberedChange {
	/** `<start of this sandbox>-<number>`. */
	id: string;
	change: Change;
}

/** How many changes are kept for those who come back. */
const KEPT = 2000;

/** Tells everybody who listens what changes in the sandbox. It outlives a reset. */
export class Changes {
	/** Ids of another process are never taken for those of this one. */
	private readonly start = randomUUID().slice(0, 8);
	private count = 0;
	private kept: NumberedChange[] = [];
	private readonly listeners = new Set<(numbered: NumberedChange) => void>();

	/** The id of the latest change. */
	get lastId(): string {
		return `${this.start}-${this.count}`;
	}

	/** How many listen. */
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

	/** The changes after one, in order; undefined if they are no longer kept, or if the id is unknown. */
	since(id: string): NumberedChange[] | undefined {
		const [start, text = ''] = id.split('-', 2);
		const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
		const missed = this.count - number;
		if (start !== this.start || number < 0 || missed < 0 || missed > this.kept.length) {
			return undefined;
		}
		return missed === 0 ? [] : this.kept.slice(-missed);
	}

	/** Calls `listener` after each change. @returns what ends that */
	listen(listener: (numbered: NumberedChange) => void): () => void {
		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}
}
