/** Says what each step is about to do, and how long it took. */
export class Steps {
	private readonly total: number;
	private number = 0;

	constructor(total: number) {
		this.total = total;
	}

	/** Runs one step between its announcement and its time. */
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
