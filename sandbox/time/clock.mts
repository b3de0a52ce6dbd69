import { END_OF_TIME } from './time.mts';

/** The key of an object's timer. It is a symbol because a saved world has no timers, and what has a symbol as its key is not saved. */
export const TIMER = Symbol('timer');

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
 * It starts at the real time or at a given one, runs `speed` times as fast, and can be advanced at once.
 */
export class Clock {
	private factor: number;
	/** The sandbox's time (milliseconds since 1970) when the real time was `realBase`. */
	private base: number;
	private realBase = Date.now();
	/** During an advance real time adds nothing, so that all work runs in order. */
	private advancing = false;
	private advances: Promise<void> = Promise.resolve();
	private entries: Entry[] = [];
	private readonly running = new Set<Promise<void>>();
	private wake: NodeJS.Timeout | undefined;
	private stopped = false;

	/**
	 * @param speed how many sandbox seconds pass in a real second; 0: it moves only when it is advanced
	 * @param start what it shows now (milliseconds since 1970); the real time by default
	 */
	constructor(speed: number, start: number = Date.now()) {
		this.factor = speed;
		this.base = start;
	}

	/** How many sandbox seconds pass in a real second. */
	get speed(): number {
		return this.factor;
	}

	/** Changes the speed from now on. */
	setSpeed(speed: number): void {
		if (!this.advancing) {
			this.base = this.now();
			this.realBase = Date.now();
		}
		this.factor = speed;
		this.arm();
	}

	/** When the next work is due (milliseconds since 1970); undefined if none is scheduled. */
	get nextDue(): number | undefined {
		return this.entries[0]?.due;
	}

	/** The sandbox's time in milliseconds since 1970. It stops at the end of the year 9999. */
	now(): number {
		return this.advancing ? this.base : atMost(this.base + (Date.now() - this.realBase) * this.factor);
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
		this.advances = this.advances.then(() => this.runAdvance(() => seconds * 1000));
		return this.advances;
	}

	/** As `advance`, to the moment of the next scheduled work; does nothing if there is none. */
	advanceToNext(): Promise<void> {
		this.advances = this.advances.then(() => this.runAdvance(() => Math.max(0, (this.nextDue ?? 0) - this.base)));
		return this.advances;
	}

	/** Starts the work that is due now, instead of a moment later; nothing during an advance. */
	startDue(): void {
		if (!this.advancing) {
			this.runDue();
		}
	}

	/** Drops all work that has not started; nothing can be scheduled any more. */
	stop(): void {
		this.stopped = true;
		this.entries = [];
		clearTimeout(this.wake);
	}

	private async runAdvance(milliseconds: () => number): Promise<void> {
		await this.settle();
		this.base = this.now();
		this.advancing = true;
		clearTimeout(this.wake);
		const target = atMost(this.base + milliseconds());
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
		const left = next.due - this.now();
		if (left > 0 && this.factor === 0) {
			return;
		}
		const wait = left > 0 ? Math.min(left / this.factor, LONGEST_WAIT_MS) : 0;
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

function atMost(time: number): number {
	return Math.min(time, END_OF_TIME - 1);
}
