import { Service, Worker } from '../lab.mts';
import { show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { rounds } from '../rounds.mts';
import { ours } from '../senders.mts';

const calls = 2500;
const limit = 500;
const windowSeconds = 10;
const executions = 4;

/** The options of the sandbox: for all, and by the kind of window. */
const limitOptions = ['--rate-limit', String(limit), '--rate-window', String(windowSeconds)];
const windows: Record<string, string[]> = { 'Fixed windows': [], 'A sliding window': ['--sliding-rate-window'] };

/** What the service has seen. */
interface Counted {
	/** Calls. */
	succeeded: number;
	/** All requests that count for the limit. */
	accepted: number;
	/** Requests rejected with 429. */
	refused: number;
	/** From the first request to the last. */
	milliseconds: number;
}

interface Run extends Counted {
	/** See {@link idealTime}. */
	ideal: number;
}

/** Measures several executions at the same time with one rate limit. Both kinds of windows run at once. */
export async function severalRuns(): Promise<RowResult> {
	const bare = await Service.start();
	const services: Service[] = [];
	const workers: Worker[] = [];
	try {
		for (const [index, more] of Object.values(windows).entries()) {
			services.push(await Service.start([...limitOptions, ...more], 4200 + 20 * index));
			workers.push(await Worker.start());
		}
		const runs: Record<string, Run[]> = {};
		for (let round = 1; round <= rounds; round++) {
			console.log(`   round ${round} of ${rounds}`);
			await bare.reset();
			const window = await workers[0]!.run({ sender: { bare: 50 }, target: bare.target, items: limit });
			await Promise.all(
				Object.keys(windows).map(async (name, index) => {
					const run = await send(services[index]!, workers[index]!);
					(runs[name] ??= []).push({ ...run, ideal: idealTime(run, window.milliseconds) });
				}),
			);
		}
		return report(runs);
	} finally {
		await Promise.all([...workers, ...services, bare].map((each) => each.stop()));
	}
}

async function send(service: Service, worker: Worker): Promise<Counted> {
	// The window must begin with the first call, so send no other request before.
	await service.forget();
	const { target } = service;
	const sender = { steps: [{ ...ours(target), onError: 'continueRegularOutput' as const }] };
	const { milliseconds } = await worker.run({ sender, target, items: calls, executions });
	return { ...(await counted(service)), milliseconds };
}

/**
 * The time that the requests need with this limit, in milliseconds: full windows, and what the bare loop takes for those
 * in the last one.
 *
 * @param bare what it takes for a full window
 */
function idealTime({ accepted }: Counted, bare: number): number {
	const full = Math.floor((accepted - 1) / limit);
	return full * windowSeconds * 1000 + (bare * (accepted - full * limit)) / limit;
}

/** Reads from the journal of the sandbox what became of the calls. @throws Error if a number was called twice */
async function counted(service: Service): Promise<Counted> {
	const all = (await service.requests()).filter(({ path }) => path.startsWith('/api/'));
	const requests = all.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	const queued = requests.filter(({ status }) => status === 201).map(({ body }) => body.to);
	if (new Set(queued).size !== queued.length) {
		throw new Error('A number was called twice');
	}
	const times = requests.map(({ at }) => Date.parse(at));
	return {
		succeeded: queued.length,
		accepted: all.filter(({ status }) => status !== 429).length,
		refused: requests.filter(({ status }) => status === 429).length,
		milliseconds: Math.max(...times) - Math.min(...times),
	};
}

/** The row with a table of all kinds of windows, and the targets. */
function report(runs: Record<string, Run[]>): RowResult {
	const of = (name: string, value: (run: Run) => number) => spread(runs[name]!.map(value));
	const succeeded = (name: string) => of(name, (run) => (100 * run.succeeded) / calls);
	const refused = (name: string) => of(name, (run) => (100 * run.refused) / calls);
	const time = (name: string) => of(name, ({ milliseconds, ideal }) => milliseconds / ideal);
	return {
		title: '3b. Four executions at the same time under one limit of 500 in 10 seconds',
		how: [
			'2,500 calls in total by four executions in one process, with default settings. They learn of each other only by the headers of the responses. In a sliding window each request counts for 10 seconds. *Ideal*: the full windows that all accepted requests need, also those that read the variables of the agent, and what the bare loop with 50 in flight takes for the last of them.',
		],
		tables: [
			{
				columns: ['', 'Succeeded', 'Refused with 429, of the calls', 'Time', 'Time / ideal'],
				rows: Object.keys(runs).map((name) => [
					name,
					show(succeeded(name), 1, ' %'),
					show(refused(name), 1, ' %'),
					show(
						of(name, ({ milliseconds }) => milliseconds / 1000),
						1,
						' s',
					),
					`**${show(time(name))}**`,
				]),
			},
		],
		targets: Object.keys(runs).flatMap((name) => [
			{ wanted: `${name}: all succeed`, reached: show(succeeded(name), 1, ' %'), met: succeeded(name).low === 100 },
			atMost(`${name}: at most 5 % refused`, show(refused(name), 1, ' %'), refused(name).median, 5),
			atMost(`${name}: at most 1.15 times the ideal`, `${show(time(name))} times`, time(name).median, 1.15),
		]),
		raw: runs,
	};
}
