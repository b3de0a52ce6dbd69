import { inEngine } from '../inEngine.mts';
import type { Measured, Sender, Target } from '../job.mts';
import type { Service } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { httpRequest, least, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;
const inFlight = [5, 20, 50];

interface Run extends Measured {
	/** The maximum number of concurrent requests at the service. */
	highest: number;
}

/** Measures 2,000 calls with a latency of 20 ms in n8n's engine. */
export async function throughput(): Promise<RowResult> {
	const sendersOf = (target: Target) => {
		const senders: Record<string, Sender> = { 'HTTP Request, all at once': { steps: [httpRequest(target)] } };
		for (const n of inFlight) {
			senders[`bare ${n}`] = { bare: n };
			senders[`least ${n}`] = { steps: [least(target, n)] };
			senders[`ours ${n}`] = { steps: [ours(target, n)] };
			senders[`twice ${n}`] = { steps: [ours(target, 2 * n)] };
			senders[`HTTP Request ${n}`] = { steps: [httpRequest(target, { size: n, interval: latency })] };
		}
		return senders;
	};
	const seenBy = async (service: Service) => ({ highest: (await service.load()).highest });
	return report(await inEngine(sendersOf, { calls, latency, seenBy }));
}

function report(runs: Record<string, Run[]>): RowResult {
	const times = (name: string) => runs[name]!.map(({ milliseconds }) => milliseconds);
	const seconds = (name: string) => show(spread(times(name).map((value) => value / 1000)), 2, ' s');
	const highest = (name: string) => String(spread(runs[name]!.map((run) => run.highest)).high);
	const against = (n: number, other: string) => ratio(times(`ours ${n}`), times(`${other} ${n}`));
	const all = 'HTTP Request, all at once';
	return {
		title: '1. Time for 2,000 calls at 20 ms, in n8n’s engine',
		how: [
			'No rate limit. *N* is Max Concurrent Requests of our node, Items per Batch of the HTTP Request node with a Batch Interval of 20 ms, and the number of requests that the bare loop (axios over connections that are kept) has in flight.',
			'*Least node*: what any node has to do in n8n for this, and nothing else: it reads the three fields of each item and sends them with n8n’s own helper, *N* at a time. It checks, remembers, paces and repeats nothing. n8n makes a new connection for each request of a node, which the bare loop does not.',
			`The HTTP Request node does not keep to *N*: it starts a batch every 20 ms whether the one before is answered or not, and so has about twice as many in flight. *Ours with 2N* is our node with Max Concurrent Requests at 2 *N*. Without batches the HTTP Request node took ${seconds(all)} and had ${highest(all)} requests in flight.`,
			'Our node reads and checks all items before it sends the first; the HTTP Request node reads a batch while the one before is under way.',
		],
		tables: [
			{
				columns: [
					'N',
					'Our node',
					'HTTP Request',
					'Bare loop',
					'Least node',
					'Ours / HTTP Request',
					'Ours / bare loop',
					'Ours / least node',
					'Most in flight: ours, HTTP Request',
					'Ours with 2N',
					'Ours with 2N / HTTP Request',
				],
				rows: inFlight.map((n) => [
					String(n),
					...['ours', 'HTTP Request', 'bare', 'least'].map((name) => seconds(`${name} ${n}`)),
					...['HTTP Request', 'bare', 'least'].map((name) => `**${show(against(n, name))}**`),
					`${highest(`ours ${n}`)}, ${highest(`HTTP Request ${n}`)}`,
					seconds(`twice ${n}`),
					`**${show(ratio(times(`twice ${n}`), times(`HTTP Request ${n}`)))}**`,
				]),
			},
		],
		targets: inFlight.flatMap((n) => {
			const [http, bare] = [against(n, 'HTTP Request'), against(n, 'bare')];
			return [
				atMost(`N = ${n}: not slower than the HTTP Request node`, `${show(http)} times its time`, http.median, 1),
				atMost(`N = ${n}: at most 1.15 times the bare loop`, `${show(bare)} times`, bare.median, 1.15),
			];
		}),
		raw: runs,
	};
}
