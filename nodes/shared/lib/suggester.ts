import { groupBy } from './groupBy';

/** Longer texts are not compared letter by letter. */
const MAX_COMPARED = 64;

/** How many texts are compared in all: a flow in which everything is wrong needs no suggestion for each mistake. */
const MAX_COMPARISONS = 100_000;

/** Lower case, without anything but letters and digits. */
function bare(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Makes a function that finds the one of some names that was probably meant; undefined if none or several are likely. */
export function suggester(names: Iterable<string>): (given: string) => string | undefined {
	const known = [...names];
	let byBare: ReadonlyMap<string, readonly string[]> | undefined;
	let compared = 0;
	return (given) => {
		byBare ??= groupBy(known, bare);
		const same = byBare.get(bare(given)) ?? [];
		if (same.length === 1) {
			return same[0];
		}
		if (same.length > 1 || given.length > MAX_COMPARED || compared > MAX_COMPARISONS) {
			return undefined;
		}
		compared += known.length;
		return closest(given, known);
	};
}

function closest(given: string, names: readonly string[]): string | undefined {
	// One mistake in four letters.
	let most = Math.ceil(given.length / 4);
	let found: string | undefined;
	let isUnique = true;
	for (const name of names) {
		if (Math.abs(name.length - given.length) > most || name.length < 2) {
			continue;
		}
		const mistakes = distance(given.toLowerCase(), name.toLowerCase(), most);
		if (mistakes > most || (mistakes === most && found !== undefined)) {
			isUnique &&= mistakes !== most;
			continue;
		}
		[most, found, isUnique] = [mistakes, name, true];
	}
	return isUnique ? found : undefined;
}

/** How many letters have to be added, removed, replaced, or swapped with the next one. Stops above `most`. */
function distance(one: string, other: string, most: number): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row++) {
		const current = [row];
		for (let column = 1; column <= other.length; column++) {
			const replaced = last[column - 1] + (one[row - 1] === other[column - 1] ? 0 : 1);
			let least = Math.min(replaced, last[column] + 1, current[column - 1] + 1);
			if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
				least = Math.min(least, beforeLast[column - 2] + 1);
			}
			current.push(least);
		}
		if (Math.min(...current) > most) {
			return Number.POSITIVE_INFINITY;
		}
		[beforeLast, last] = [last, current];
	}
	return last[other.length];
}
