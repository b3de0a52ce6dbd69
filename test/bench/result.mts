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
	raw?: unknown;
	/** How long the measurement took. */
	seconds?: number;
}

/** Makes a target that a median is at most `limit`. */
export function atMost(wanted: string, reached: string, value: number, limit: number): Target {
	return { wanted, reached, met: value <= limit };
}

/** The number of rounds of a median. */
export const rounds = 5;

/**
 * Runs all contenders in turn (A B C A B C), so that changes on the machine affect all of them equally.
 *
 * @returns the results of all rounds by name
 */
export async function inTurns<Result>(
	contenders: Record<string, () => Promise<Result>>,
	times: number = rounds,
): Promise<Record<string, Result[]>> {
	const results: Record<string, Result[]> = {};
	for (let round = 1; round <= times; round++) {
		console.log(`   round ${round} of ${times}`);
		for (const [name, run] of Object.entries(contenders)) {
			(results[name] ??= []).push(await run());
		}
	}
	return results;
}
