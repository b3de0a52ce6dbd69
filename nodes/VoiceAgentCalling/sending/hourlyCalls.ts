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
 * Counts a call.
 *
 * The counts are in the memory of this process: n8n has no storage that a tool can rely on. They end with the process,
 * and each worker of queue mode has its own.
 *
 * @param scope what is counted together
 * @param maxCalls the maximum number of calls in any 60 minutes
 * @returns `giveBack` uncounts the call; `wait` is the time until the next call, in milliseconds, if none is left
 */
export function takeHourlyCall(scope: string, maxCalls: number): { giveBack(): void } | { wait: number } {
	const now = Date.now();
	forgetOld(now);
	const times = callTimes.get(scope) ?? [];
	if (times.length >= maxCalls) {
		return { wait: times[times.length - maxCalls] + HOUR_MS - now };
	}
	callTimes.set(scope, [...times, now]);
	return {
		giveBack() {
			const left = [...(callTimes.get(scope) ?? [])];
			const index = left.indexOf(now);
			if (index !== -1) {
				left.splice(index, 1);
				callTimes.set(scope, left);
			}
		},
	};
}
