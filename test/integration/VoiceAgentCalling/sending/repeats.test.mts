import type { Resource } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { repeated } from '../../../docs/operations.mts';
import { makeRuns } from '../../schemaRuns/run.mts';
import type { Service } from '../../service.mts';
import { ServicePool } from '../../servicePool.mts';

const documented = repeated();

/** It says in its result that the service could not be asked. */
const SUCCEEDS = 'validate';

const READING = { method: 'GET', again: true };

/** By operation of a resource, how often its request was sent, and how often it should have been. */
interface Sent {
	seen: Array<[string, number]>;
	wanted: Array<[string, number]>;
}

// Each operation waits before its second try: the resources are run at the same time, each in its own sandbox.
const pool = new ServicePool(resources.length);
const runs = new Map<string, Promise<Sent>>();

beforeAll(() => {
	for (const resource of resources) {
		const run = pool.use(async (service) => await runAll(service, resource));
		// Its own test reports a failure.
		run.catch(() => undefined);
		runs.set(resource.name, run);
	}
});

async function runAll(service: Service, resource: Resource): Promise<Sent> {
	const seen: Sent['seen'] = [];
	const wanted: Sent['wanted'] = [];
	await makeRuns(service, resource.value, async (operation, parameters) => {
		if (operation === 'validate' && parameters?.flowSource === 'json') {
			// It sends nothing.
			return;
		}
		const name = `${resource.name} → ${resource.operations.find(({ value }) => value === operation)?.name}`;
		// A dry run only reads.
		const reads = operation === 'apply' && parameters?.dryRun !== false;
		const { method, again: repeats } = (reads ? READING : documented.get(name)) ?? { method: '', again: false };
		const times = repeats ? 2 : 1;
		const { length } = await service.requests(method);
		// The first try is cut off before the service has it, and the second one gets a 500: nothing is changed for the
		// runs that follow.
		await service.fault({ match: { method }, kind: 'drop-before' });
		if (repeats) {
			await service.fault({ match: { method }, kind: 'status', status: 500 });
		}
		const { run } = await service.run(parameters);
		expect({ name, status: run.status }).toEqual({ name, status: operation === SUCCEEDS ? 'success' : 'error' });
		seen.push([name, (await service.requests(method)).length - length]);
		wanted.push([name, times]);
	});
	return { seen, wanted };
}

test.each(resources.map(({ name }) => name))(
	'after an unclear answer the operations of %s are sent again where docs/reference/operations says so',
	async (name) => {
		const { seen, wanted } = (await runs.get(name)) as Sent;
		expect(seen).toEqual(wanted);
	},
);
