import { waitFor } from '../../../scripts/lib/process.mts';
import type { NodeSpec } from '../harness.mts';
import type { Service } from '../service.mts';

export type Parameters = NodeSpec['parameters'];

/**
 * Runs of the operations of a resource, by operation and in this order, that return every field which they can return.
 * All runs share one sandbox. Where something has to be there first, a function creates it and returns the parameters.
 */
export type Runs = (service: Service) => Record<string, Parameters[] | (() => Promise<Parameters[]>)>;

/** From now on, waits for the next call to a number and moves the clock of the sandbox to its end. */
export async function endNextCall(service: Service, to: string): Promise<void> {
	const calls = async () =>
		(await service.requests('POST', '/call')).filter(({ body }) => Object(body).to === to).length;
	const before = await calls();
	const isPlaced = async () => (await calls()) > before || undefined;
	void waitFor(isPlaced, { seconds: 30 }).then(async () => await service.advance(60));
}
