import type { Variant } from '../world/variant.mts';

/** A variant in the list of its section. */
export type Entry = Omit<Variant, 'section'>;
