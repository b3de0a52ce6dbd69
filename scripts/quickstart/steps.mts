/** Prints the name and the duration of each step. */
export class Steps {
	private readonly total: number;
	private number = 0;

	constructor(total: number) {
		this.total = total;
	}

	/** Runs a step; prints its name before and its duration after. */
	async step<T>(what: string, work: () => Promise<T>): Promise<T> {
		this.number += 1;
		const started = Date.now();
		process.stdout.write(`[${this.number}/${this.total}] ${what} … `);
		try {
			const result = await work();
			process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1)} s\n`);
			return result;
		} catch (error) {
			process.stdout.write('failed\n');
			throw error;
		}
	}
}
