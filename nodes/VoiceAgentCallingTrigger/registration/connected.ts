import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isGone, toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { inBatches } from '../../shared/lib/inBatches';
import { isSameOwner, type Owner, ownerUrl, type Source, sources } from '../../shared/nodeLink/owner';
import { totalIn } from '../../shared/service/pagination';
import type { Registration } from './deliveryKeys';
import { nodeKey } from './nodeKey';
import { AT_ONCE, ask, type Reach, webhooksOf, wholeList } from './reach';

/**
 * How many campaigns that are not finished, or how many agents, are looked through for connected ones. Where there are
 * more, none can be connected, because the trigger might not find it again.
 */
export const MOST_OWNERS = 200;

/** The statuses of campaigns that are not finished, those with calls first. */
const UNFINISHED = ['active', 'paused', 'draft'];

/** The other statuses: such campaigns are looked through if there are few others. */
const FINISHED = ['completed', 'cancelled'];

/** A campaign or agent, with those of its webhooks that deliver to this trigger. */
export interface Found {
	owner: Owner;
	webhooks: IDataObject[];
}

/** The queries that together list the campaigns with a status, or all agents. */
function queriesOf(source: Source, statuses: readonly string[]): IDataObject[] {
	return source === 'campaign' ? statuses.map((status) => ({ status })) : [{}];
}

/** How many campaigns are not finished, or how many agents there are. @throws ServiceError */
export async function countOwners(reach: Reach, source: Source): Promise<number> {
	const totals = await inBatches(queriesOf(source, UNFINISHED), AT_ONCE, async (query) => {
		const path = [sources[source].collection];
		return totalIn(await ask(reach, { method: 'GET', path, query: { ...query, page: 1, per_page: 1 } }));
	});
	return totals.reduce((sum, total) => sum + total, 0);
}

/** Lists campaigns, the finished ones last, or agents, up to {@link MOST_OWNERS}. @throws ServiceError */
async function listOwners(reach: Reach, source: Source): Promise<Owner[]> {
	const owners = new Map<string, Owner>();
	// The active ones twice: another one may have become active while the others were read.
	for (const query of queriesOf(source, [...UNFINISHED, UNFINISHED[0], ...FINISHED])) {
		if (owners.size >= MOST_OWNERS) {
			break;
		}
		const list = { method: 'GET', path: [sources[source].collection], query } as const;
		for (const { id } of await wholeList(reach, list, { items: ({ data }) => data, limit: MOST_OWNERS })) {
			owners.set(String(id), { source, ownerId: String(id) });
		}
	}
	return [...owners.values()].slice(0, MOST_OWNERS);
}

/**
 * Finds the campaigns or agents that are connected to the trigger: they have a webhook with exactly the URL that the
 * trigger has for them. No stored list could tell: n8n's static data is one object per workflow, and who writes it last
 * wins.
 *
 * @param triggerUrl the production URL
 * @param known owners to look at first, also if they are finished or have no such webhook
 * @param except the owners that are chosen in the trigger
 * @param isComplete whether there are no others than the known ones
 * @returns those with such a webhook, and the known ones that exist
 * @throws ServiceError
 */
export async function findConnected(
	reach: Reach,
	source: Source,
	triggerUrl: string,
	known: readonly Owner[],
	except: readonly Owner[],
	isComplete = false,
): Promise<Found[]> {
	const others = isComplete ? [] : await listOwners(reach, source);
	const candidates = [...known.filter((owner) => owner.source === source), ...others];
	const owners = unique(candidates).filter((owner) => !except.some((other) => isSameOwner(owner, other)));
	const found = await inBatches(owners, AT_ONCE, async (owner) => {
		const { value = [], error } = await toResult(webhooksOf(reach, owner));
		if (error !== undefined) {
			if (isGone(error)) {
				return [];
			}
			throw error;
		}
		const url = ownerUrl(triggerUrl, owner);
		const webhooks = value.filter(({ webhook_url }) => webhook_url === url);
		return webhooks.length > 0 || known.some((other) => isSameOwner(owner, other)) ? [{ owner, webhooks }] : [];
	});
	return found.flat();
}

function unique(owners: readonly Owner[]): Owner[] {
	return [...new Map(owners.map((owner) => [`${owner.source} ${owner.ownerId}`, owner])).values()];
}

/** How long nothing can have been connected after all connections were taken down: the trigger is not published. */
const COMPLETE_MS = 60_000;

/** The owners whose connections each node of this process has taken down and not restored. */
const takenDown = new BoundedMap<{ owners: readonly Owner[]; completeUntil: number }>();

/** Whether {@link toRestore} has all connections: n8n creates webhooks right after it has deleted them in an edit. */
export function isToRestoreComplete(caller: IHookFunctions): boolean {
	return (takenDown.get(nodeKey(caller))?.completeUntil ?? 0) > Date.now();
}

/**
 * The owners whose connections were taken down, and have to be restored: n8n deletes and creates a trigger's webhooks at
 * each edit. This process remembers them; the static data is for another process, or one that was ended meanwhile.
 */
export function toRestore(
	caller: IHookFunctions | IWebhookFunctions,
	{ connected }: Partial<Registration>,
): readonly Owner[] {
	const stored = Array.isArray(connected) ? connected : [];
	return unique([...(takenDown.get(nodeKey(caller))?.owners ?? []), ...stored]);
}

/** Remembers connections that are taken down. @param isComplete whether these are all that there are */
export function noteTakenDown(
	caller: IHookFunctions,
	registration: Partial<Registration>,
	owners: readonly Owner[],
	isComplete: boolean,
): void {
	// The newest first: finished campaigns are found by this list alone, and it must not grow forever.
	const all = unique([...owners, ...toRestore(caller, registration)]).slice(0, MOST_OWNERS);
	takenDown.set(nodeKey(caller), { owners: all, completeUntil: isComplete ? Date.now() + COMPLETE_MS : 0 });
	if (all.length > 0) {
		registration.connected = all;
	}
}

/** Forgets the connections that are restored, and keeps those of which that has failed. */
export function noteRestored(
	caller: IHookFunctions,
	registration: Partial<Registration>,
	failed: readonly Owner[],
): void {
	takenDown.delete(nodeKey(caller));
	delete registration.connected;
	noteTakenDown(caller, registration, failed, false);
}
