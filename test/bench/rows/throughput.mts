import type { Step } from '../job.mts';
import { inTurns, run, Service } from '../lab.mts';
import { atMost, ratio, show, spread } from '../numbers.mts';
import type { RowResult } from '../page.mts';
import { httpRequest, least, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;
const inFlight = [5, 20, 50];
const most = 50;
const warmUp = 1000;

/** Row 1: the time for many calls, by the number of requests in flight. */
export async function throughput(rounds: number): Promise<RowResult> {
	const service = await Service.start();
	const { target } = service;
	const steps: Record<string, Step> = { 'ours Automatic': ours(target), 'http Automatic': httpRequest(target) };
	for (const n of inFlight) {
		steps[`ours ${n}`] = ours(target, n);
		steps[`twice ${n}`] = ours(target, 2 * n);
		steps[`http ${n}`] = httpRequest(target, n);
		steps[`least ${n}`] = least(target, n);
	}
	const send = async (step: Step): Promise<number> => {
		await service.reset(latency);
		return (await run({ step, target, items: calls, warmUp })).milliseconds;
	};
	try {
		const contenders = Object.entries(steps).map(([name, step]) => [name, () => send(step)]);
		return report(await inTurns(Object.fromEntries(contenders), rounds));
	} finally {
		await service.stop();
	}
}

function report(runs: Record<string, number[]>): RowResult {
	const against = (own: string, other: string) => ratio(runs[own]!, runs[other]!);
	const time = (name: string) => show(spread(runs[name]!.map((value) => value / 1000)), 2, ' s');
	const row = (n: string | number, twice: string, leastAt: number) => [
		String(n),
		time(`ours ${n}`),
		show(against(`ours ${n}`, `http ${n}`)),
		twice,
		show(against(`ours ${n}`, `least ${leastAt}`)),
	];
	return {
		cells: [...inFlight.map((n) => row(n, show(against(`twice ${n}`, `http ${n}`)), n)), row('Automatic', '', most)],
		targets: [
			atMost('/ least node at most 1.10', [
				...inFlight.map((n): [number, number] => [against(`ours ${n}`, `least ${n}`).median, 1.1]),
				[against('ours Automatic', `least ${most}`).median, 1.1],
			]),
			atMost('Automatic at most 1.15 times N = 50', [[against('ours Automatic', `ours ${most}`).median, 1.15]]),
		],
		raw: runs,
	};
}
