import { ringDueTimers } from './longTimers.mts';

const now = Date.now;
const monotonicNow = performance.now.bind(performance);
let skipped = 0;
let setBack = 0;

/**
 * Lets time pass for this process: what n8n, the nodes and the sandbox read with `Date.now()` and `performance.now()`.
 * Running timers are not shortened; a node that sleeps notices within 200 ms. To be undone with {@link restoreTime}.
 */
export function skipTime(ms: number): void {
	skipped += ms;
	setClocks();
}

/** Sets the clock of this process back, as a person or a time server does: no time passes. */
export function setClockBack(ms: number): void {
	setBack += ms;
	setClocks();
}

function setClocks(): void {
	Date.now = () => now() + skipped - setBack;
	performance.now = () => monotonicNow() + skipped;
}

/** Moves the clock like {@link skipTime}, and ends the waits of a second or more that are over then. */
export function passTime(ms: number): void {
	skipTime(ms);
	ringDueTimers();
}

/** Sets the clocks of this process to the real time again; to be called before the test file ends. */
export function restoreTime(): void {
	[skipped, setBack] = [0, 0];
	Date.now = now;
	performance.now = monotonicNow;
}
