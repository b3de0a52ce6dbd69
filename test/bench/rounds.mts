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
	const started = performance.now();
	for (let round = 1; round <= times; round++) {
		console.log(`   ${progress(round, times, (performance.now() - started) / 1000)}`);
		for (const [name, run] of Object.entries(contenders)) {
			(results[name] ??= []).push(await run());
		}
	}
	return results;
}

/** Returns a line such as "round 2 of 5, about 4 min left". @param elapsed seconds since the first round began */
export function progress(round: number, rounds: number, elapsed: number): string {
	const line = `round ${round} of ${rounds}`;
	return round === 1 ? line : `${line}, ${inMinutes((elapsed / (round - 1)) * (rounds - round + 1))} left`;
}

/** Returns a duration as text, such as "about 4 min". */
export function inMinutes(seconds: number): string {
	return seconds < 45 ? 'less than a minute' : `about ${Math.round(seconds / 60)} min`;
}
