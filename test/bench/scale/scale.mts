import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { folder, resultsFolder } from '../lab.mts';
import type { Circumstances } from '../page.mts';
import { startQueueMode } from '../queueMode.mts';
import { type CampaignJob, runCampaign } from './campaign.mts';
import { runEvents } from './events.mts';
import { fullSize, growthSizes, type ScaleOptions, scaleOptions } from './scaleOptions.mts';
import { scalePage, scalePlot } from './scalePage.mts';
import type { ScaleResult } from './scaleResult.mts';

/** So many executions share the ledger, where several do. */
const EXECUTIONS = 4;

/** One thing to measure. */
type Step = { campaign: CampaignJob } | { events: number };

/** Returns what is measured with a number of workers: all of it with the fewest and the most. */
function stepsWith(workers: number, { contacts, workers: all }: ScaleOptions): Step[] {
	const [fewest, most] = [all[0], all.at(-1)];
	const largest = { campaign: { contacts, executions: EXECUTIONS } };
	if (workers !== fewest && workers !== most) {
		return [largest];
	}
	const growth = growthSizes(contacts).slice(0, -1);
	return [
		{ campaign: { contacts: Math.max(200, Math.round(contacts / 10)), executions: 1 } },
		...(workers === fewest ? growth : []).map((count) => ({ campaign: { contacts: count, executions: EXECUTIONS } })),
		largest,
		{ campaign: { contacts: Math.max(1000, Math.round(contacts * 0.3)), executions: EXECUTIONS, kill: true } },
		{ events: Math.min(1000, Math.max(100, Math.round(contacts / 50))) },
	];
}

/** About how long a step takes, in seconds, on two processors. */
function expected(step: Step): number {
	if ('events' in step) {
		return 20 + (7 * step.events) / 10;
	}
	const { contacts, executions, kill } = step.campaign;
	// The claims of a killed worker are looked up when they are old enough.
	return 30 + contacts / (executions === 1 ? 100 : 150) + (kill ? 130 : 0);
}

/** What an interrupted run has done. */
interface Progress {
	options: ScaleOptions;
	steps: number;
	result: ScaleResult;
}

/** @returns the steps that were done with the same options, or undefined */
function readProgress(file: string, options: ScaleOptions): Progress | undefined {
	if (!existsSync(file)) {
		return undefined;
	}
	const progress = JSON.parse(readFileSync(file, 'utf8')) as Progress;
	const sizeOf = (one: ScaleOptions) => JSON.stringify([one.contacts, one.workers]);
	return sizeOf(progress.options) === sizeOf(options) ? progress : undefined;
}

/** How long the processes take to start, in seconds. */
const START = 150;

/**
 * Measures the example of the large campaign in queue mode, and writes docs/scale.md after a run of the full size.
 * A smaller one writes its page beside the results in the cache folder.
 *
 * @param args of the command line
 */
export async function scale(args: string[], circumstances: Circumstances): Promise<void> {
	const options = scaleOptions(args);
	const isFull = JSON.stringify({ ...options, goOn: false }) === JSON.stringify(fullSize);
	const progressFile = join(folder, 'scale.json');
	const steps = options.workers.flatMap((workers) => stepsWith(workers, options).map((step) => ({ workers, step })));
	const earlier = options.goOn ? readProgress(progressFile, options) : undefined;
	const done = earlier?.steps ?? 0;
	let left = START + steps.slice(done).reduce((sum, { step }) => sum + expected(step), 0);
	console.log(`${steps.length - done} steps, about ${Math.ceil(left / 60)} minutes in all.`);
	const started = performance.now();
	const { contacts } = options;
	const result = earlier?.result ?? { ...circumstances, contacts, minutes: 0, campaigns: [], events: [] };
	const minutesBefore = result.minutes;
	const small = join(folder, 'scale');
	const [docs, results] = isFull ? [join(root, 'docs'), resultsFolder] : [small, small];
	const save = (file: string, text: string) => {
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text);
	};

	console.log('Building the package, installing it as n8n does, starting n8n with its databases …');
	const queueMode = await startQueueMode({
		speed: 1,
		options: ['--rate-limit', '1000000000'],
		workers: 0,
		waitsForDisk: true,
		// All modules, as n8n has them by default: they take memory. And its own times to notice a killed worker.
		env: { N8N_DISABLED_MODULES: '' },
	});
	try {
		let running = 0;
		for (const [index, { workers, step }] of steps.entries()) {
			if (index < done) {
				continue;
			}
			for (; running < workers; running++) {
				await queueMode.add('worker');
			}
			const minutes = Math.ceil(left / 60);
			console.log(`── Step ${index + 1} of ${steps.length}, about ${minutes} min left: ${describe(step, workers)} ──`);
			if ('events' in step) {
				const runs = await runEvents(queueMode, step.events, workers);
				result.events.push(...runs);
				for (const { webhooks, answered, executed } of runs) {
					console.log(
						`   ${webhooks} webhook: ${answered.toFixed(0)} answered, ${executed.toFixed(0)} executed per second`,
					);
				}
			} else {
				const run = await runCampaign(queueMode, step.campaign, workers);
				result.campaigns.push(run);
				const { rate: _rate, memory: _memory, ...shown } = run;
				console.log(`   ${JSON.stringify(shown)}`);
			}
			left -= expected(step);
			result.minutes = Math.round(10 * minutesBefore + (performance.now() - started) / 6000) / 10;
			// Saved after each step, for --continue.
			save(progressFile, JSON.stringify({ options, steps: index + 1, result } satisfies Progress));
		}
	} finally {
		await queueMode.stop();
	}
	const all = join(results, 'scale.json');
	save(all, `${JSON.stringify(result)}\n`);
	save(join(docs, 'scale.md'), scalePage(result));
	save(join(docs, 'images', 'scale.svg'), scalePlot(result));
	console.log(`${result.minutes} minutes. The page: ${join(docs, 'scale.md')}. All numbers: ${all}`);
}

function describe(step: Step, workers: number): string {
	const count = `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
	if ('events' in step) {
		return `${step.events} events in each round, ${count}`;
	}
	const { contacts, executions, kill } = step.campaign;
	return `${contacts} contacts, ${executions} at once, ${count}${kill ? ', one is killed' : ''}`;
}
