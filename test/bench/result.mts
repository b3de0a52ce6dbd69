/** A table of the page; the first column says what was measured. */
export interface Table {
	columns: string[];
	rows: string[][];
}

/** A target, and the result. */
export interface Target {
	wanted: string;
	reached: string;
	met: boolean;
}

/** The result of a row of the benchmarks. */
export interface RowResult {
	title: string;
	/** How it was measured. */
	how: string[];
	tables: Table[];
	targets: Target[];
	/** All measurements, for `results.json`. */
	raw: unknown;
}

/** Makes a target that a median is at most `limit`. */
export function atMost(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value <= limit };
}

/** Makes a target that a median is at least `limit`. */
export function atLeast(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value >= limit };
}
