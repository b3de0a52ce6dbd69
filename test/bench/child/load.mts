// Loads a package with n8n's loader in a new process: node test/bench/child/load.mts <folder>
// Prints the durations as one line of JSON.
import type { IExecuteFunctions } from 'n8n-workflow';

import { core, n8n } from '../../integration/engine/n8n.mts';
import { doubleOfN8n } from '../../unit/n8n.mts';

const folder = process.argv[2] ?? '';

let started = performance.now();
const loader = new core.LazyPackageDirectoryLoader(folder);
await loader.loadAll();
const { nodes, credentials } = loader.known;
for (const name of Object.keys(credentials)) {
	loader.getCredential(name);
}
const startMilliseconds = performance.now() - started;
if (!loader.isLazyLoaded) {
	throw new Error(`${folder} has no metadata`);
}

const [first = ''] = Object.keys(nodes);
started = performance.now();
const { type } = loader.getNode(first);
const firstUseMilliseconds = performance.now() - started;

// What n8n itself does for a run is not measured: a double of it hands the values over.
let firstRunMilliseconds = 0;
if (first === 'voiceAgentCalling' && 'execute' in type) {
	const agent = { __rl: true, mode: 'id', value: '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c' };
	const set = {
		resource: 'call',
		operation: 'place',
		agent,
		phoneNumber: '+12025550123',
		agentVariables: { mappingMode: 'defineBelow', value: null },
		options: { missingVariables: 'ignore' },
	};
	const { properties } = type.description;
	const parameters = n8n.NodeHelpers.getNodeParameters(properties, set, true, false, null, type.description) ?? {};
	const { caller, requests } = doubleOfN8n({
		credentials: { testCallsOnly: false, callsPerRun: 0, callsPerDay: 0 },
		service: [{ status: 201, body: { message: 'Placed', data: { id: 'call-1', status: 'queued' } } }],
	});
	const context = Object.assign(caller, {
		addExecutionHints: () => {},
		continueOnFail: () => false,
		getNodeParameter: (name: string, _item: number, fallback?: unknown) => parameters[name] ?? fallback,
		getInputData: () => [{ json: {} }],
		getExecutionCancelSignal: () => undefined,
	}) as IExecuteFunctions;
	started = performance.now();
	await type.execute?.call(context);
	firstRunMilliseconds = performance.now() - started;
	if (requests.filter(({ method }) => method === 'POST').length !== 1) {
		throw new Error('The first run placed no call');
	}
}

console.log(JSON.stringify({ startMilliseconds, firstUseMilliseconds, firstRunMilliseconds }));
