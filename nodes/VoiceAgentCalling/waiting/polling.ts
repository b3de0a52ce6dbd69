import { type ServiceError, toResult } from '../../shared/errors/serviceError';

/** What is polled: calls or campaigns, each by the index of its item. */
interface Polled {
	item: number;
}

/** How calls or campaigns are polled. */
export interface Polling<Awaited extends Polled, End> {
	intervalMs: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	/** Reads the outcomes of those that are over, by item. @throws ServiceError */
	read(open: readonly Awaited[]): Promise<Map<number, End>>;
	/** Returns early if the run is canceled. */
	sleep(ms: number): Promise<void>;
	isCanceled(): boolean;
	/** Called with an error of `read`; the next interval tries again. */
	onError(error: ServiceError): void;
}

/**
 * Asks the service about calls or campaigns until all of them are over, the time is up, or the run is canceled.
 *
 * @returns the outcomes of those that are over, by item
 */
export async function pollUntilOver<Awaited extends Polled, End>(
	awaited: readonly Awaited[],
	{ intervalMs, until, read, sleep, isCanceled, onError }: Polling<Awaited, End>,
): Promise<Map<number, End>> {
	const outcomes = new Map<number, End>();
	let open = awaited;
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
