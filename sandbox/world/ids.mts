import { createHash, randomUUID } from 'node:crypto';

/** The source of new ids. */
export interface IdSource {
	/** With a seed, ids depend only on the seed and the number of earlier ids; null: they are random. */
	seed: number | null;
	/** The number of ids in each series. */
	counts: Record<string, number>;
}

/**
 * Returns a new id: random, so that ids do not repeat after a reset or a restart; with a seed, the next of its series.
 * @param series counted separately, so that series do not influence each other's ids
 */
export function newId({ ids }: { ids: IdSource }, series = 'object'): string {
	if (ids.seed === null) {
		return randomUUID();
	}
	const count = (ids.counts[series] ?? 0) + 1;
	ids.counts[series] = count;
	return uuidOf(`${ids.seed} ${series} ${count}`);
}

/** Returns a new id. With a seed, it depends only on the seed and the name, not on the order of events. */
export function namedId({ ids }: { ids: IdSource }, name: string): string {
	return ids.seed === null ? randomUUID() : uuidOf(`${ids.seed} named ${name}`);
}

/** Returns a UUID that depends only on the name. */
export function uuidOf(name: string): string {
	const hex = createHash('sha256').update(`voice agent calling sandbox ${name}`).digest('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		'-',
	);
}
