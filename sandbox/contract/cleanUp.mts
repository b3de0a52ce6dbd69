import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from './client.mts';
import { idOf, rowsOf } from './read.mts';

/** The lists in which a run creates objects, in the order of deletion: a campaign depends on its agent. */
const LISTS = ['/campaigns', '/agents', '/sip-trunks', '/calendars'];
/** The beginning of the name of every object that a run creates. */
const NAME_PREFIX = 'Contract check, may be deleted';
/** The most pages that are searched for objects by name. */
const PAGES = 50;

/** Returns the name for the objects of a run. @param start when the run began, in milliseconds since 1970 */
export const ownName = (start: number) => `${NAME_PREFIX} (${new Date(start).toISOString()})`;

/** Whether a request creates an object that has to be deleted. Objects inside it are deleted with it. */
export const isCreation = (method: string, path: string) => method === 'POST' && LISTS.includes(path);

/**
 * The names of objects that runs have created but not yet deleted. They are kept in a file, so that the next start can
 * delete the objects of a killed run.
 */
export class CreatedNames {
	private readonly file: string;
	private names: string[];

	/**
	 * @param home the folder of the file
	 * @param service identifies the service and the account; the file shows neither
	 * @throws Error if an earlier run is still in progress
	 */
	constructor(home: string, service: string) {
		const mark = createHash('sha256').update(service).digest('hex').slice(0, 12);
		this.file = join(home, `.voice-agent-calling-contract-${mark}.json`);
		const { pid, names } = readKept(this.file);
		if (pid !== process.pid && isRunning(pid)) {
			throw new Error(`Another run is in progress (process ${pid}). If it is not, delete ${this.file}.`);
		}
		this.names = names;
	}

	/** Has to be called before an object with the name is created: the run may be killed before the response arrives. */
	add(name: string): void {
		if (!this.names.includes(name)) {
			this.names.push(name);
			writeFileSync(this.file, JSON.stringify({ pid: process.pid, names: this.names }), { mode: 0o600 });
		}
	}

	/** Deletes all objects with these names. @returns descriptions, for the user, of objects that could not be deleted */
	async deleteObjects(client: Client): Promise<string[]> {
		const left: string[] = [];
		for (const list of this.names.length > 0 ? LISTS : []) {
			try {
				for (const path of await pathsOf(client, list, this.names)) {
					left.push(...((await remove(client, path)) ? [] : [path]));
				}
			} catch {
				left.push(`objects named "${NAME_PREFIX} …" in ${list}`);
			}
		}
		if (left.length === 0) {
			this.names = [];
			rmSync(this.file, { force: true });
		}
		return left;
	}
}

/** Finds the paths of a list's objects with one of these names. @throws Error if the list cannot be read */
async function pathsOf(client: Client, list: string, names: readonly string[]): Promise<string[]> {
	const found = new Map<string, boolean>();
	for (let page = 1; page <= PAGES; page += 1) {
		const { status, body } = await client.send('GET', list, page === 1 ? {} : { query: `page=${page}` });
		// A plan without SIP trunks does not offer this list.
		if (status >= 300 && !(list === '/sip-trunks' && [402, 403, 404].includes(status))) {
			throw new Error(`GET ${list} returned ${status}`);
		}
		const before = found.size;
		for (const row of status < 300 ? rowsOf(body) : []) {
			found.set(`${list}/${encodeURIComponent(idOf(row) ?? '')}`, names.includes(String(row.name)));
		}
		// A list without pages, or the end of the pages.
		if (found.size === before || ['/sip-trunks', '/calendars'].includes(list)) {
			break;
		}
	}
	return [...found].filter(([path, isOwn]) => isOwn && !path.endsWith('/')).map(([path]) => path);
}

/** @returns whether the object no longer exists */
async function remove(client: Client, path: string): Promise<boolean> {
	// A call may have to end first.
	const deadline = Date.now() + client.pace.waitMs / 3;
	while (client.stopped === undefined) {
		const { status } = await client.send('DELETE', path).catch(() => ({ status: 0 }));
		if ((status >= 200 && status < 300) || status === 404 || status === 410) {
			return true;
		}
		if (Date.now() > deadline) {
			break;
		}
		if (path.startsWith('/campaigns/')) {
			await client.send('PATCH', `${path}/status`, { body: { status: 'cancelled' } }).catch(() => undefined);
		}
		await sleep(client.pace.lookMs);
	}
	return false;
}

function readKept(file: string): { pid: number; names: string[] } {
	try {
		const { pid, names } = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readKept>;
		return { pid, names: names.filter((name) => name.startsWith(NAME_PREFIX)) };
	} catch {
		return { pid: 0, names: [] };
	}
}

function isRunning(pid: number): boolean {
	try {
		return pid > 0 && process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
