/** How much a process keeps in mind of one kind; the oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;

/** A map that does not grow beyond a size. */
export class Memory<Value> {
	private readonly values = new Map<string, Value>();

	get(key: string): Value | undefined {
		return this.values.get(key);
	}

	/** Keeps a value, as the newest. */
	set(key: string, value: Value): void {
		this.values.delete(key);
		this.values.set(key, value);
		if (this.values.size > MOST_REMEMBERED) {
			const [oldest] = this.values.keys();
			this.values.delete(oldest);
		}
	}

	delete(key: string): void {
		this.values.delete(key);
	}
}
