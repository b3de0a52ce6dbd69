import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { repeated } from '../../../docs/operations.mts';
import { makeRuns } from '../../schemaRuns/run.mts';
import type { Service } from '../../service.mts';
import { startService } from '../../service.mts';

const said = repeated();

let service: Service;
beforeAll(async () => {
	service = await startService();
});

test.each(resources.map((resource) => [resource.name, resource] as const))(
	'after an unclear answer the operations of %s are sent again where docs/operations.md says so',
	async (_name, resource) => {
		const seen: Array<[string, number]> = [];
		const wanted: Array<[string, number]> = [];
		await makeRuns(service, resource.value, async (operation, parameters) => {
			const name = `${resource.name} → ${resource.operations.find(({ value }) => value === operation)?.name}`;
			const { method, again } = said.get(name) ?? { method: '', again: false };
			const times = again ? 2 : 1;
			const { length } = await service.requests(method);
			// The connection breaks before the service acts, and a retry gets a 500: the object remains for the next runs.
			await service.fault({ match: { method }, kind: 'drop-before' });
			if (again) {
				await service.fault({ match: { method }, kind: 'status', status: 500 });
			}
			const { run } = await service.run(parameters);
			expect({ name, status: run.status }).toEqual({ name, status: 'error' });
			seen.push([name, (await service.requests(method)).length - length]);
			wanted.push([name, times]);
		});
		expect(seen).toEqual(wanted);
	},
);
