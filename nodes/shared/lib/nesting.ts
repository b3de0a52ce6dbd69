/** The most levels of a value: functions that call themselves for each level end with an error of the engine at some. */
const MOST_LEVELS = 200;

/** What is wrong with a value that {@link isTooDeep}, after its name. */
export const TOO_DEEP = `is nested more than ${MOST_LEVELS} levels deep`;

/** What to do about it, without a period. */
export const FLATTER = 'Use a value with fewer levels';

/** Whether a value has too many levels. Does not call itself: no value is too deep for it. */
export function isTooDeep(value: unknown): boolean {
	let level = new Set([value].filter(hasLevels));
	for (let levels = 0; level.size > 0; levels++) {
		if (levels > MOST_LEVELS) {
			return true;
		}
		const next = new Set<object>();
		for (const one of level) {
			for (const inner of Object.values(one)) {
				if (hasLevels(inner)) {
					next.add(inner);
				}
			}
		}
		level = next;
	}
	return false;
}

function hasLevels(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
