import type { Seed } from '../seed/index.mts';
import type { State } from '../state/state.mts';
import type { World } from '../world/world.mts';

/** The world that the routes work on. */
export interface Holder {
	world: World;
	seed: Seed;
	/** Ends the world and replaces it with a freshly seeded one. */
	reset(): void;
	/** Ends the world and replaces it with a saved one. @param now what the clock shows; when it was saved by default */
	load(state: State, now?: number): void;
	/** Makes it another service, from now on and after a reset. @throws UnknownVariant */
	vary(variants: readonly string[]): void;
}
