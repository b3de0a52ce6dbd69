import type { Sender } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { show, spread } from '../numbers.mts';
import { atMost, type RowResult, rounds } from '../result.mts';
import { httpRequest, ours } from '../senders.mts';

const sizes = [12_500, 25_000, 50_000];
const most = sizes.at(-1)!;
const inFlight = 50;
const perItemColumns = ['Ours, for an item', 'HTTP Request, for an item'];

type Used = { heap: number; resident: number };
/** Results of each round, by contender and number of items. */
type Runs = Record<string, Record<number, Used[]>>;

/** Measures the memory for many items. Both nodes run at the same time, since the duration does not matter. */
export async function memory(): Promise<RowResult> {
	const services = [await Service.start(), await Service.start(undefined, 4150)];
	const runs: Runs = {};
	const use = async (name: string, sender: Sender, service: Service, items: number) => {
		await service.reset();
		const job = { sender, target: service.target, items, memory: true };
		const { heapBytes, residentBytes, output } = await Worker.once(job);
		if (output !== items) {
			throw new Error(`${output} of ${items} items came out of ${name}`);
		}
		((runs[name] ??= {})[items] ??= []).push({ heap: heapBytes!, resident: residentBytes });
	};
	try {
		for (let round = 1; round <= rounds; round++) {
			console.log(`   round ${round} of ${rounds}`);
			for (const items of sizes) {
				const [first, second] = services as [Service, Service];
				await use('nothing', { steps: [{ name: 'Send', type: 'n8n-nodes-base.noOp' }] }, first, items);
				await Promise.all([
					use('ours', { steps: [ours(first.target, inFlight)] }, first, items),
					use('http', { steps: [httpRequest(second.target, { size: inFlight, interval: 20 })] }, second, items),
				]);
			}
		}
		return report(runs);
	} finally {
		await Promise.all(services.map((service) => service.stop()));
	}
}

function report(runs: Runs): RowResult {
	const beyond = (name: string, items: number) =>
		runs[name]![items]!.map(({ heap }, round) => heap - runs.nothing![items]![round]!.heap);
	const perItem = (name: string, items: number) => spread(beyond(name, items).map((bytes) => bytes / items / 1000));
	const growth = (name: string) => {
		const [small, large] = [beyond(name, sizes[0]!), beyond(name, most)];
		return spread(large.map((bytes, round) => (bytes - small[round]!) / (most - sizes[0]!) / 1000));
	};
	const megabytes = (values: number[]) => show(spread(values.map((bytes) => bytes / 1e6)), 0, ' MB');
	const resident = (name: string, items: number) => megabytes(runs[name]![items]!.map((used) => used.resident));
	const [own, http] = [growth('ours'), growth('http')];
	const bend = perItem('ours', most).median / perItem('ours', sizes[0]!).median;
	return {
		title: '4. Memory for up to 50,000 items',
		how: [
			'What is in use right after a garbage collection, the most of a look a second (rarer where a look takes long), above the same run with a node that gives its items on. Each run is in a process of its own. The HTTP Request node sends batches of 50 every 20 ms; all at once would open as many connections as there are items.',
			`The most memory that the process had for 50,000 items, with n8n’s engine and all that waits to be collected: ours ${resident('ours', most)}, HTTP Request ${resident('http', most)}, a node that does nothing ${resident('nothing', most)}.`,
		],
		tables: [
			{
				columns: ['Items', 'Our node', 'HTTP Request', ...perItemColumns, 'Ours / HTTP Request'],
				rows: sizes.map((items) => [
					items.toLocaleString('en'),
					megabytes(beyond('ours', items)),
					megabytes(beyond('http', items)),
					show(perItem('ours', items), 2, ' kB'),
					show(perItem('http', items), 2, ' kB'),
					`**${(perItem('ours', items).median / perItem('http', items).median).toFixed(2)}**`,
				]),
			},
		],
		targets: [
			atMost('Linear', `an item of 50,000 takes ${bend.toFixed(2)} times an item of 12,500`, bend, 1.1),
			atMost(
				'Grows no faster than the HTTP Request node',
				`${show(own, 2, ' kB')} for each further item against ${show(http, 2, ' kB')}: ${(own.median / http.median).toFixed(2)} times`,
				own.median,
				http.median,
			),
		],
		raw: runs,
	};
}
