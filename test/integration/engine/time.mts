import { ringDueTimers } from './longTimers.mts';

const now = Date.now;
let skipped = 0;

/**
 * Moves the clock of this process forward: what n8n, the nodes and the sandbox read with `Date.now()`. Running timers
 * are not shortened; a node that sleeps notices within 200 ms. To be undone with {@link restoreTime}.
 */
export function skipTime(ms: number): void {
	skipped += ms;
	Date.now = () => now() + skipped;
}

/** Moves the clock like {@link skipTime}, and ends the waits of a second or more that are over then. */
export function passTime(ms: number): void {
	skipTime(ms);
	ringDueTimers();
}

/** Sets the clock of this process to the real time again; to be called before the test file ends. */
export function restoreTime(): void {
	skipped = 0;
	Date.now = now;
}
