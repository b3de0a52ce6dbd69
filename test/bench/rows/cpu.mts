import type { Sender } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, inTurns, type RowResult } from '../result.mts';
import { httpRequest, least, mappedVariables, numberOnly, ours } from '../senders.mts';

const calls = 5000;
/** What a process queues before it is measured. */
const warmUp = 1000;
const inFlight = 50;
/** The differences are small, so their median needs more rounds. */
const cpuRounds = 15;

const suffixes = {
	'Number, payload and context': '',
	'Number, and the payload by Map Automatically': ', mapped',
	'Number alone': ', number only',
};

/** Measures the CPU time per item, with its request and beyond it. */
export async function cpu(): Promise<RowResult> {
	const service = await Service.start();
	const { target } = service;
	const http = httpRequest(target, { size: inFlight, interval: 20 });
	const all = { ours: ours(target, inFlight), http, least: least(target, inFlight) };
	const senders: Record<string, Sender> = { bare: { bare: inFlight } };
	for (const [name, step] of Object.entries(all)) {
		senders[name] = { steps: [step] };
		senders[`${name}, mapped`] = { steps: [mappedVariables(step)] };
		senders[`${name}, number only`] = { steps: [numberOnly(step)] };
	}
	/** Without a value for the variable of its agent, our node calls nobody. */
	const resetFor = async (name: string) =>
		await (name.endsWith('number only') ? service.reset() : service.resetWithVariable());
	const use = async (name: string, sender: Sender): Promise<number> => {
		const worker = await Worker.start();
		await resetFor(name);
		await worker.run({ sender, target, items: warmUp });
		await resetFor(name);
		const { output, cpuMilliseconds } = await worker.run({ sender, target, items: calls });
		await worker.stop();
		if (output !== calls) {
			throw new Error(`${output} of ${calls} calls were queued`);
		}
		return cpuMilliseconds / calls;
	};
	/** How often a node reads a parameter for an item, besides what it reads once. */
	const readsOf = async (name: string): Promise<string> => {
		const worker = await Worker.start();
		const counted: number[] = [];
		for (const items of [100, 200]) {
			await resetFor(name);
			const { parameterReads = 0 } = await worker.run({ sender: senders[name]!, target, items, countReads: true });
			counted.push(parameterReads);
		}
		await worker.stop();
		return String((counted[1]! - counted[0]!) / 100);
	};
	const contenders = Object.entries(senders).map(([name, sender]) => [name, () => use(name, sender)] as const);
	try {
		const reads: Record<string, string> = {};
		for (const name of Object.keys(senders).filter((sender) => sender !== 'bare')) {
			reads[name] = await readsOf(name);
		}
		return report(await inTurns(Object.fromEntries(contenders), cpuRounds), reads);
	} finally {
		await service.stop();
	}
}

function report(runs: Record<string, number[]>, reads: Record<string, string>): RowResult {
	const beyond = (name: string) => runs[name]!.map((value, round) => value - runs.bare![round]!);
	const milliseconds = (values: number[]) => show(spread(values), 2, ' ms');
	const row = (what: string, valuesOf: (name: string) => number[]) => {
		const [own, http, floor] = [valuesOf('ours'), valuesOf('http'), valuesOf('least')];
		const ratios = [http, floor].map((other) => `**${show(ratio(own, other))}**`);
		return [what, ...[own, http, floor].map(milliseconds), ...ratios];
	};
	return {
		title: '2. Time of the processor for an item',
		how: [
			`${calls.toLocaleString('en')} calls without latency, ${inFlight} in flight, each run in a process of its own that has queued ${warmUp.toLocaleString('en')} before. *Beyond the request*: what a bare loop needs for the same requests (${milliseconds(runs.bare!)} each) is taken off. The little that is left varies a lot from run to run, and its ratios more than those of the whole time.`,
			'Number, payload and context are three expressions in our node and one in the body of the HTTP Request node; n8n evaluates each by itself. With Map Automatically our node has one expression, and reads the names of the variables once. With the number alone both have one.',
		],
		tables: [
			{
				columns: [
					'From the item come',
					'Our node',
					'HTTP Request',
					'Least node',
					'Ours / HTTP Request',
					'Ours / least node',
				],
				rows: Object.entries(suffixes).flatMap(([what, suffix]) => [
					row(`${what}: with the request`, (name) => runs[name + suffix]!),
					row(`${what}: beyond the request`, (name) => beyond(name + suffix)),
				]),
			},
			{
				columns: ['Calls of `getNodeParameter` for an item', 'Our node', 'HTTP Request', 'Least node'],
				rows: Object.entries(suffixes).map(([what, suffix]) => [
					what,
					...['ours', 'http', 'least'].map((name) => reads[name + suffix]!),
				]),
			},
		],
		targets: Object.entries(suffixes).map(([what, suffix]) => {
			const times = ratio(runs[`ours${suffix}`]!, runs[`least${suffix}`]!);
			return atMost(`${what}: at most 1.10 times the least node`, `${show(times)} times`, times.median, 1.1);
		}),
		raw: runs,
	};
}
