import type { Service } from '../service.mts';

/**
 * What came of a job at a service that answers otherwise.
 *
 * - `works`: the user gets what the operation promises
 * - `says so`: an error or a hint says what is wrong, and nothing was done twice, lost, or reported as done
 *
 * Everything else fails the test.
 */
export type Verdict = { is: 'works' } | { is: 'says so'; message: string };

/** What a user does with the nodes. */
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

/** What a run has come to: the output items, or the error that has ended it. */
export interface Ran {
	items: Json[];
	error: Error | undefined;
	/** The error, or what the items that failed say; undefined if nothing failed. */
	said: string | undefined;
	hints: string;
}

/** Runs an operation; an item that fails is in the output. */
export async function ran(
	service: Service,
	parameters: Json,
	items: Json[] = [{}],
	options: Parameters<Service['run']>[2] = {},
): Promise<Ran> {
	const run = await service.run(parameters as never, items, {
		...options,
		node: { onError: 'continueRegularOutput', ...options.node },
	});
	const output = (run.outputs[0] ?? []).map(({ json }) => json as Json);
	const bad = output.find(({ result }) => ['failed', 'unknown', 'notTried', 'notReady'].includes(String(result)));
	const { error } = run.run;
	const failure = error as (Error & { description?: string }) | undefined;
	return {
		items: output,
		error,
		said: failure ? `${failure.message} ${failure.description ?? ''}` : bad && String(bad.message),
		hints: ((run as unknown as { hints?: Array<{ message: string }> }).hints ?? [])
			.map(({ message }) => message)
			.join(' '),
	};
}
