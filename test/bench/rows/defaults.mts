import { inEngine } from '../inEngine.mts';
import type { Measured, Target } from '../job.mts';
import type { Service } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { httpRequest, least, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;

/** The contenders by their names in the table. */
const own = 'Our node, Automatic';
const fixed = 'Our node, Max Concurrent Requests 50';
const http = 'HTTP Request, all at once';
const leastAtOnce = 'Least node, all at once';
const leastFew = 'Least node, 50 at a time';

interface Run extends Measured {
	/** The maximum number of concurrent requests at the service. */
	highest: number;
	/** Requests with another status than 201. */
	refused: number;
}

/** Measures 2,000 calls with a latency of 20 ms in n8n's engine, with default settings. */
export async function defaults(): Promise<RowResult> {
	const sendersOf = (target: Target) => ({
		[own]: { steps: [ours(target)] },
		[fixed]: { steps: [ours(target, 50)] },
		[http]: { steps: [httpRequest(target)] },
		[leastFew]: { steps: [least(target, 50)] },
		[leastAtOnce]: { steps: [least(target, calls)] },
	});
	const seenBy = async (service: Service) => {
		const { highest } = await service.load();
		const requests = (await service.requests()).filter(({ method }) => method === 'POST');
		return { highest, refused: requests.filter(({ status }) => status !== 201).length };
	};
	return report(await inEngine(sendersOf, { calls, latency, seenBy }));
}

function report(runs: Record<string, Run[]>): RowResult {
	const of = (name: string, value: (run: Run) => number) => runs[name]!.map(value);
	const times = (name: string) => of(name, ({ milliseconds }) => milliseconds);
	const [againstFixed, againstHttp] = [ratio(times(own), times(fixed)), ratio(times(own), times(http))];
	const refused = spread(of(own, (run) => run.refused)).high;
	return {
		title: '1c. Time for 2,000 calls at 20 ms with default settings',
		how: [
			'As in row 1, without a rate limit. Our node has what it is set to by itself: Max Concurrent Requests is Automatic, which begins with 5 requests at the same time. The HTTP Request node sends all requests at once.',
			`The *least node* of row 1 shows what part of the difference comes from the number of requests in flight: 50 at a time, it took ${show(ratio(times(leastFew), times(http)))} times as long as the HTTP Request node, and all at once ${show(ratio(times(leastAtOnce), times(http)))} times. Our node never sends more than 50 at a time by itself, because a service that rings phones should not get a whole campaign in one moment.`,
		],
		tables: [
			{
				columns: ['', 'Time', 'Ours, Automatic / this', 'Most in flight', 'Refused'],
				rows: Object.keys(runs).map((name) => [
					name,
					show(spread(times(name).map((value) => value / 1000)), 2, ' s'),
					name === own ? '' : `**${show(ratio(times(own), times(name)))}**`,
					String(spread(of(name, ({ highest }) => highest)).high),
					String(spread(of(name, (run) => run.refused)).high),
				]),
			},
		],
		targets: [
			atMost('At most 1.15 times our node with 50', `${show(againstFixed)} times`, againstFixed.median, 1.15),
			atMost('At most 1.6 times the HTTP Request node', `${show(againstHttp)} times`, againstHttp.median, 1.6),
			atMost('Nothing refused', `${refused} refused`, refused, 0),
		],
		raw: runs,
	};
}
