import type { Sender } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';
import { httpRequest, least, numberOnly, ours } from '../senders.mts';

const calls = 10_000;
const inFlight = 50;
const batches = { size: inFlight, interval: 20 };

/** Measures the CPU time per item beyond that of the request. */
export async function cpu(): Promise<RowResult> {
	const service = await Service.start();
	const { target } = service;
	const all = { ours: ours(target, inFlight), http: httpRequest(target, batches), least: least(target, inFlight) };
	const senders: Record<string, Sender> = { bare: { bare: inFlight } };
	for (const [name, step] of Object.entries(all)) {
		senders[name] = { steps: [step] };
		senders[`${name}, number only`] = { steps: [numberOnly(step)] };
	}
	const use = async (sender: Sender): Promise<number> => {
		const worker = await Worker.start();
		await service.reset();
		await worker.run({ sender, target, items: calls / 10 });
		await service.reset();
		const { cpuMilliseconds, output } = await worker.run({ sender, target, items: calls });
		await worker.stop();
		if (output !== calls) {
			throw new Error(`${output} of ${calls} calls were queued`);
		}
		return cpuMilliseconds / calls;
	};
	try {
		const runs = await inTurns(
			Object.fromEntries(Object.entries(senders).map(([name, sender]) => [name, () => use(sender)])),
		);
		return report(runs);
	} finally {
		await service.stop();
	}
}

function report(runs: Record<string, number[]>): RowResult {
	const beyond = (name: string) => runs[name]!.map((value, round) => value - runs.bare![round]!);
	const milliseconds = (values: number[]) => show(spread(values), 2, ' ms');
	const row = (what: string, suffix: string) => {
		const [own, http, floor] = ['ours', 'http', 'least'].map((name) => beyond(name + suffix)) as [
			number[],
			number[],
			number[],
		];
		return [
			what,
			...[own, http, floor].map(milliseconds),
			`**${show(ratio(own, http))}**`,
			`**${show(ratio(own, floor))}**`,
		];
	};
	const suffixes = { 'Number, payload and context': '', 'Number alone': ', number only' };
	return {
		title: '2. Time of the processor for an item, beyond its request',
		how: [
			`10,000 calls without latency, ${inFlight} in flight, each run in a process of its own that has queued 1,000 before. What a bare loop needs for the same requests (${milliseconds(runs.bare!)} each) is taken off.`,
			'Number, payload and context are three expressions in our node and one in the body of the HTTP Request node; n8n evaluates each by itself. With the number alone both have one.',
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
				rows: Object.entries(suffixes).map(([what, suffix]) => row(what, suffix)),
			},
		],
		targets: Object.entries(suffixes).map(([what, suffix]) => {
			const against = ratio(beyond(`ours${suffix}`), beyond(`http${suffix}`));
			return atMost(`${what}: below the HTTP Request node`, `${show(against)} times`, against.median, 1);
		}),
		raw: runs,
	};
}
