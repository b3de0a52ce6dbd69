import type { Measured, Parts, Sender } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';
import { httpRequest, least, mappedVariables, numberOnly, ours } from '../senders.mts';

const calls = 5000;
/** What a process queues before it is measured. */
const warmUp = 1000;
const inFlight = 50;
/** The differences are small, so their median needs more rounds. */
const cpuRounds = 15;
const profileRuns = 3;
const batches = { size: inFlight, interval: 20 };

const partNames: Record<keyof Parts, string> = {
	parameters: 'n8n reads the parameters',
	own: 'The node’s own code',
	request: 'n8n’s helper for requests, the network, the rest',
	garbage: 'Garbage collections',
};

/** Measures the CPU time per item, with its request and beyond it. */
export async function cpu(): Promise<RowResult> {
	const service = await Service.start();
	const { target } = service;
	const all = { ours: ours(target, inFlight), http: httpRequest(target, batches), least: least(target, inFlight) };
	const senders: Record<string, Sender> = { bare: { bare: inFlight } };
	for (const [name, step] of Object.entries(all)) {
		senders[name] = { steps: [step] };
		senders[`${name}, mapped`] = { steps: [mappedVariables(step)] };
		senders[`${name}, number only`] = { steps: [numberOnly(step)] };
	}
	const send = async (sender: Sender, profile = false): Promise<Measured> => {
		const worker = await Worker.start();
		await service.resetWithVariable();
		await worker.run({ sender, target, items: warmUp });
		await service.resetWithVariable();
		const measured = await worker.run({ sender, target, items: calls, profile });
		await worker.stop();
		if (measured.output !== calls) {
			throw new Error(`${measured.output} of ${calls} calls were queued`);
		}
		return measured;
	};
	const use = async (sender: Sender): Promise<number> => (await send(sender)).cpuMilliseconds / calls;
	try {
		const runs = await inTurns(
			Object.fromEntries(Object.entries(senders).map(([name, sender]) => [name, () => use(sender)])),
			cpuRounds,
		);
		const profiles: Record<string, Parts[]> = {};
		for (const name of Object.keys(all)) {
			profiles[name] = [];
			for (let run = 0; run < profileRuns; run++) {
				profiles[name].push((await send(senders[name]!, true)).parts!);
			}
		}
		return report(runs, profiles);
	} finally {
		await service.stop();
	}
}

function report(runs: Record<string, number[]>, profiles: Record<string, Parts[]>): RowResult {
	const beyond = (name: string) => runs[name]!.map((value, round) => value - runs.bare![round]!);
	const milliseconds = (values: number[]) => show(spread(values), 2, ' ms');
	const row = (what: string, valuesOf: (name: string) => number[]) => {
		const [own, http, floor] = [valuesOf('ours'), valuesOf('http'), valuesOf('least')];
		return [
			what,
			...[own, http, floor].map(milliseconds),
			`**${show(ratio(own, http))}**`,
			`**${show(ratio(own, floor))}**`,
		];
	};
	const withoutOwn = (name: string) =>
		milliseconds(profiles[name]!.map((parts) => (parts.parameters + parts.request + parts.garbage) / calls));
	const suffixes = {
		'Number, payload and context': '',
		'Number, and the payload by Map Automatically': ', mapped',
		'Number alone': ', number only',
	};
	return {
		title: '2. Time of the processor for an item',
		how: [
			`${calls.toLocaleString('en')} calls without latency, ${inFlight} in flight, each run in a process of its own that has queued ${warmUp.toLocaleString('en')} before. *Beyond the request*: what a bare loop needs for the same requests (${milliseconds(runs.bare!)} each) is taken off. The little that is left varies a lot from run to run, and its ratios more than those of the whole time.`,
			'Number, payload and context are three expressions in our node and one in the body of the HTTP Request node; n8n evaluates each by itself. With Map Automatically our node has one expression, and reads the names of the variables once. With the number alone both have one.',
			`The second table says what the time is spent on, by profiles of ${profileRuns} more runs of each. A profile takes time itself, and nothing is taken off. *Own code* of our node: it checks the fields, remembers what was sent, hides secrets in responses, follows the rate limit, and puts the results together. The least node does none of that. Without its own code our node would take ${withoutOwn('ours')} in these profiles, the least node ${withoutOwn('least')}, and the HTTP Request node ${withoutOwn('http')}.`,
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
				columns: ['Number, payload and context, by a profile', 'Our node', 'HTTP Request', 'Least node'],
				rows: Object.entries(partNames).map(([part, what]) => [
					what,
					...['ours', 'http', 'least'].map((name) =>
						milliseconds(profiles[name]!.map((parts) => parts[part as keyof Parts] / calls)),
					),
				]),
			},
		],
		targets: Object.entries(suffixes).flatMap(([what, suffix]) => {
			const own = beyond(`ours${suffix}`);
			const [http, floor] = [ratio(own, beyond(`http${suffix}`)), ratio(own, beyond(`least${suffix}`))];
			return [
				atMost(`${what}, beyond the request: below the HTTP Request node`, `${show(http)} times`, http.median, 1),
				atMost(
					`${what}, beyond the request: at most 1.15 times the least node`,
					`${show(floor)} times`,
					floor.median,
					1.15,
				),
			];
		}),
		raw: { runs, profiles },
	};
}
