import { goesOn, type Service, saidBy } from '../service.mts';

/**
 * What came of a job at a service that answers otherwise.
 *
 * - `works`: the user gets what the operation promises
 * - `says so`: an error or a hint says what is wrong, and nothing was done twice, lost, or reported as done
 *
 * Everything else fails the test.
 */
export type Verdict = { is: 'works' } | { is: 'says so'; message: string };

export interface Job {
	name: string;
	/** Does it at a sandbox in its first state. @throws where the outcome is neither of the two */
	run(service: Service, prepared: Json): Promise<Verdict>;
	/** What must be there before the service becomes another one. */
	prepare?(service: Service): Promise<Json>;
}

export const works: Verdict = { is: 'works' };

/** Says so with a message; one for engineers only, or without anything to do next, is none. */
export function saysSo(message: unknown): Verdict {
	const text = String(message ?? '');
	if (text.length < 20 || /undefined|\[object|TypeError|Cannot read prop|is not a function|not iterable/.test(text)) {
		throw new Error(`This message says nothing to a user: "${text}"`);
	}
	return { is: 'says so', message: text };
}

/** Fails unless a statement about the service or the output is true. */
export function must(isTrue: boolean, otherwise: string, seen?: unknown): void {
	if (!isTrue) {
		throw new Error(seen === undefined ? otherwise : `${otherwise}: ${JSON.stringify(seen)?.slice(0, 2000)}`);
	}
}

export type Json = Record<string, unknown>;

/** Runs an operation; an item that fails is in the output. @returns the items, and what the node says is wrong */
export async function ran(service: Service, parameters: Json, items: Json[] = [{}]) {
	const made = await service.run(parameters as never, items, { node: goesOn });
	const output: Json[] = (made.outputs[0] ?? []).map(({ json }) => json);
	const bad = output.find(({ result }) => ['failed', 'unknown', 'notTried', 'notReady'].includes(String(result)));
	return { items: output, said: made.run.error ? saidBy(made) : bad && String(bad.message) };
}

/** Ends a job: the node says what is wrong. */
export class Said extends Error {
	readonly verdict: Verdict;

	constructor(message: unknown) {
		super();
		this.verdict = saysSo(message);
	}
}

/** Runs an operation. @returns the items @throws Said if it fails */
export async function done(...run: Parameters<typeof ran>): Promise<Json[]> {
	const { items, said } = await ran(...run);
	if (said !== undefined) {
		throw new Said(said);
	}
	return items;
}
