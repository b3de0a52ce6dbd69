import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { isFree } from '../lib/ports.mts';
import { waitFor } from '../lib/waiting.mts';

/** What has to be the same at each start, because workflows, credentials and webhooks depend on it. */
export type Kept = z.output<typeof schema>;

const schema = z.object({
	/** The registered webhooks have n8n's port. */
	n8nPort: z.number().int(),
	/** The credential has the sandbox's port. */
	sandboxPort: z.number().int(),
	/** The login of the first start. The user may have changed it in n8n since. */
	owner: z.object({ email: z.string(), password: z.string(), firstName: z.string(), lastName: z.string() }),
});

const fileIn = (folder: string) => join(folder, 'kept.json');

/**
 * Reads what an earlier start has kept.
 *
 * @returns undefined if no quick start in this folder has reached its end: there is nothing of the user's in it
 * @throws Error if the file is broken
 */
export function readKept(folder: string): Kept | undefined {
	const file = fileIn(folder);
	if (!existsSync(file)) {
		return undefined;
	}
	try {
		return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		throw new Error(`${file} is broken: npm start -- --keep --reset starts over.`);
	}
}

/** Returns where the editor of the start that runs is, for the end of a sentence; an empty text if that is unknown. */
export function keptAddress(folder: string): string {
	try {
		const { n8nPort } = readKept(folder) ?? {};
		return n8nPort ? `: http://127.0.0.1:${n8nPort}` : '';
	} catch {
		return '';
	}
}

/** Writes it, as a whole and for the owner only: it has a password. */
export function writeKept(folder: string, kept: Kept): void {
	const part = `${fileIn(folder)}.part`;
	writeFileSync(part, JSON.stringify(kept, null, '\t'), { mode: 0o600 });
	renameSync(part, fileIn(folder));
}

/**
 * Waits until the ports are free: after a crash, the processes of the earlier start need a moment to end.
 *
 * @param seconds how long to wait
 * @throws Error that says who needs the port that is taken
 */
export async function portsAreFree({ n8nPort, sandboxPort }: Kept, seconds = 20): Promise<void> {
	for (const [port, who] of [
		[n8nPort, 'the webhooks that n8n has registered are at this address'],
		[sandboxPort, 'the credential for the sandbox has this address'],
	] as const) {
		if (await isFree(port)) {
			continue;
		}
		console.log(`Port ${port} is in use: waiting for it, up to ${seconds} seconds.`);
		const free = await waitFor(async () => (await isFree(port)) || undefined, { seconds, every: 200 });
		if (!free) {
			throw new Error(
				`Port ${port} is taken by another program, and no other port can be used: ${who}. End that program, then start again.`,
			);
		}
	}
}
