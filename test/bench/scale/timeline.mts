/** A value at a moment: seconds since the start, and the value. */
export type Point = [second: number, value: number];

/** What a killed worker cost. All times are in seconds after the kill. */
export interface Recovery {
	/** Calls per second before the kill. */
	before: number;
	/** The lowest rate after it, in {@link WINDOW} seconds. */
	lowest: number;
	/** When the rate was again at least 90 % of that before; null if the campaign ended earlier. */
	backAfter: number | null;
}

/** Rates of a recovery are those of so many seconds. */
export const WINDOW = 10;

/** Returns how many of the events happened per second. @param times in milliseconds, in any order */
export function perSecond(times: readonly number[]): number {
	const { first, last } = range(times);
	return last > first ? ((times.length - 1) * 1000) / (last - first) : NaN;
}

/** Returns the seconds between the first event and the last. */
export function duration(times: readonly number[]): number {
	const { first, last } = range(times);
	return (last - first) / 1000;
}

/** Returns the rate over time: a point for each `bucket` seconds since the first event, the last one left out. */
export function rateOverTime(times: readonly number[], bucket: number): Point[] {
	const { first, last } = range(times);
	const counts = new Array<number>(Math.floor((last - first) / 1000 / bucket) + 1).fill(0);
	for (const time of times) {
		counts[Math.floor((time - first) / 1000 / bucket)]! += 1;
	}
	// The last one has less than `bucket` seconds.
	return counts.slice(0, -1).map((count, index) => [(index + 0.5) * bucket, count / bucket]);
}

/** Compares the rates before and after a kill. @param times of the calls, in milliseconds, in any order */
export function recovery(times: readonly number[], killedAt: number): Recovery {
	const sorted = [...times].sort((left, right) => left - right);
	const earlier = sorted.filter((time) => time < killedAt);
	const since = Math.max(earlier[0] ?? killedAt, killedAt - 2 * WINDOW * 1000);
	const before = (earlier.filter((time) => time >= since).length * 1000) / (killedAt - since);
	const rates: Point[] = [];
	const last = sorted.at(-1) ?? killedAt;
	for (let start = killedAt; start + WINDOW * 1000 <= last; start += 1000) {
		const count = sorted.filter((time) => time >= start && time < start + WINDOW * 1000).length;
		rates.push([(start - killedAt) / 1000, count / WINDOW]);
	}
	const lowest = Math.min(...rates.map(([, rate]) => rate));
	// A worker may work on for a moment after the signal, so the search begins at the lowest rate.
	const from = rates.findIndex(([, rate]) => rate === lowest);
	const back = rates.slice(from).find(([, rate]) => rate >= 0.9 * before);
	return { before, lowest, backAfter: back ? back[0] : null };
}

function range(times: readonly number[]): { first: number; last: number } {
	return {
		first: times.reduce((least, time) => Math.min(least, time), Infinity),
		last: times.reduce((most, time) => Math.max(most, time), -Infinity),
	};
}
