// The process in which the runs of a row take place.
import type { IRun } from 'n8n-workflow';

import type { Job, Measured } from '../job.mts';
import { sendBare } from './bare.mts';
import { countReads, loadEngine } from './engine.mts';
import { watchMemory } from './memory.mts';

const run = await loadEngine(process.argv[2] ?? '');

async function measure(job: Job): Promise<Measured> {
	globalThis.gc?.();
	const memory = job.memory ? watchMemory() : undefined;
	const reads = job.countReads ? countReads() : undefined;
	const cpu = process.cpuUsage();
	const started = performance.now();
	const finished = 'bare' in job.sender ? await sendBare(job.target, job.items, job.sender.bare) : await runAll(job);
	const wholeRun = performance.now() - started;
	const { user, system } = process.cpuUsage(cpu);
	return {
		// n8n also keeps the result of an execution in memory, so `finished` must still be referenced here.
		heapBytes: memory?.stop(),
		residentBytes: process.resourceUsage().maxRSS * 1024,
		milliseconds: wholeRun,
		parameterReads: reads?.(),
		cpuMilliseconds: (user + system) / 1000,
		...('bare' in job.sender ? { output: finished.length } : resultOfAll(finished as IRun[], wholeRun)),
	};
}

/** Runs the executions of a job at the same time. */
async function runAll({ executions = 1, ...job }: Job): Promise<IRun[]> {
	const items = job.items / executions;
	return await Promise.all(
		Array.from({ length: executions }, async (_, index) => await run({ ...job, items }, index * items)),
	);
}

/** @throws the error of a failed run */
function resultOfAll(runs: IRun[], wholeRun: number): Pick<Measured, 'milliseconds' | 'output'> {
	const results = runs.map((each) => resultOf(each, wholeRun));
	return {
		milliseconds: Math.max(...results.map(({ milliseconds }) => milliseconds)),
		output: results.reduce((sum, { output }) => sum + output, 0),
	};
}

/** @throws the error of a failed run */
function resultOf({ status, data: { resultData } }: IRun, wholeRun: number): Pick<Measured, 'milliseconds' | 'output'> {
	if (status !== 'success') {
		throw resultData.error ?? new Error(`The run ended as ${status}`);
	}
	const { runData, lastNodeExecuted = '' } = resultData;
	const sent = runData.Send ?? [];
	return {
		// In a loop, the other nodes take time too.
		milliseconds: sent.length === 1 ? sent[0]!.executionTime : wholeRun,
		output: runData[lastNodeExecuted]?.at(-1)?.data?.main[0]?.length ?? 0,
	};
}

process.on('message', (job: Job) => {
	measure(job).then(
		(measured) => process.send?.({ measured }),
		(error: Error) => process.send?.({ error: error.stack ?? String(error) }),
	);
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
