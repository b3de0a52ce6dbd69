import type { ServiceError } from '../../shared/errors/serviceError';
import { isFinal, LAST_LOOKS } from './lastLook';

/** What is polled: calls or campaigns, each by the index of its item. */
interface Polled {
	item: number;
}

/** What was read, by item. */
export interface ReadOutcomes<End> {
	/** Of those that are over. */
	outcomes: Map<number, End>;
	/** Why something could not be read. */
	error?: ServiceError;
}

/** How calls or campaigns are polled. */
export interface Polling<Awaited extends Polled, End> {
	intervalMs: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	read(open: readonly Awaited[]): Promise<ReadOutcomes<End>>;
	/** Returns early if the run is canceled. */
	sleep(ms: number): Promise<void>;
	isCanceled(): boolean;
	/** Called with an error of `read`; the next interval tries again. */
	onError(error: ServiceError): void;
}

/**
 * Asks the service about calls or campaigns until all of them are over, the time is up, or the run is canceled. If the
 * service does not answer when the time is up, it is asked again for a while.
 *
 * @returns the outcomes of those that are over, by item
 */
export async function pollUntilOver<Awaited extends Polled, End>(
	awaited: readonly Awaited[],
	{ intervalMs, until, read, sleep, isCanceled, onError }: Polling<Awaited, End>,
): Promise<Map<number, End>> {
	const outcomes = new Map<number, End>();
	let open = awaited;
	let endsAt = until;
	while (open.length > 0 && Date.now() < endsAt && !isCanceled()) {
		const left = until - Date.now();
		await sleep(left > 0 ? Math.min(intervalMs, left) : LAST_LOOKS.everyMs);
		const { outcomes: found, error } = await read(open);
		if (error && !isCanceled()) {
			onError(error);
		}
		endsAt = error === undefined || isFinal(error) ? until : until + LAST_LOOKS.forMs;
		for (const [item, outcome] of found) {
			outcomes.set(item, outcome);
		}
		open = open.filter(({ item }) => !outcomes.has(item));
	}
	return outcomes;
}
