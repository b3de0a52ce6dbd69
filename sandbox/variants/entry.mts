import type { Variant } from '../world/variant.mts';

/** A variant in the list of its section. */
export type Entry = Omit<Variant, 'section'>;

/** Variants that answer the same question. */
export function about(question: string, entries: Array<Omit<Entry, 'question'>>): Entry[] {
	return entries.map((entry) => ({ ...entry, question }));
}
