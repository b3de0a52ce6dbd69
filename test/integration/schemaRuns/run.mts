import { resources } from '../../../nodes/VoiceAgentCalling/resources/index.ts';
import type { RequestRecord } from '../../../sandbox/world/requestRecord.mts';
import type { NodeSpec } from '../harness.mts';
import { inFastTime, type Service } from '../service.mts';
import { defaultRuns } from './defaultRuns.mts';
import { runsByResource } from './index.mts';
import type { Parameters } from './runs.mts';

export interface OperationRuns {
	items: unknown[];
	requests: RequestRecord[];
	byRun: RequestRecord[][];
}

type RunsOfOne = () => Promise<Parameters[]>;

/** Operations that ask the service again after a pause. */
const LOOKS_AGAIN = ['placeAndWait', 'queueCallAndWait', 'stopAllCalls'];

const removes = (operation: string) => /^(delete|remove)/.test(operation);

/**
 * The runs of each operation of a resource: those written for it, else the default ones. An operation that has runs for
 * several kinds of object comes several times. The default ones come first,
 * but those that remove something come last, so that each finds the objects that it works with.
 *
 * @param resource its value in the node
 */
export function runsOf(service: Service, resource: string): Array<[operation: string, runs: RunsOfOne]> {
	const all = [runsByResource[resource] ?? (() => ({}))].flat();
	return all.flatMap((runs) => withDefaultRuns(service, resource, Object.entries(runs(service))));
}

function withDefaultRuns(
	service: Service,
	resource: string,
	written: Array<[string, Parameters[] | RunsOfOne]>,
): Array<[string, RunsOfOne]> {
	const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
	const others = operations.filter(({ value }) => !written.some(([name]) => name === value));
	const byDefault = (removing: boolean) =>
		others
			.filter(({ value }) => removes(value) === removing)
			.map((operation): [string, RunsOfOne] => [operation.value, async () => await defaultRuns(service, operation)]);
	return [
		...byDefault(false),
		...written.map(([name, runs]): [string, RunsOfOne] => [
			name,
			async () => (typeof runs === 'function' ? await runs() : runs),
		]),
		...byDefault(true),
	];
}

/**
 * Makes the runs of a resource in a fresh service, by operation.
 *
 * @param before is called with the parameters of each operation's first run, before it
 * @param more returns further parameters of an operation's runs
 */
export async function makeRuns(
	service: Service,
	resource: string,
	before?: (operation: string, parameters: NodeSpec['parameters']) => Promise<void>,
	more: (operation: string) => NodeSpec['parameters'] = () => ({}),
): Promise<Map<string, OperationRuns>> {
	await service.reset();
	const made = new Map<string, OperationRuns>();
	for (const [operation, parameterSets] of runsOf(service, resource)) {
		const runs: OperationRuns = made.get(operation) ?? { items: [], requests: [], byRun: [] };
		const sets = await parameterSets();
		if (sets[0]) {
			await before?.(operation, { ...sets[0], resource, operation });
		}
		for (const parameters of sets) {
			const { length } = await service.requests();
			const once = async () => await service.run({ ...parameters, ...more(operation), resource, operation });
			const { outputs, run } = await (LOOKS_AGAIN.includes(operation) ? inFastTime(once) : once());
			if (run.status !== 'success') {
				const what = `${resource}/${operation} failed with ${JSON.stringify(parameters)}: ${run.error?.message}`;
				throw new Error(`${what}\nWrite its runs in test/integration/schemaRuns/.`);
			}
			runs.items.push(...(outputs[0] ?? []).map(({ json }) => json));
			const requests = (await service.requests()).slice(length);
			runs.requests.push(...requests);
			runs.byRun.push(requests);
		}
		made.set(operation, runs);
	}
	return made;
}
