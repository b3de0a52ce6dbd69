import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from './client.mts';
import { idOf, rowsOf } from './read.mts';

/** Where a run creates objects, in the order in which they can be deleted: a campaign needs its agent. */
const LISTS = ['/campaigns', '/agents', '/sip-trunks', '/calendars'];
/** What a run creates has a name that begins like this. */
const NAME_PREFIX = 'Contract check, may be deleted';
/** Pages that are searched for objects by name. */
const PAGES = 50;

/** The name of what a run creates. @param start when the run began, in milliseconds since 1970 */
export const ownName = (start: number) => `${NAME_PREFIX} (${new Date(start).toISOString()})`;

/** Whether a request creates an object that has to be deleted. What is inside such an object is deleted with it. */
export const isCreation = (method: string, path: string) => method === 'POST' && LISTS.includes(path);

/**
 * The names of objects that runs created and did not delete yet. They are kept in a file, so that the next start can
 * delete what a killed run left.
 */
export class CreatedNames {
	private readonly file: string;
	private names: string[];

	/**
	 * @param home the folder of the file
	 * @param service identifies the service and the account; the file shows neither
	 * @throws Error if an earlier run is still under way
	 */
	constructor(home: string, service: string) {
		const mark = createHash('sha256').update(service).digest('hex').slice(0, 12);
		this.file = join(home, `.voice-agent-calling-contract-${mark}.json`);
		const { pid, names } = readKept(this.file);
		if (pid !== process.pid && isRunning(pid)) {
			throw new Error(`Another run is under way (process ${pid}). If it is not, delete ${this.file}.`);
		}
		this.names = names;
	}

	/** Before the first object with a name is created: a run may be killed before it has the answer. */
	add(name: string): void {
		if (!this.names.includes(name)) {
			this.names.push(name);
			writeFileSync(this.file, JSON.stringify({ pid: process.pid, names: this.names }), { mode: 0o600 });
		}
	}

	/** Deletes all objects with these names. @returns what could not be deleted, as texts for the user */
	async deleteObjects(client: Client): Promise<string[]> {
		const left: string[] = [];
		for (const list of this.names.length > 0 ? LISTS : []) {
			try {
				for (const path of await pathsOf(client, list, this.names)) {
					left.push(...((await remove(client, path)) ? [] : [path]));
				}
			} catch {
				left.push(`what is named "${NAME_PREFIX} …" in ${list}`);
			}
		}
		if (left.length === 0) {
			this.names = [];
			rmSync(this.file, { force: true });
		}
		return left;
	}
}

/** The paths of the objects of a list with one of these names. @throws Error if the list cannot be read */
async function pathsOf(client: Client, list: string, names: readonly string[]): Promise<string[]> {
	const found = new Map<string, boolean>();
	for (let page = 1; page <= PAGES; page += 1) {
		const { status, body } = await client.send('GET', list, page === 1 ? {} : { query: `page=${page}` });
		// A plan without trunks has no list of them.
		if (status >= 300 && !(list === '/sip-trunks' && [402, 403, 404].includes(status))) {
			throw new Error(`GET ${list} answered ${status}`);
		}
		const before = found.size;
		for (const row of status < 300 ? rowsOf(body) : []) {
			found.set(`${list}/${encodeURIComponent(idOf(row) ?? '')}`, names.includes(String(row.name)));
		}
		// The last page, or a list without pages.
		if (found.size === before || ['/sip-trunks', '/calendars'].includes(list)) {
			break;
		}
	}
	return [...found].filter(([path, isOwn]) => isOwn && !path.endsWith('/')).map(([path]) => path);
}

/** @returns whether an object is gone */
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
