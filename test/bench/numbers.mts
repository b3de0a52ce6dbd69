/** Values of several rounds: the one in the middle, the lowest and the highest. */
export interface Spread {
	median: number;
	low: number;
	high: number;
}

export function spread(values: readonly number[]): Spread {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = (sorted.length - 1) / 2;
	const [below = NaN, above = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	return { median: (below + above) / 2, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** One against the other, round by round: what disturbs a round disturbs both. */
export function ratio(ones: readonly number[], others: readonly number[]): Spread {
	return spread(ones.map((one, round) => one / others[round]!));
}

/** As "1.02 (0.98 to 1.07)". */
export function show({ median, low, high }: Spread, digits = 2, unit = ''): string {
	const [middle, from, to] = [median, low, high].map((value) => value.toFixed(digits));
	return from === to ? `${middle}${unit}` : `${middle}${unit} (${from} to ${to})`;
}

/** The least of the values that at least so many percent of them do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}
