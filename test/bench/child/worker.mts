// Runs a job with n8n's engine: node --expose-gc test/bench/child/worker.mts <folder of our package> <job>
// Prints the result as one line of JSON.
import type { IRun } from 'n8n-workflow';

import type { Job, Measured } from '../job.mts';
import { loadEngine } from './engine.mts';
import { watchMemory } from './memory.mts';

const [, , folder = '', text = ''] = process.argv;
const { step, target, items, warmUp = 0, executions = 1, memory } = JSON.parse(text) as Job;
const queueCalls = await loadEngine(folder);

/** @throws the error of a failed run */
function resultOf({ status, data: { resultData } }: IRun) {
	const [sent] = resultData.runData.Send ?? [];
	if (status !== 'success' || !sent) {
		throw resultData.error ?? new Error(`The run ended as ${status}`);
	}
	return sent;
}

if (warmUp > 0) {
	resultOf(await queueCalls(step, target, warmUp, 0));
}
globalThis.gc?.();
const watch = memory ? watchMemory() : undefined;
const cpu = process.cpuUsage();
const each = items / executions;
const started = Array.from({ length: executions }, (_, at) => queueCalls(step, target, each, warmUp + at * each));
const finished = await Promise.all(started);
const { user, system } = process.cpuUsage(cpu);
// n8n also keeps the result of an execution in memory, so `finished` must still be referenced here.
const heapBytes = watch?.stop() ?? 0;
const sent = finished.map(resultOf);
const measured: Measured = {
	milliseconds: Math.max(...sent.map(({ executionTime }) => executionTime)),
	cpuMilliseconds: (user + system) / 1000,
	heapBytes,
	residentBytes: process.resourceUsage().maxRSS * 1024,
	output: sent.reduce((sum, { data }) => sum + (data?.main[0]?.length ?? 0), 0),
};
process.stdout.write(JSON.stringify(measured), () => process.exit());
