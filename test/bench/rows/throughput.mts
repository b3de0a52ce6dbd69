import type { Measured, Sender, Target } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, inTurns, type RowResult } from '../result.mts';
import { httpRequest, least, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;
const inFlight = [5, 20, 50];
const all = 'HTTP Request, all at once';

interface Run extends Measured {
	/** The most requests at the service at the same time. */
	highest: number;
	/** Requests with another status than 201. */
	refused: number;
}
type Runs = Record<string, Run[]>;

/** Measures senders in turns in n8n's engine, all in one process, after a tenth of the calls to warm up. */
async function measure(sendersOf: (target: Target) => Record<string, Sender>): Promise<Runs> {
	const service = await Service.start();
	const worker = await Worker.start();
	const { target } = service;
	const senders = Object.entries(sendersOf(target));
	const send = async (sender: Sender, items: number): Promise<Run> => {
		await service.reset(latency);
		const measured = await worker.run({ sender, target, items });
		if (measured.output !== items) {
			throw new Error(`${measured.output} of ${items} calls were queued`);
		}
		const { highest } = await service.load();
		const requests = (await service.requests()).filter(({ method }) => method === 'POST');
		return { ...measured, highest, refused: requests.filter(({ status }) => status !== 201).length };
	};
	try {
		for (const [, sender] of senders) {
			await send(sender, calls / 10);
		}
		return await inTurns(Object.fromEntries(senders.map(([name, sender]) => [name, () => send(sender, calls)])));
	} finally {
		await worker.stop();
		await service.stop();
	}
}

const timesOf = (runs: Runs, name: string) => runs[name]!.map(({ milliseconds }) => milliseconds);
const secondsOf = (runs: Runs, name: string) => show(spread(timesOf(runs, name).map((value) => value / 1000)), 2, ' s');
const highestOf = (runs: Runs, name: string) => String(spread(runs[name]!.map((run) => run.highest)).high);

/** Row 1: by the number of requests in flight. */
export async function throughput(): Promise<RowResult> {
	const runs = await measure((target) => {
		const senders: Record<string, Sender> = { [all]: { steps: [httpRequest(target)] } };
		for (const n of inFlight) {
			senders[`bare ${n}`] = { bare: n };
			senders[`least ${n}`] = { steps: [least(target, n)] };
			senders[`ours ${n}`] = { steps: [ours(target, n)] };
			senders[`twice ${n}`] = { steps: [ours(target, 2 * n)] };
			senders[`HTTP Request ${n}`] = { steps: [httpRequest(target, { size: n, interval: latency })] };
		}
		return senders;
	});
	const against = (n: number, other: string, own = 'ours') =>
		ratio(timesOf(runs, `${own} ${n}`), timesOf(runs, `${other} ${n}`));
	return {
		title: '1. Time for 2,000 calls at 20 ms, in n8n’s engine',
		how: [
			'No rate limit. *N* is Max Concurrent Requests of our node, Items per Batch of the HTTP Request node with a Batch Interval of 20 ms, and the number of requests that the bare loop (axios over connections that are kept) has in flight.',
			'*Least node*: what any node has to do in n8n for this, and nothing else: it reads the three fields of each item and sends them with n8n’s own helper, *N* at a time. It checks, remembers, paces and repeats nothing. n8n makes a new connection for each request of a node, which the bare loop does not.',
			`The HTTP Request node does not keep to *N*: it starts a batch every 20 ms whether the one before is answered or not, and so has about twice as many in flight. *Ours with 2N* is our node with Max Concurrent Requests at 2 *N*. Without batches the HTTP Request node took ${secondsOf(runs, all)} and had ${highestOf(runs, all)} requests in flight.`,
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
					...['ours', 'HTTP Request', 'bare', 'least'].map((name) => secondsOf(runs, `${name} ${n}`)),
					...['HTTP Request', 'bare', 'least'].map((name) => `**${show(against(n, name))}**`),
					`${highestOf(runs, `ours ${n}`)}, ${highestOf(runs, `HTTP Request ${n}`)}`,
					secondsOf(runs, `twice ${n}`),
					`**${show(against(n, 'HTTP Request', 'twice'))}**`,
				]),
			},
		],
		targets: inFlight.map((n) => {
			const times = against(n, 'least');
			return atMost(`N = ${n}: at most 1.10 times the least node`, `${show(times)} times its time`, times.median, 1.1);
		}),
		raw: runs,
	};
}

/** Row 1c: with default settings. */
export async function defaults(): Promise<RowResult> {
	const [own, fixed] = ['Our node, Automatic', 'Our node, Max Concurrent Requests 50'];
	const [leastAtOnce, leastFew] = ['Least node, all at once', 'Least node, 50 at a time'];
	const runs = await measure((target) => ({
		[own]: { steps: [ours(target)] },
		[fixed]: { steps: [ours(target, 50)] },
		[all]: { steps: [httpRequest(target)] },
		[leastFew]: { steps: [least(target, 50)] },
		[leastAtOnce]: { steps: [least(target, calls)] },
	}));
	const against = (name: string, other: string) => ratio(timesOf(runs, name), timesOf(runs, other));
	const refused = (name: string) => spread(runs[name]!.map((run) => run.refused)).high;
	return {
		title: '1c. Time for 2,000 calls at 20 ms with default settings',
		how: [
			'As in row 1, without a rate limit. Our node has what it is set to by itself: Max Concurrent Requests is Automatic, which begins with 5 requests at the same time. The HTTP Request node sends all requests at once.',
			`The *least node* of row 1 shows what part of the difference comes from the number of requests in flight: 50 at a time, it took ${show(against(leastFew, all))} times as long as the HTTP Request node, and all at once ${show(against(leastAtOnce, all))} times. Our node never sends more than 50 at a time by itself, because a service that rings phones should not get a whole campaign in one moment.`,
		],
		tables: [
			{
				columns: ['', 'Time', 'Ours, Automatic / this', 'Most in flight', 'Refused'],
				rows: Object.keys(runs).map((name) => [
					name,
					secondsOf(runs, name),
					name === own ? '' : `**${show(against(own, name))}**`,
					highestOf(runs, name),
					String(refused(name)),
				]),
			},
		],
		targets: [
			...(
				[
					['At most 1.15 times our node with 50', fixed, 1.15],
					['At most 1.10 times the least node with 50', leastFew, 1.1],
				] as const
			).map(([wanted, other, most]) => {
				const times = against(own, other);
				return atMost(wanted, `${show(times)} times`, times.median, most);
			}),
			atMost('Nothing refused', `${refused(own)} refused`, refused(own), 0),
		],
		raw: runs,
	};
}
