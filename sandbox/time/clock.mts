/** Scheduled work; canceling it twice, or after it has run, does nothing. */
export interface Timer {
	cancel(): void;
}

interface Entry {
	due: number;
	work: () => void | Promise<void>;
}

/** Much longer waits overflow setTimeout; the clock wakes up and waits again. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * The sandbox's own clock for calls, schedules, cooldowns and delivery retries.
 * It starts at the real time, runs `speed` times as fast, and can be advanced at once.
 */
export class Clock {
	private readonly speed: number;
	/** The sandbox's time (milliseconds since 1970) when the real time was `realBase`. */
	private base = Date.now();
	private realBase = Date.now();
	/** During an advance real time adds nothing, so that all work runs in order. */
	private advancing = false;
	private advances: Promise<void> = Promise.resolve();
	private entries: Entry[] = [];
	private readonly running = new Set<Promise<void>>();
	private wake: NodeJS.Timeout | undefined;
	private stopped = false;

	/** @param speed how many sandbox seconds pass in a real second; above 0 */
	constructor(speed: number) {
		this.speed = speed;
	}

	/** The sandbox's time in milliseconds since 1970. */
	now(): number {
		return this.advancing ? this.base : this.base + (Date.now() - this.realBase) * this.speed;
	}

	/**
	 * Runs `work` once the clock shows `time` (milliseconds since 1970), never synchronously.
	 * Work for the same moment runs in the order in which it was scheduled.
	 */
	at(time: number, work: () => void | Promise<void>): Timer {
		const entry = { due: time, work };
		if (this.stopped) {
			return { cancel: () => {} };
		}
		this.insert(entry);
		this.arm();
		return {
			cancel: () => {
				const index = this.entries.indexOf(entry);
				if (index >= 0) {
					this.entries.splice(index, 1);
				}
			},
		};
	}

	/** Runs `work` after `seconds` of sandbox time; see `at`. */
	after(seconds: number, work: () => void | Promise<void>): Timer {
		return this.at(this.now() + seconds * 1000, work);
	}

	/** Makes `advance` wait for running work such as a delivery. Its errors go to stderr. */
	track(work: Promise<void>): void {
		const guarded = work
			.catch((error: unknown) => console.error(error))
			.finally(() => {
				this.running.delete(guarded);
			});
		this.running.add(guarded);
	}

	/**
	 * Advances the clock by `seconds` and runs all work that becomes due, in order and one at a time.
	 * Resolves when all of it, and the work that it started, is done.
	 */
	advance(seconds: number): Promise<void> {
		this.advances = this.advances.then(() => this.runAdvance(seconds));
		return this.advances;
	}

	/** Drops all work that has not started; nothing can be scheduled any more. */
	stop(): void {
		this.stopped = true;
		this.entries = [];
		clearTimeout(this.wake);
	}

	private async runAdvance(seconds: number): Promise<void> {
		await this.settle();
		this.base = this.now();
		this.advancing = true;
		clearTimeout(this.wake);
		const target = this.base + seconds * 1000;
		for (let next = this.entries[0]; next && next.due <= target; next = this.entries[0]) {
			this.entries.shift();
			this.base = Math.max(this.base, next.due);
			this.start(next);
			await this.settle();
		}
		this.base = target;
		this.realBase = Date.now();
		this.advancing = false;
		this.arm();
	}

	private async settle(): Promise<void> {
		while (this.running.size > 0) {
			await Promise.all(this.running);
		}
	}

	private insert(entry: Entry): void {
		let low = 0;
		let high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.entries[middle] as Entry).due <= entry.due) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		this.entries.splice(low, 0, entry);
	}

	private start(entry: Entry): void {
		this.track((async () => entry.work())());
	}

	private arm(): void {
		clearTimeout(this.wake);
		const next = this.entries[0];
		if (this.stopped || this.advancing || !next) {
			return;
		}
		const wait = Math.min(Math.max(0, (next.due - this.now()) / this.speed), LONGEST_WAIT_MS);
		this.wake = setTimeout(() => this.runDue(), Math.ceil(wait));
	}

	private runDue(): void {
		const now = this.now();
		for (let next = this.entries[0]; next && next.due <= now; next = this.entries[0]) {
			this.entries.shift();
			this.start(next);
		}
		this.arm();
	}
}
