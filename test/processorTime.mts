/** The microseconds of processor time of a run. */
async function timeOf(run: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await run();
	const { user, system } = process.cpuUsage(before);
	return user + system;
}

/** The least of three: what other programs do on the machine, and what Node.js compiles first, does not count. */
const leastOf = async (run: () => Promise<number>) => Math.min(await run(), await run(), await run());

/**
 * Measures processor time with a yardstick of the same machine, process and moment.
 *
 * @param value what the run works with
 * @param run what is measured; it is run three times
 * @returns how many copies of the value, by way of JSON, take as long as the run
 */
export async function timeInCopies(value: unknown, run: () => unknown): Promise<number> {
	const copying = await leastOf(async () => {
		let [time, copies] = [0, 0];
		for (; time < 20_000; copies += 1) {
			time += await timeOf(() => JSON.parse(JSON.stringify(value)));
		}
		return time / copies;
	});
	return (await leastOf(() => timeOf(run))) / copying;
}
