import { startSandbox as start } from '../../../sandbox/server.mts';

const open = new Set<() => Promise<void>>();

/** Registers what to close after the test file, even if a test fails. @returns a function that closes it earlier */
export function closeAtEnd(close: () => Promise<void>): () => Promise<void> {
	open.add(close);
	return async () => {
		open.delete(close);
		await close();
	};
}

/** Closes everything that the test file started; the test environment calls it. */
export async function closeAll(): Promise<void> {
	const all = [...open];
	open.clear();
	await Promise.all(all.map(async (close) => await close()));
}

/** Starts a sandbox on a free port, until the test file ends. */
export async function startSandbox(options: Parameters<typeof start>[0] = {}): ReturnType<typeof start> {
	const sandbox = await start(options);
	closeAtEnd(sandbox.close);
	return sandbox;
}
