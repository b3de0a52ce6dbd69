import { uuidOf } from '../world/ids.mts';

/** A UUID that depends only on the name: seeded objects have the same id at every start. */
export function seedId(name: string): string {
	return uuidOf(name);
}
