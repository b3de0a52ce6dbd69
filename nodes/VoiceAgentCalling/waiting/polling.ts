import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import type { CallOutcome } from './callOutcome';
import type { AwaitedCall } from './state';

/** How calls are polled. */
export interface Polling {
	intervalMs: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	/** Reads the outcomes of those calls that are over, by item. @throws ServiceError */
	read(calls: readonly AwaitedCall[]): Promise<Map<number, CallOutcome>>;
	/** Returns early if the run is canceled. */
	sleep(ms: number): Promise<void>;
	isCanceled(): boolean;
	/** Called with an error of `read`; the next interval tries again. */
	onError(error: ServiceError): void;
}

/**
 * Asks the service about calls until all of them are over, the time is up, or the run is canceled.
 *
 * @returns the outcomes of the calls that are over, by item
 */
export async function pollCalls(
	calls: readonly AwaitedCall[],
	{ intervalMs, until, read, sleep, isCanceled, onError }: Polling,
): Promise<Map<number, CallOutcome>> {
	const outcomes = new Map<number, CallOutcome>();
	let open = calls;
	while (open.length > 0 && Date.now() < until && !isCanceled()) {
		await sleep(Math.min(intervalMs, until - Date.now()));
		const { value, error } = await toResult(read(open));
		if (error && !isCanceled()) {
			onError(error);
		}
		for (const [item, outcome] of value ?? []) {
			outcomes.set(item, outcome);
		}
		open = open.filter(({ item }) => !outcomes.has(item));
	}
	return outcomes;
}
