/** As many as the medians are taken of. */
export const rounds = 5;

/**
 * Runs all in turns, A B C A B C, so that what changes on the machine meanwhile meets all of them alike.
 *
 * @returns by name what each round gave
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
