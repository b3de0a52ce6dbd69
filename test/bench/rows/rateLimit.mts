import { setTimeout as sleep } from 'node:timers/promises';

import type { Sender, Target } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { rounds } from '../rounds.mts';
import { httpRequest, loopWithWait, ours } from '../senders.mts';

const limit = 500;
const windowSeconds = 10;
const fullWindows = 4;
/** In the last window, because our node also reads the campaign and its agent. */
const rest = 400;
const calls = fullWindows * limit + rest;

/** The contenders start one after another, because each causes the most load at its start. */
const apartMilliseconds = 1500;

const goOn = { onError: 'continueRegularOutput' } as const;

/** The contenders by their names in the table. */
const contenders: Record<string, (target: Target) => Sender> = {
	'Our node': (target) => ({ steps: [{ ...ours(target), ...goOn }] }),
	'HTTP Request as it is': (target) => ({ steps: [{ ...httpRequest(target), ...goOn }] }),
	'HTTP Request, 50 a second': (target) => ({
		steps: [{ ...httpRequest(target, { size: 50, interval: 1000 }), ...goOn }],
	}),
	'Loop of 50 with a Wait of 1 s': (target) => loopWithWait(target, 50, 1),
	'Loop of 500 with a Wait of 10 s': (target) => loopWithWait(target, limit, windowSeconds),
};

interface Run {
	succeeded: number;
	/** Requests rejected with 429. */
	refused: number;
	milliseconds: number;
	/** Duration of four full windows, and of the bare loop for the rest, in milliseconds. */
	ideal: number;
}

/** Measures many calls with a rate limit. It is mostly waiting, so all contenders run at once, each with a sandbox. */
export async function rateLimit(): Promise<RowResult> {
	const options = ['--rate-limit', String(limit), '--rate-window', String(windowSeconds)];
	const names = Object.keys(contenders);
	const services: Service[] = [];
	const workers: Worker[] = [];
	const bare = await Service.start();
	try {
		for (const index of names.keys()) {
			services.push(await Service.start(options, 4200 + 20 * index));
			workers.push(await Worker.start());
		}
		const runs: Record<string, Run[]> = {};
		for (let round = 1; round <= rounds; round++) {
			console.log(`   round ${round} of ${rounds}`);
			await bare.reset();
			const last = await workers[0]!.run({ sender: { bare: 50 }, target: bare.target, items: rest });
			const ideal = fullWindows * windowSeconds * 1000 + last.milliseconds;
			await Promise.all(
				names.map(async (name, index) => {
					await sleep(index * apartMilliseconds);
					(runs[name] ??= []).push({ ...(await send(services[index]!, workers[index]!, contenders[name]!)), ideal });
				}),
			);
		}
		return report(runs);
	} finally {
		await Promise.all([...workers, ...services, bare].map((each) => each.stop()));
	}
}

async function send(service: Service, worker: Worker, sender: (target: Target) => Sender): Promise<Omit<Run, 'ideal'>> {
	// The window must begin with the first call, so send no other request before.
	await service.forget();
	const { milliseconds } = await worker.run({ sender: sender(service.target), target: service.target, items: calls });
	const requests = (await service.requests()).filter(({ method }) => method === 'POST');
	const queued = requests.filter(({ status }) => status === 201).map(({ body }) => body.to);
	if (new Set(queued).size !== queued.length) {
		throw new Error('A number was called twice');
	}
	return { succeeded: queued.length, refused: requests.filter(({ status }) => status === 429).length, milliseconds };
}

function report(runs: Record<string, Run[]>): RowResult {
	const of = (name: string, value: (run: Run) => number) => spread(runs[name]!.map(value));
	const succeeded = (name: string) => of(name, (run) => (100 * run.succeeded) / calls);
	const wasted = (name: string) => of(name, (run) => (100 * run.refused) / calls);
	const time = (name: string) => of(name, ({ milliseconds, ideal }) => milliseconds / ideal);
	const own = 'Our node';
	return {
		title: '3. 2,400 calls under a limit of 500 in a fixed window of 10 seconds',
		how: [
			'On Error is set to continue, so that the nodes go on after a refusal. Our node has its default settings and is not told the limit; the others are set up by somebody who knows it. *Ideal*: four full windows, and what the bare loop with 50 in flight takes for the last 400 calls. Our node reads the campaign and the variables of the agent first: two more requests. The loops wait after their last batch too, as such loops do.',
			'All contenders of a round run at the same time, each with a sandbox and a process of its own, since most of it is waiting.',
		],
		tables: [
			{
				columns: ['', 'Succeeded', 'Refused with 429, of the calls', 'Time', 'Time / ideal'],
				rows: Object.keys(runs).map((name) => [
					name,
					show(succeeded(name), 1, ' %'),
					show(wasted(name), 1, ' %'),
					show(
						of(name, ({ milliseconds }) => milliseconds / 1000),
						1,
						' s',
					),
					succeeded(name).median < 100 ? 'not all done' : `**${show(time(name))}**`,
				]),
			},
		],
		targets: [
			{ wanted: 'All succeed', reached: show(succeeded(own), 1, ' %'), met: succeeded(own).low === 100 },
			atMost('At most 1 % wasted', show(wasted(own), 2, ' %'), wasted(own).median, 1),
			atMost('At most 1.05 times the ideal', `${show(time(own))} times`, time(own).median, 1.05),
		],
		raw: runs,
	};
}
