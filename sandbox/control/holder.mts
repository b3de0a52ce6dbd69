import type { Seed } from '../seed/index.mts';
import type { SavedState } from '../state/stateSchema.mts';
import type { World } from '../world/world.mts';

/** The world that the routes work on. */
export interface Holder {
	world: World;
	seed: Seed;
	/** Ends the world and replaces it with a freshly seeded one. */
	reset(): void;
	/** Ends the world and replaces it with a saved one, at the time that it had. */
	load(snapshot: SavedState): void;
}
