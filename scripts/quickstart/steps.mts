/** Makes a function that runs a step: it prints the name of the step before, and how long it took after. */
export function printedSteps(total: number) {
	let number = 0;
	return async <T,>(what: string, work: () => Promise<T>): Promise<T> => {
		number += 1;
		const started = Date.now();
		process.stdout.write(`[${number}/${total}] ${what} … `);
		try {
			const result = await work();
			process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1)} s\n`);
			return result;
		} catch (error) {
			process.stdout.write('failed\n');
			throw error;
		}
	};
}
