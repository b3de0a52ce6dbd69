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
