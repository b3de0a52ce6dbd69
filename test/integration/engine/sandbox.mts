import { startSandbox as start } from '../../../sandbox/server.mts';
import { closeAtEnd } from './cleanup.mts';

/** Starts a sandbox on a free port, until the test file ends. */
export async function startSandbox(options: Parameters<typeof start>[0] = {}): ReturnType<typeof start> {
	const sandbox = await start(options);
	closeAtEnd(sandbox.close);
	return sandbox;
}
