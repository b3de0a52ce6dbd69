import type { World } from '../world/world.mts';

/** The world that the routes work on. */
export interface Holder {
	world: World;
	/** Ends the world and replaces it with a freshly seeded one. */
	reset(): void;
}
