/** The median, minimum and maximum of several rounds. */
export interface Spread {
	median: number;
	low: number;
	high: number;
}

export function spread(values: readonly number[]): Spread {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = (sorted.length - 1) / 2;
	const [below = NaN, above = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	return { median: (below + above) / 2, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** Returns the ratio per round, because a disturbance of a round affects both values. */
export function ratio(numerators: readonly number[], denominators: readonly number[]): Spread {
	return spread(numerators.map((numerator, round) => numerator / denominators[round]!));
}

/** Formats a spread as "1.02 (0.98–1.07)". */
export function show({ median, low, high }: Spread, digits = 2, unit = ''): string {
	const [middle, from, to] = [median, low, high].map((value) => value.toFixed(digits));
	return from === to ? `${middle}${unit}` : `${middle}${unit} (${from}–${to})`;
}

/** A target, and the result. */
export interface Target {
	wanted: string;
	reached: string;
	met: boolean;
}

/** Makes a target that no value is above its limit. */
export function atMost(wanted: string, values: Array<[value: number, limit: number]>, digits = 2, unit = ''): Target {
	return {
		wanted,
		reached: values.map(([value]) => `${value.toFixed(digits)}${unit}`).join(', '),
		met: values.every(([value, limit]) => value <= limit),
	};
}
