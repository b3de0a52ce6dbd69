/** The most entries of a journal, and their largest total size. */
interface JournalLimits {
	entries: number;
	bytes: number;
}

const LIMITS: JournalLimits = { entries: 50_000, bytes: 128 * 1024 * 1024 };

/** The latest entries of a log, oldest first. Beyond its limits, the oldest entries are dropped. */
export class Journal<Entry extends object> {
	entries: Entry[] = [];
	/** The number of dropped entries. */
	dropped = 0;
	private bytes = 0;
	private readonly sizes = new WeakMap<Entry, number>();
	private readonly limits: JournalLimits;

	constructor(limits: Partial<JournalLimits> = {}) {
		this.limits = { ...LIMITS, ...limits };
	}

	/** @param bytes the approximate size of the entry in memory */
	add(entry: Entry, bytes: number): void {
		this.entries.push(entry);
		this.sizes.set(entry, 0);
		this.grow(entry, bytes);
	}

	/** Adds to the size of an entry. */
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
