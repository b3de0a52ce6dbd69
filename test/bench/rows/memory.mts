import type { Measured, Step } from '../job.mts';
import { inTurns, run, Service } from '../lab.mts';
import { atMost, show, spread } from '../numbers.mts';
import type { RowResult } from '../page.mts';
import { httpRequest, ours } from '../senders.mts';

const [few, many] = [12_500, 50_000];
const inFlight = 50;

/** Row 4: the memory for many items. */
export async function memory(rounds: number): Promise<RowResult> {
	const services = [await Service.start(), await Service.start(undefined, 4150)] as const;
	const use = async (step: Step, { target }: Service, items: number): Promise<Measured> =>
		await run({ step, target, items, memory: true });
	const [first, second] = services;
	/** Both nodes run at the same time, since the duration does not matter. */
	const useAll = async (items: number): Promise<Used> => {
		await Promise.all(services.map((service) => service.reset()));
		const nothing = await use({ type: 'harness.noOp' }, first, items);
		const [own, http] = await Promise.all([
			use(ours(first.target, inFlight), first, items),
			use(httpRequest(second.target, inFlight), second, items),
		]);
		return { nothing, ours: own, http };
	};
	try {
		const contenders = { few: () => useAll(few), many: () => useAll(many) };
		return report(await inTurns(contenders, rounds));
	} finally {
		await Promise.all(services.map((service) => service.stop()));
	}
}

type Used = Record<'nothing' | 'ours' | 'http', Measured>;

function report(runs: Record<'few' | 'many', Used[]>): RowResult {
	/** Above a node that does nothing, in MB. */
	const beyond = (size: 'few' | 'many', name: 'ours' | 'http') =>
		spread(runs[size].map((used) => (used[name].heapBytes - used.nothing.heapBytes) / 1e6));
	const whole = (size: 'few' | 'many', name: 'ours' | 'http') =>
		show(spread(runs[size].map((used) => used[name].residentBytes / 1e6)), 0, ' MB');
	const cells = (['few', 'many'] as const).map((size) => [
		(size === 'few' ? few : many).toLocaleString('en'),
		show(beyond(size, 'ours'), 0, ' MB'),
		show(beyond(size, 'http'), 0, ' MB'),
		whole(size, 'ours'),
		whole(size, 'http'),
	]);
	const growth = (name: 'ours' | 'http') =>
		(1000 * (beyond('many', name).median - beyond('few', name).median)) / (many - few);
	const bend = beyond('many', 'ours').median / many / (beyond('few', 'ours').median / few);
	return {
		cells,
		targets: [
			atMost('An item of 50,000 at most 1.10 times one of 12,500', [[bend, 1.1]]),
			atMost(
				`A further item at most that of HTTP Request, ${growth('http').toFixed(1)} kB`,
				[[growth('ours'), growth('http')]],
				1,
				' kB',
			),
		],
		raw: runs,
	};
}
