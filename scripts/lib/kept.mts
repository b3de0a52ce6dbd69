import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Owner } from './editor.mts';
import { isFree, waitFor } from './process.mts';

/** The settings that must be the same at each start, because workflows, credentials and webhooks depend on them. */
export interface Kept {
	/** The URLs of the registered webhooks contain n8n's port. */
	n8nPort: number;
	/** The credential contains the sandbox's port. */
	sandboxPort: number;
	/** The login of the first start. The user may have changed it in n8n since then. */
	owner: Owner;
}

const fileIn = (folder: string) => join(folder, 'kept.json');

/**
 * Reads the settings of an earlier start.
 *
 * @returns undefined if no quick start in this folder has completed, so that the folder contains no work of the user
 * @throws Error if the file is broken
 */
export function readKept(folder: string): Kept | undefined {
	const file = fileIn(folder);
	if (!existsSync(file)) {
		return undefined;
	}
	try {
		const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
		if (Number.isInteger(kept.n8nPort) && Number.isInteger(kept.sandboxPort) && kept.owner.password) {
			return kept;
		}
	} catch {
		// Not JSON.
	}
	throw new Error(`${file} is broken: npm start -- --keep --reset starts over.`);
}

/** Writes the settings atomically, and readable only by their owner, because they contain a password. */
export function writeKept(folder: string, kept: Kept): void {
	const part = `${fileIn(folder)}.part`;
	writeFileSync(part, JSON.stringify(kept, null, '\t'), { mode: 0o600 });
	renameSync(part, fileIn(folder));
}

/**
 * Waits until the ports are free, because the processes of a crashed start need a moment to end.
 *
 * @throws Error after 20 seconds, with the reason why no other port can be used
 */
export async function portsAreFree({ n8nPort, sandboxPort }: Kept): Promise<void> {
	for (const [port, why] of [
		[n8nPort, 'the webhooks that n8n has registered are at this address'],
		[sandboxPort, 'the credential for the sandbox has this address'],
	] as const) {
		const free = await waitFor(async () => (await isFree(port)) || undefined, { seconds: 20, every: 200 });
		if (!free) {
			throw new Error(
				`Port ${port} is taken by another program, and no other port can be used: ${why}. End that program, then start again.`,
			);
		}
	}
}
