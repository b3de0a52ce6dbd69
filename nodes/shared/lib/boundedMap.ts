/** A map with at most 10,000 entries, or another number. When it is full, setting another key deletes the entry that was set first. */
export class BoundedMap<Value> {
	private readonly values = new Map<string, Value>();
	private readonly most: number;

	constructor(most = 10_000) {
		this.most = most;
	}

	get(key: string): Value | undefined {
		return this.values.get(key);
	}

	has(key: string): boolean {
		return this.values.has(key);
	}

	/** Sets a value and makes it the newest entry. */
	set(key: string, value: Value): void {
		this.values.delete(key);
		this.values.set(key, value);
		if (this.values.size > this.most) {
			const [oldest] = this.values.keys();
			this.values.delete(oldest);
		}
	}

	delete(key: string): void {
		this.values.delete(key);
	}
}
