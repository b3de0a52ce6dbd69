import type { RequestRecord } from '../../../sandbox/world/requestRecord.mts';
import type { NodeSpec } from '../harness.mts';
import type { Service } from '../service.mts';
import { runsByResource } from './index.mts';

/** What one operation gave and sent in its runs. */
export interface OperationRuns {
	items: unknown[];
	requests: RequestRecord[];
}

/**
 * Makes the runs of a resource in a fresh service, by operation.
 *
 * @param before is called with the parameters of each operation's first run, before it
 */
export async function makeRuns(
	service: Service,
	resource: string,
	before?: (operation: string, parameters: NodeSpec['parameters']) => Promise<void>,
): Promise<Map<string, OperationRuns>> {
	await service.reset();
	const made = new Map<string, OperationRuns>();
	for (const [operation, parameterSets] of Object.entries(runsByResource[resource]?.(service) ?? {})) {
		const runs: OperationRuns = { items: [], requests: [] };
		const sets = typeof parameterSets === 'function' ? await parameterSets() : parameterSets;
		if (sets[0]) {
			await before?.(operation, { ...sets[0], resource, operation });
		}
		for (const parameters of sets) {
			const { length } = await service.requests();
			const { outputs, run } = await service.run({ ...parameters, resource, operation });
			expect({ resource, operation, status: run.status }).toEqual({ resource, operation, status: 'success' });
			runs.items.push(...(outputs[0] ?? []).map(({ json }) => json));
			runs.requests.push(...(await service.requests()).slice(length));
		}
		made.set(operation, runs);
	}
	return made;
}
