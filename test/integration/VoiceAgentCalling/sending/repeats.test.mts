import type { Resource } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { repeated } from '../../../docs/operations.mts';
import { makeRuns } from '../../schemaRuns/run.mts';
import { inFastTime, type Service } from '../../service.mts';
import { ServicePool } from '../../servicePool.mts';

const documented = repeated();

/** By operation, how often its request was sent, and how often it should have been. */
type Sent = Record<string, { sent: number; wanted: number }>;

const seen = new Map<string, Sent>();

// Each operation waits before its second try: the resources are run at the same time, each in its own sandbox. That of
// calls stands still: in fast time, they would be over before they are ended.
beforeAll(async () => {
	const [still, pool] = [new ServicePool(1, { speed: 0 }), new ServicePool(resources.length - 1)];
	const run = async (resource: Resource) =>
		await (resource.value === 'call' ? still : pool).use(
			async (service) => void seen.set(resource.name, await runAll(service, resource)),
		);
	await inFastTime(async () => await Promise.all(resources.map(run)));
});

async function runAll(service: Service, resource: Resource): Promise<Sent> {
	const all: Sent = {};
	await makeRuns(service, resource.value, async (operation, parameters) => {
		// Of a flow as JSON nothing is sent. Stop All Calls asks again in rounds, until nothing is left: stopAllCalls.test.mts.
		if ((operation === 'validate' && parameters?.flowSource === 'json') || operation === 'stopAllCalls') {
			return;
		}
		const name = `${resource.name} → ${resource.operations.find(({ value }) => value === operation)?.name}`;
		// A dry run only reads.
		const reads = operation === 'apply' && parameters?.dryRun !== false;
		const { method, again } = reads ? { method: 'GET', again: true } : documented.get(name)!;
		const { length } = await service.requests(method);
		// The first try is cut off before the service has it, and the second one gets a 500: nothing is changed for the
		// runs that follow.
		await service.fault({ match: { method }, kind: 'drop-before' });
		if (again) {
			await service.fault({ match: { method }, kind: 'status', status: 500 });
		}
		const { run } = await service.run(parameters);
		// Validate says in its result that the service could not be asked.
		expect({ name, status: run.status }).toEqual({ name, status: operation === 'validate' ? 'success' : 'error' });
		all[name] = { sent: (await service.requests(method)).length - length, wanted: again ? 2 : 1 };
	});
	return all;
}

test.each(resources.map(({ name }) => name))(
	'after an unclear answer the operations of %s are sent again where docs/reference/operations says so',
	(name) => {
		const wrong = Object.entries(seen.get(name)!).filter(([, { sent, wanted }]) => sent !== wanted);
		expect(wrong).toEqual([]);
	},
);
