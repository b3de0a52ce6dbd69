import { createHash, randomUUID } from 'node:crypto';

/** Where new ids come from. */
export interface IdSource {
	/** With a seed, ids depend only on it and on how many there were before; null: they are random. */
	seed: number | null;
	/** How many ids there are of each kind. */
	counts: Record<string, number>;
}

/**
 * A new id: random, so that ids do not repeat after a reset or a restart; with a seed, the next one of its kind.
 * @param kind kinds are counted separately, so that one does not move the ids of another
 */
export function newId({ ids }: { ids: IdSource }, kind = 'object'): string {
	if (ids.seed === null) {
		return randomUUID();
	}
	const count = (ids.counts[kind] ?? 0) + 1;
	ids.counts[kind] = count;
	return uuidOf(`${ids.seed} ${kind} ${count}`);
}

/** A new id; with a seed it depends only on the seed and the name, and not on the order of events. */
export function namedId({ ids }: { ids: IdSource }, name: string): string {
	return ids.seed === null ? randomUUID() : uuidOf(`${ids.seed} named ${name}`);
}

/** A UUID that depends only on the name. */
export function uuidOf(name: string): string {
	const hex = createHash('sha256').update(`voice agent calling sandbox ${name}`).digest('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		'-',
	);
}
