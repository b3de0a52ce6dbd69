/** How many entries a journal keeps, and how many bytes they may have together. */
interface JournalLimits {
	entries: number;
	bytes: number;
}

const LIMITS: JournalLimits = { entries: 50_000, bytes: 128 * 1024 * 1024 };

/** The latest entries of a log, oldest first. The oldest ones are dropped beyond a number and a size. */
export class Journal<Entry extends object> {
	entries: Entry[] = [];
	/** How many entries were dropped. */
	dropped = 0;
	private bytes = 0;
	private readonly sizes = new WeakMap<Entry, number>();
	private readonly limits: JournalLimits;

	constructor(limits: Partial<JournalLimits> = {}) {
		this.limits = { ...LIMITS, ...limits };
	}

	/** @param bytes about how much the entry keeps in memory */
	add(entry: Entry, bytes: number): void {
		this.entries.push(entry);
		this.sizes.set(entry, 0);
		this.grow(entry, bytes);
	}

	/** An entry got larger. */
	grow(entry: Entry, bytes: number): void {
		const size = this.sizes.get(entry);
		if (size === undefined) {
			return;
		}
		this.sizes.set(entry, size + bytes);
		this.bytes += bytes;
		while (this.entries.length > this.limits.entries || (this.bytes > this.limits.bytes && this.entries.length > 1)) {
			const oldest = this.entries.shift()!;
			this.bytes -= this.sizes.get(oldest) ?? 0;
			this.sizes.delete(oldest);
			this.dropped += 1;
		}
	}
}
