import { createHash } from 'node:crypto';

/** A change of the code, as Stryker describes it. */
export interface Mutant {
	id: string;
	fileName: string;
	location: { start: { line: number; column: number } };
	replacement: string;
}

/**
 * Chooses mutants by chance: each has the same one. With the same seed and the same code they are the same mutants.
 *
 * @returns the ids of `size` mutants, or of all if there are fewer
 */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: string): Set<string> {
	const rank = ({ fileName, location: { start }, replacement }: Mutant) =>
		createHash('sha256').update([seed, fileName, start.line, start.column, replacement].join('\n')).digest('hex');
	const ranked = mutants.map((mutant) => ({ id: mutant.id, rank: rank(mutant) }));
	ranked.sort((left, right) => (left.rank < right.rank ? -1 : 1));
	return new Set(ranked.slice(0, size).map(({ id }) => id));
}
