import type { RequestRecord } from '../../../sandbox/world.mts';
import type { Service } from '../service.mts';
import { runsByResource } from './index.mts';

/** What one operation gave and sent in its runs. */
export interface OperationRuns {
	items: unknown[];
	requests: RequestRecord[];
}

/** Makes the runs of a resource in a fresh service, by operation. */
export async function makeRuns(service: Service, resource: string): Promise<Map<string, OperationRuns>> {
	await service.reset();
	const made = new Map<string, OperationRuns>();
	for (const [operation, parameterSets] of Object.entries(runsByResource[resource]?.(service) ?? {})) {
		const runs: OperationRuns = { items: [], requests: [] };
		for (const parameters of typeof parameterSets === 'function' ? await parameterSets() : parameterSets) {
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
