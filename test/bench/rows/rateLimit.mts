import { Service, Worker } from '../lab.mts';
import { show, spread } from '../numbers.mts';
import { atMost, type RowResult, rounds } from '../result.mts';
import { ours } from '../senders.mts';

const limit = 500;
const windowSeconds = 10;

interface Case {
	calls: number;
	executions: number;
	/** Options of the sandbox. */
	options: string[];
	/** The most that may be refused, in percent, and the most time, as a multiple of the shortest possible one. */
	target: { refused: number; time: number };
}

/** They are mostly waiting, so all run at once, each with a sandbox. */
const cases: Record<string, Case> = {
	'2,400 calls by one execution': { calls: 2400, executions: 1, options: [], target: { refused: 1, time: 1.05 } },
	'2,500 calls by four': { calls: 2500, executions: 4, options: [], target: { refused: 5, time: 1.15 } },
	'2,500 calls by four, a sliding window': {
		calls: 2500,
		executions: 4,
		options: ['--sliding-rate-window'],
		target: { refused: 5, time: 1.15 },
	},
};

interface Run {
	/** Of the calls, in percent. */
	succeeded: number;
	refused: number;
	/** From the first request to the last. */
	seconds: number;
	/** The seconds as a multiple of the shortest possible time. */
	times: number;
}

/** Measures many calls under a rate limit that our node is not told. */
export async function rateLimit(): Promise<RowResult> {
	const bare = await Service.start();
	const services: Service[] = [];
	const workers: Worker[] = [];
	const runs: Record<string, Run[]> = {};
	try {
		for (const [index, { options }] of Object.values(cases).entries()) {
			const all = ['--rate-limit', String(limit), '--rate-window', String(windowSeconds), ...options];
			services.push(await Service.start(all, 4200 + 20 * index));
			workers.push(await Worker.start());
		}
		for (let round = 1; round <= rounds; round++) {
			console.log(`   round ${round} of ${rounds}`);
			await bare.reset();
			const window = await workers[0]!.run({ sender: { bare: 50 }, target: bare.target, items: limit });
			const sending = Object.entries(cases).map(async ([name, one], index) => {
				(runs[name] ??= []).push(await send(services[index]!, workers[index]!, one, window.milliseconds));
			});
			await Promise.all(sending);
		}
		return report(runs);
	} finally {
		await Promise.all([...workers, ...services, bare].map((each) => each.stop()));
	}
}

/** @param bareWindow what the bare loop takes for a full window, in milliseconds */
async function send(service: Service, worker: Worker, one: Case, bareWindow: number): Promise<Run> {
	const { calls, executions } = one;
	// The window must begin with the first call, so send no other request before.
	await service.forget();
	const { target } = service;
	const sender = { steps: [{ ...ours(target), onError: 'continueRegularOutput' as const }] };
	await worker.run({ sender, target, items: calls, executions });
	const all = (await service.requests()).filter(({ path }) => path.startsWith('/api/'));
	const requests = all.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	const queued = requests.filter(({ status }) => status === 201).map(({ body }) => body.to);
	if (new Set(queued).size !== queued.length) {
		throw new Error('A number was called twice');
	}
	const moments = requests.map(({ at }) => Date.parse(at));
	const milliseconds = Math.max(...moments) - Math.min(...moments);
	const accepted = all.filter(({ status }) => status !== 429).length;
	const full = Math.floor((accepted - 1) / limit);
	const ideal = full * windowSeconds * 1000 + (bareWindow * (accepted - full * limit)) / limit;
	return {
		succeeded: (100 * queued.length) / calls,
		refused: (100 * requests.filter(({ status }) => status === 429).length) / calls,
		seconds: milliseconds / 1000,
		times: milliseconds / ideal,
	};
}

function report(runs: Record<string, Run[]>): RowResult {
	const results = Object.entries(runs).map(([name, all]) => {
		const of = (key: keyof Run) => spread(all.map((run) => run[key]));
		const [succeeded, refused, times] = [of('succeeded'), of('refused'), of('times')];
		const { refused: most, time } = cases[name]!.target;
		return {
			cells: [name, ...[succeeded, refused].map((value) => show(value, 1, ' %')), show(of('seconds'), 1, ' s')],
			times: `**${show(times)}**`,
			targets: [
				{ wanted: `${name}: all succeed`, reached: show(succeeded, 1, ' %'), met: succeeded.low === 100 },
				atMost(`${name}: at most ${most} % refused`, show(refused, 1, ' %'), refused.median, most),
				atMost(`${name}: at most ${time} times the ideal`, `${show(times)} times`, times.median, time),
			],
		};
	});
	return {
		title: '3. Calls under a limit of 500 requests in 10 seconds',
		how: [
			'Default settings, and On Error set to continue. Our node is not told the limit; executions at the same time learn of each other only by the headers of the responses. In a sliding window each request counts for 10 seconds. *Ideal*: the full windows that all accepted requests need, also those that read the variables of the agent, and what the bare loop with 50 in flight takes for the last of them.',
		],
		tables: [
			{
				columns: ['', 'Succeeded', 'Refused with 429, of the calls', 'Time', 'Time / ideal'],
				rows: results.map(({ cells, times }) => [...cells, times]),
			},
		],
		targets: results.flatMap(({ targets }) => targets),
		raw: runs,
	};
}
