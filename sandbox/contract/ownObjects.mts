import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from './client.mts';
import { type Created, type CreationLog, KINDS, type Kind, NAME_PREFIX, PATHS, WORDS } from './createdObjects.mts';
import { dataIn, ownIdOf, rowsOf } from './read.mts';

/** Objects of a run that is younger may belong to one that is under way. */
const ABANDONED_AFTER_MS = 3_600_000;
/** Pages that are searched for objects by name. */
const PAGES = 50;

/** The name of what a run creates. @param start when the run began, in milliseconds since 1970 */
export function ownName(start: number): string {
	return `${NAME_PREFIX} (${new Date(start).toISOString()})`;
}

/**
 * Deletes what runs created: the objects that the journal knows, and those with its names.
 * @param abandoned whether to look for the objects of other runs, too, if they are old enough
 * @returns what could not be deleted, as texts for the user
 */
export async function deleteOwn(client: Client, journal: CreationLog, abandoned: boolean): Promise<string[]> {
	const { names } = journal;
	const left: string[] = [];
	for (const kind of KINDS) {
		const ids = new Set(journal.objects.filter((object) => object.kind === kind).map(({ id }) => id));
		try {
			if (names.length > 0 || abandoned) {
				for (const id of await namedLike(client, kind, (name) => names.includes(name) || (abandoned && isOld(name)))) {
					ids.add(id);
				}
			}
		} catch {
			left.push(`what is named "${NAME_PREFIX} …" in ${PATHS[kind]}`);
		}
		for (const id of ids) {
			if (await remove(client, kind, id)) {
				journal.removeObject(id);
			} else {
				left.push(`${PATHS[kind]}/${id}`);
			}
		}
	}
	if (left.length === 0) {
		journal.clear();
	}
	return left;
}

/** Whether there is anything to delete. */
export function isEmpty({ names, objects }: Created): boolean {
	return names.length === 0 && objects.length === 0;
}

/** The IDs of the objects of a kind whose name fits. */
export async function namedLike(client: Client, kind: Kind, fits: (name: string) => boolean): Promise<string[]> {
	const found = new Map<string, boolean>();
	for (let page = 1; page <= PAGES; page += 1) {
		const query: Record<string, string> = page === 1 ? {} : { page: String(page) };
		const answer = await client.send('GET', PATHS[kind], { query });
		// A plan without trunks has no list of them.
		if (answer.status >= 300 && !(kind === 'sipTrunk' && [402, 403, 404].includes(answer.status))) {
			throw new Error(`GET ${PATHS[kind]} answered ${answer.status}`);
		}
		const rows = answer.status < 300 ? rowsOf(answer.body) : [];
		const before = found.size;
		for (const row of rows) {
			found.set(ownIdOf(row, WORDS[kind]) ?? '', typeof row.name === 'string' && fits(row.name));
		}
		// The last page, or a service without pages.
		if (found.size === before || kind === 'sipTrunk' || kind === 'calendar') {
			break;
		}
	}
	return [...found].filter(([id, own]) => own && id !== '').map(([id]) => id);
}

function isOld(name: string): boolean {
	if (!name.startsWith(NAME_PREFIX)) {
		return false;
	}
	const start = Date.parse(name.slice(NAME_PREFIX.length).replaceAll(/[()]/g, '').trim());
	return Date.now() - start > ABANDONED_AFTER_MS;
}

/** Whether an object is one of a run: it has the name of one, or no longer any. */
export async function isOwn(client: Client, kind: Kind, id: string): Promise<boolean> {
	const { status, body } = await client.send('GET', `${PATHS[kind]}/${encodeURIComponent(id)}`);
	const { name } = dataIn(body);
	return status >= 300 || typeof name !== 'string' || name.startsWith(NAME_PREFIX);
}

/** @returns whether it is gone */
async function remove(client: Client, kind: Kind, id: string): Promise<boolean> {
	const path = `${PATHS[kind]}/${encodeURIComponent(id)}`;
	if (!(await isOwn(client, kind, id).catch(() => false))) {
		return false;
	}
	// A call may have to end first.
	const deadline = Date.now() + client.pace.waitMs / 3;
	do {
		try {
			const { status } = await client.send('DELETE', path);
			if ((status >= 200 && status < 300) || status === 404 || status === 410) {
				return true;
			}
			await release(client, kind, path);
		} catch {
			// No answer: it may be gone all the same, which the next try shows.
		}
		await sleep(client.pace.lookMs);
	} while (Date.now() < deadline && client.stopped === undefined);
	return false;
}

/** Does what a service may want before it deletes. */
async function release(client: Client, kind: Kind, path: string): Promise<void> {
	if (kind === 'campaign') {
		await client.send('PATCH', `${path}/status`, { body: { status: 'cancelled' } });
	}
	if (kind === 'agent') {
		await client.send('POST', `${path}/unpublish`);
	}
}
