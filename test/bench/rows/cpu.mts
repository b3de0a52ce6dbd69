import type { Step } from '../job.mts';
import { inTurns, run, Service } from '../lab.mts';
import { atMost, ratio, show, spread } from '../numbers.mts';
import type { RowResult } from '../page.mts';
import { httpRequest, least, mapped, ours } from '../senders.mts';

const calls = 5000;
const warmUp = 1000;
const inFlight = 50;

/** Row 2: the CPU time per item. */
export async function cpu(rounds: number): Promise<RowResult> {
	const service = await Service.start();
	const { target } = service;
	const use = async (step: Step): Promise<number> => {
		await service.reset();
		return (await run({ step, target, items: calls, warmUp })).cpuMilliseconds / calls;
	};
	const steps = { ours: ours(target, inFlight), http: httpRequest(target, inFlight), least: least(target, inFlight) };
	const contenders = Object.entries(steps).flatMap(([name, step]) => [
		[name, () => use(step)],
		[`${name}, mapped`, () => use(mapped(step))],
	]);
	try {
		// The differences are small, so their median needs more rounds.
		return report(await inTurns(Object.fromEntries(contenders), 3 * rounds));
	} finally {
		await service.stop();
	}
}

function report(runs: Record<string, number[]>): RowResult {
	const against = (other: string, suffix: string) => ratio(runs[`ours${suffix}`]!, runs[other + suffix]!);
	const row = (what: string, suffix: string) => [
		what,
		show(spread(runs[`ours${suffix}`]!), 2, ' ms'),
		show(against('http', suffix)),
		show(against('least', suffix)),
	];
	return {
		cells: [row('By expressions', ''), row('Map Automatically', ', mapped')],
		targets: [
			atMost('/ least node at most 1.10', [
				[against('least', '').median, 1.1],
				[against('least', ', mapped').median, 1.1],
			]),
		],
		raw: runs,
	};
}
