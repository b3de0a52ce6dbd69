const HOUR_MS = 3_600_000;

/** When the tools of each workflow placed calls within the last hour, oldest first, in milliseconds since 1970. */
const callTimes = new Map<string, number[]>();

/** Forgets what is older than an hour, so that the memory holds no more than the calls of one hour. */
function forgetOld(now: number): void {
	for (const [scope, times] of callTimes) {
		const recent = times.filter((time) => time > now - HOUR_MS);
		if (recent.length > 0) {
			callTimes.set(scope, recent);
		} else {
			callTimes.delete(scope);
		}
	}
}

/**
 * How long it takes until a tool may place its next call.
 *
 * The counts are in the memory of this process: n8n has no storage that a tool can rely on. They end with the process,
 * and each worker of queue mode has its own.
 *
 * @param scope what is counted together
 * @param maxCalls the maximum number of calls in any 60 minutes
 * @param ahead how many calls come before it
 * @returns milliseconds; 0 if the call may be placed now
 */
export function msUntilHourlyCall(scope: string, maxCalls: number, ahead: number): number {
	const now = Date.now();
	forgetOld(now);
	const times = [...(callTimes.get(scope) ?? []), ...Array.from({ length: ahead }, () => now)];
	return times.length < maxCalls ? 0 : times[times.length - maxCalls] + HOUR_MS - now;
}

/** Counts a call that is about to be sent. @returns takes it back */
export function countHourlyCall(scope: string): () => void {
	const now = Date.now();
	callTimes.set(scope, [...(callTimes.get(scope) ?? []), now]);
	return () => {
		const left = [...(callTimes.get(scope) ?? [])];
		const index = left.indexOf(now);
		if (index !== -1) {
			left.splice(index, 1);
			callTimes.set(scope, left);
		}
	};
}
