import { END_OF_TIME } from './time.mts';

/** The key of an object's timer. It is a symbol because properties with symbols as keys are not saved. */
export const TIMER = Symbol('timer');

/** Scheduled work. Canceling it twice, or after it has run, has no effect. */
export interface Timer {
	cancel(): void;
}

interface Entry {
	due: number;
	work: () => void | Promise<void>;
}

/** The longest wait of a timer, because setTimeout overflows. The clock then waits again. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * The sandbox's own clock for calls, schedules, cooldowns and delivery retries.
 * It starts at the real time or at a given time, runs `speed` times as fast, and can be advanced at once.
 */
export class Clock {
	private factor: number;
	/** The sandbox's time (milliseconds since 1970) when the real time was `realBase`. */
	private base: number;
	private realBase = Date.now();
	/** During an advance, real time does not move the clock, so that all work runs in order. */
	private advancing = false;
	private advances: Promise<void> = Promise.resolve();
	private entries: Entry[] = [];
	private readonly running = new Set<Promise<void>>();
	private wake: NodeJS.Timeout | undefined;
	private stopped = false;

	/**
	 * @param speed sandbox seconds per real second; 0: the clock moves only when it is advanced
	 * @param start the current time of the clock (milliseconds since 1970); the real time by default
	 */
	constructor(speed: number, start: number = Date.now()) {
		this.factor = speed;
		this.base = start;
	}

	/** Sandbox seconds per real second. */
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

	/** When the next work is due (milliseconds since 1970); undefined without scheduled work. */
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

	/** Makes `advance` wait for running work, such as a delivery. Errors are written to stderr. */
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
	 * Resolves when this work, and the work that it started, has ended.
	 */
	advance(seconds: number): Promise<void> {
		this.advances = this.advances.then(() => this.runAdvance(() => seconds * 1000));
		return this.advances;
	}

	/** Advances to the moment of the next scheduled work, if any; see `advance`. */
	advanceToNext(): Promise<void> {
		this.advances = this.advances.then(() => this.runAdvance(() => Math.max(0, (this.nextDue ?? 0) - this.base)));
		return this.advances;
	}

	/** Starts due work at once. Has no effect during an advance. */
	startDue(): void {
		if (!this.advancing) {
			this.runDue();
		}
	}

	/** Drops all work that has not started. Work can no longer be scheduled. */
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
