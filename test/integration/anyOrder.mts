declare global {
	// eslint-disable-next-line @typescript-eslint/no-namespace -- Jest declares its matchers so.
	namespace jest {
		interface Matchers<R> {
			/** Like toEqual for a list in any order: concurrent requests may arrive in any order. */
			toEqualInAnyOrder(expected: readonly unknown[]): R;
		}
	}
}

expect.extend({
	toEqualInAnyOrder(received: unknown[], expected: readonly unknown[]) {
		const left = [...received];
		const missing = expected.filter((one) => {
			const index = left.findIndex((other) => this.equals(other, one));
			if (index !== -1) {
				left.splice(index, 1);
			}
			return index === -1;
		});
		return {
			pass: missing.length === 0 && left.length === 0,
			message: () =>
				`Not received: ${this.utils.printExpected(missing)}\nReceived besides: ${this.utils.printReceived(left)}`,
		};
	},
});

export {};
