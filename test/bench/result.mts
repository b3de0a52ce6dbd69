import type { Chart } from './plot.mts';

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
	/** All measurements, for `results.json`; not known for a row that was measured elsewhere. */
	raw?: unknown;
	/** What a picture shows better than the tables. */
	chart?: Chart;
	/** How long the measurement took. */
	seconds?: number;
}

/** Makes a target that a median is at most `limit`. */
export function atMost(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value <= limit };
}

/** Makes a target that a median is at least `limit`. */
export function atLeast(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value >= limit };
}
