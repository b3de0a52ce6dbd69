/** A table of the page; the first column names what was measured. */
export interface Table {
	columns: string[];
	rows: string[][];
}

/** What was to be reached, and what was. */
export interface Target {
	wanted: string;
	reached: string;
	met: boolean;
}

/** What a row of the benchmarks came to. */
export interface RowResult {
	title: string;
	/** What was done, for whoever doubts the numbers. */
	how: string[];
	tables: Table[];
	targets: Target[];
	/** All numbers, for the file in the cache. */
	raw: unknown;
}

/** Whether a median is at most so much, with the words for it. */
export function atMost(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value <= limit };
}

/** Whether a median is at least so much, with the words for it. */
export function atLeast(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value >= limit };
}
