import { waitFor } from '../../../scripts/lib/process.mts';
import type { NodeSpec } from '../harness.mts';
import type { Service } from '../service.mts';

export type Parameters = NodeSpec['parameters'];

/**
 * Runs of the operations of a resource, by operation and in this order, that return every field which they can return.
 * All runs share one sandbox. Where something has to be there first, a function creates it and returns the parameters.
 */
export type Runs = (service: Service) => Record<string, Parameters[] | (() => Promise<Parameters[]>)>;

/** Adds variables and metadata to the parameters of a call. Only a call that has them returns them. */
export const withValues = (parameters: NonNullable<Parameters>): Parameters => ({
	...parameters,
	agentVariables: { mappingMode: 'defineBelow', value: { name: 'Ada' } },
	options: {
		...(parameters.options as object),
		metadataFields: { values: [{ name: 'contact_id', value: 'contact-1' }] },
	},
});

/** Runs that wait for the end of a call, with and without {@link withValues}. @param caller the agent or campaign */
export async function waitingRuns(service: Service, caller: NonNullable<Parameters>): Promise<Parameters[]> {
	const options = { timeLimit: { values: { amount: 60, unit: 'seconds' } }, pollInterval: 1 };
	const [first, second] = ['+12025550001', '+12025550002'].map((phoneNumber) => ({
		...caller,
		phoneNumber,
		waitBy: 'polling',
		options,
	}));
	await Promise.all([first, second].map(async (run) => await endNextCall(service, String(run?.phoneNumber))));
	return [withValues(first!), second];
}

/** From now on, waits for the next call to a number and moves the clock of the sandbox to its end. */
export async function endNextCall(service: Service, to: string): Promise<void> {
	const calls = async () =>
		(await service.requests('POST', '/call')).filter(({ body }) => Object(body).to === to).length;
	const before = await calls();
	const isPlaced = async () => (await calls()) > before || undefined;
	void waitFor(isPlaced, { seconds: 30 }).then(async () => await service.advance(60));
}
