import { inTurns, run, Service } from '../lab.mts';
import { atMost, show, spread } from '../numbers.mts';
import type { RowResult } from '../page.mts';
import { ours } from '../senders.mts';

const limit = 500;
const windowSeconds = 10;

/** With the most that may be refused, in percent, and the most time, as a multiple of the shortest possible one. */
const cases = {
	'2,400 by one execution': { calls: 2400, executions: 1, options: [], most: { refused: 1, times: 1.05 } },
	'2,500 by four': { calls: 2500, executions: 4, options: [], most: { refused: 5, times: 1.15 } },
	'2,500 by four, sliding window': {
		calls: 2500,
		executions: 4,
		options: ['--sliding-rate-window'],
		most: { refused: 5, times: 1.15 },
	},
};
type Case = keyof typeof cases;
const names = Object.keys(cases) as Case[];

interface Sent {
	/** Of the calls, in percent. */
	succeeded: number;
	refused: number;
	/** From the first request to the last, as a multiple of the shortest possible time. */
	times: number;
}

/** Row 3: many calls under a rate limit that our node is not told. */
export async function rateLimit(rounds: number): Promise<RowResult> {
	// They are mostly waiting, so all cases run at once, each with a sandbox.
	const play = async (name: Case, index: number) => {
		const withLimit = ['--rate-limit', String(limit), '--rate-window', String(windowSeconds)];
		const service = await Service.start([...withLimit, ...cases[name].options], 4200 + 20 * index);
		try {
			return (await inTurns({ [name]: () => send(service, cases[name]) }, rounds))[name];
		} finally {
			await service.stop();
		}
	};
	const runs = await Promise.all(names.map(play));
	return report(Object.fromEntries(names.map((name, index) => [name, runs[index]])) as Record<Case, Sent[]>);
}

async function send(service: Service, { calls, executions }: (typeof cases)[Case]): Promise<Sent> {
	// The window must begin with the first call, so send no other request before.
	await service.forget();
	const { target } = service;
	const step = { ...ours(target), onError: 'continueRegularOutput' as const };
	await run({ step, target, items: calls, executions });
	const all = (await service.requests()).filter(({ path }) => path.startsWith('/api/'));
	const requests = all.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	const queued = requests.filter(({ status }) => status === 201).map(({ body }) => body.to);
	if (new Set(queued).size !== queued.length) {
		throw new Error('A number was called twice');
	}
	const moments = requests.map(({ at }) => Date.parse(at));
	const seconds = (Math.max(...moments) - Math.min(...moments)) / 1000;
	const fullWindows = Math.floor((all.filter(({ status }) => status !== 429).length - 1) / limit);
	return {
		succeeded: (100 * queued.length) / calls,
		refused: (100 * requests.filter(({ status }) => status === 429).length) / calls,
		times: seconds / (fullWindows * windowSeconds),
	};
}

function report(runs: Record<Case, Sent[]>): RowResult {
	const of = (name: Case, key: keyof Sent) => spread(runs[name].map((sent) => sent[key]));
	const limited = (key: 'refused' | 'times') =>
		names.map((name): [number, number] => [of(name, key).median, cases[name].most[key]]);
	const succeeded = Math.min(...names.map((name) => of(name, 'succeeded').low));
	return {
		cells: names.map((name) => [name, show(of(name, 'refused'), 1, ' %'), show(of(name, 'times'))]),
		targets: [
			{ wanted: 'All calls succeed', reached: `${succeeded} %`, met: succeeded === 100 },
			atMost('Refused: at most 1 %, 5 %, 5 %', limited('refused'), 1, ' %'),
			atMost('/ ideal at most 1.05, 1.15, 1.15', limited('times')),
		],
		raw: runs,
	};
}
