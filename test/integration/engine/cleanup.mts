const open = new Set<() => Promise<void>>();

/** Has something closed when the test file ends, however it ends. */
export function closeAtEnd(close: () => Promise<void>): void {
	open.add(close);
}

/** Closes all that the test file started; the test environment calls it. */
export async function closeAll(): Promise<void> {
	const all = [...open];
	open.clear();
	await Promise.all(all.map(async (close) => await close()));
}
