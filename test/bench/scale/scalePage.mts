import { show, spread } from '../numbers.mts';
import { table } from '../page.mts';
import { type Chart, type Series, svg } from '../plot.mts';
import { type CampaignRun, LATENCY } from './campaign.mts';
import { EVENTS_PER_CALL, estimate } from './estimate.mts';
import { CONNECTIONS } from './events.mts';
import { peaks } from './memoryOverTime.mts';
import { fullSize } from './scaleOptions.mts';
import type { ScaleResult } from './scaleResult.mts';
import { WINDOW } from './timeline.mts';

const count = (value: number) => Math.round(value).toLocaleString('en-US');
const several = (value: number, one: string) => `${count(value)} ${one}${value === 1 ? '' : 's'}`;
const megabytes = (bytes: number) => `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : count(bytes / 1e6)} MB`;
/** Two digits that matter: 1.7, 17, 170. */
const brief = (value: number) => (value < 10 ? value.toFixed(1) : count(value));

/** Returns docs/scale.md. */
export function scalePage(result: ScaleResult): string {
	const { machine, versions, date, contacts, minutes, campaigns, events } = result;
	const usual = campaigns.filter(({ kill }) => !kill);
	const largest = usual.filter((run) => run.contacts === contacts && run.executions > 1);
	const growth = usual.filter(({ workers, executions }) => workers === usual[0]!.workers && executions > 1);
	const single = usual.filter(({ executions }) => executions === 1);
	const kills = campaigns.filter(({ kill }) => kill);
	return `${[
		'# Scale',
		`\`npm run bench -- scale\` measures this and writes this page and its picture from [scale.json](../test/bench/results/scale.json), which has all numbers.${contacts === fullSize.contacts ? '' : ` This page is of a **small run with ${count(contacts)} contacts**: a whole one has ${count(fullSize.contacts)}.`}`,
		`Measured on ${date} in ${count(minutes)} minutes. ${machine}. ${versions}.`,
		`The example of [the large campaign](large-campaign.md) runs in n8n’s queue mode: PostgreSQL, Redis, a main process, two webhook processes and ${several(Math.max(...largest.map(({ workers }) => workers)), 'worker')} at most, with n8n’s default settings. **All of them, and the [sandbox](sandbox.md) too, share the processors of one machine**, so more workers help only until these are busy; on machines of their own they have more. The sandbox answers each call after ${LATENCY} ms and has no rate limit.`,
		'After each campaign, the program compares the ledger with the calls of the service and fails unless each contact has one call, no request was refused, and no row is left.',
		'![Calls queued per second and memory over time](images/scale.svg)',
		'## Contacts per second',
		`Several executions share the ledger: an execution starts every so often and works longer than that, so that ${several(largest[0]!.executions, 'execution')} run at a time. *Executions with contacts*: how many of those that were started had claimed a batch.`,
		table({
			columns: [
				'Contacts',
				'Workers',
				'Executions at once',
				'Contacts per second',
				'Fill',
				'Send',
				'Executions with contacts',
			],
			rows: [...single, ...largest].map((run) => [
				count(run.contacts),
				String(run.workers),
				String(run.executions),
				`**${brief(run.perSecond)}**`,
				`${count(run.fill)} s`,
				`${count(run.send)} s`,
				String(run.claimed),
			]),
		}),
		...oneExecution(single, largest),
		'## Memory',
		'The most memory of each process in MB, with the task runner that it has started, in the campaign of the largest size. Memory that several processes share, as those of PostgreSQL do, counts once. The main process fills the ledger, and has all contacts in memory then.',
		memoryTable(largest),
		'## A killed worker',
		`When 40 % are queued, the worker that works most is killed (SIGKILL) and started again at once. *Cut off*: contacts that its executions had claimed. They are looked up when the claim is older than *claimMinutes* of the example. Rates are those of ${WINDOW} seconds.`,
		table({
			columns: [
				'Workers',
				'Contacts',
				'Per second before',
				'Lowest after',
				'90 % of before after',
				'Worker runs again after',
				'Cut off',
				'of them were queued',
				'Called twice',
				'Forgotten',
			],
			rows: kills.map(({ workers, contacts: all, killed }) => [
				String(workers),
				count(all),
				brief(killed!.before),
				Number.isFinite(killed!.lowest) ? brief(killed!.lowest) : 'not known',
				killed!.backAfter === null ? 'not before the end' : `${count(killed!.backAfter)} s`,
				`${count(killed!.restart)} s`,
				count(killed!.cutOff),
				count(killed!.found),
				// The run fails otherwise.
				'0',
				'0',
			]),
		}),
		'## Events',
		`Signed deliveries to the trigger over ${CONNECTIONS} connections, which a load balancer gives to one webhook process or to two in turn. *Answered*: n8n has verified and stored the event. *Executed*: until the last execution has ended in a worker; the workflow has only the trigger. Medians of three rounds, with the lowest and the highest.`,
		eventsTable(events),
		`## From ${count(growth[0]!.contacts)} to ${count(contacts)} contacts`,
		`With ${several(growth[0]!.workers, 'worker')}. *Batch*: contacts that are claimed together. *Ledger*: what n8n counts for the data table. *List*: the campaign with all its calls, which the example reads after a kill.`,
		table({
			columns: [
				'Contacts',
				'Batch',
				'Fill, for a contact',
				'Send, for a contact',
				'Memory of a worker',
				'of main',
				'of PostgreSQL',
				'Ledger',
				'List',
			],
			rows: growth.map((run) => {
				const most = peaks(run.memory);
				return [
					count(run.contacts),
					count(run.batchSize),
					`${((1000 * run.fill) / run.contacts).toFixed(2)} ms`,
					`${(1000 / run.perSecond).toFixed(1)} ms`,
					...['Worker 1', 'Main', 'PostgreSQL'].map((name) => `${count(most[name]!)} MB`),
					megabytes(run.ledgerBytes),
					`${megabytes(run.list.bytes)} in ${run.list.seconds.toFixed(1)} s`,
				];
			}),
		}),
		'## Limits of n8n',
		limits,
		'## A million contacts per day',
		...million(result),
	].join('\n\n')}\n`;
}

/** Says whether several executions are faster than one, by the measurement. */
function oneExecution(single: readonly CampaignRun[], largest: readonly CampaignRun[]): string[] {
	const [few, many] = [single[0], single.at(-1)];
	const most = largest.at(-1);
	if (!few || !many || !most) {
		return [];
	}
	const workers =
		many.workers > few.workers
			? ` With ${several(many.workers, 'worker')} it takes ${brief(many.perSecond)} contacts per second, with ${several(few.workers, 'worker')} ${brief(few.perSecond)}.`
			: '';
	const best = largest.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
	const took = ({ perSecond, workers }: CampaignRun) =>
		`${brief(perSecond)} contacts per second with ${several(workers, 'worker')}`;
	const reached =
		best.perSecond > few.perSecond
			? `Here they took ${took(best)}, ${(best.perSecond / few.perSecond).toFixed(1)} times one execution`
			: `On this machine that made nothing faster: they took ${largest.map(took).join(', ')}, and one execution alone ${brief(few.perSecond)}`;
	return [
		`**One execution runs in one worker.**${workers} As the example is delivered (every five minutes, *minutesPerRun* 4), it never has two executions at once, so more workers do not make it faster.`,
		`**Several executions share the ledger safely**, because each batch is claimed in one step of the database. To have ${most.executions} at once, let the workflow start more often than *minutesPerRun*: every minute with *minutesPerRun* ${most.executions}. Nothing else changes; *Timeout Workflow* and *claimMinutes* stay longer than that. ${reached}. If two executions choose the same batch, one gets it and the other ends; the next start replaces it. A rate limit of the service counts for all of them together.`,
	];
}

function memoryTable(largest: readonly CampaignRun[]): string {
	const kindOf = (name: string) => name.replace(/ \d+$/, '');
	const seen = [...new Set(largest.flatMap(({ memory }) => Object.keys(memory)))];
	const kinds = [...new Set(seen.map(kindOf))];
	const names = kinds.flatMap((kind) => seen.filter((name) => kindOf(name) === kind));
	return table({
		columns: ['Process', ...largest.map(({ workers }) => several(workers, 'worker'))],
		rows: names.map((name) => [
			name,
			...largest.map(({ memory }) => (memory[name] ? count(peaks(memory)[name]!) : '')),
		]),
	});
}

function eventsTable(events: ScaleResult['events']): string {
	const kinds = [...new Set(events.map(({ workers, webhooks }) => `${workers} ${webhooks}`))];
	return table({
		columns: ['Workers', 'Webhook processes', 'Answered per second', 'Latency: p95', 'Executed per second'],
		rows: kinds.map((kind) => {
			const runs = events.filter(({ workers, webhooks }) => `${workers} ${webhooks}` === kind);
			const of = (name: 'answered' | 'p95' | 'executed') => spread(runs.map((run) => run[name]));
			return [...kind.split(' '), show(of('answered'), 0), show(of('p95'), 0, ' ms'), show(of('executed'), 0)];
		}),
	});
}

/** Defaults as in the settings of n8n 2.41.1 (@n8n/config), and the limits of the service. */
const limits = table({
	columns: ['What', 'Limit', 'Change it with'],
	rows: [
		['All [data tables](https://docs.n8n.io/data/data-tables/) together', '200 MB', '`N8N_DATA_TABLES_MAX_SIZE_BYTES`'],
		[
			'Executions that a [worker](https://docs.n8n.io/hosting/scaling/queue-mode/) runs at a time',
			'10',
			'`n8n worker --concurrency`, not below 5',
		],
		['Connections of each process to PostgreSQL', '2', '`DB_POSTGRESDB_POOL_SIZE`'],
		[
			'Executions that n8n keeps',
			'10,000, for 14 days',
			'`EXECUTIONS_DATA_PRUNE_MAX_COUNT`, `EXECUTIONS_DATA_MAX_AGE`',
		],
		['One task of a Code node', '300 s, 1 GB', '`N8N_RUNNERS_TASK_TIMEOUT`, `N8N_RUNNERS_MAX_PAYLOAD`'],
		['Starts of a schedule', 'by the one main process', 'several main processes need an n8n license'],
		['Requests of a token to the service', '100 or 1,000 per minute', 'the plan of the service'],
	],
});

const MILLION = 1_000_000;

function million(result: ScaleResult): string[] {
	const estimates = [24, 12, 8].map((hours) => estimate(result, MILLION, hours));
	const [whole] = estimates;
	return [
		'Computed from the numbers above, and not measured:',
		table({
			columns: [
				'Hours per day',
				'Calls to queue per second',
				'Measured / needed',
				'Requests per minute',
				'Events per second',
				'Measured / needed',
			],
			rows: estimates.map(({ hours, queued, queueReserve, requestsPerMinute, events, eventReserve }) => [
				String(hours),
				queued.toFixed(1),
				`**${brief(queueReserve)}**`,
				count(requestsPerMinute),
				brief(events),
				`**${brief(eventReserve)}**`,
			]),
		}),
		[
			`- **The rate limit of the service comes first.** At 1,000 requests per minute, a million calls take ${(MILLION / 1000 / 60).toFixed(1)} hours, whatever n8n can do. In fewer hours, you need a higher limit, or several environments, each with its own token and its own ledger.`,
			`- **Ledger**: ${megabytes(whole!.ledgerBytes)} for a million rows. n8n’s limit for all data tables is 200 MB, so ${whole!.ledgerBytes > 200e6 ? 'raise `N8N_DATA_TABLES_MAX_SIZE_BYTES`, or use several ledgers and delete those that are done' : 'it is enough for a day; delete ledgers that are done'}.`,
			`- **Campaigns of ${count(result.contacts)} contacts at most**, the size that was measured. After a kill, the example reads the campaign with all its calls: ${megabytes(whole!.listBytes)} if a million are in one.`,
			`- **Events**: ${EVENTS_PER_CALL} for each call. ${processors(result.machine, whole!.eventReserve)}What the workflow does with them comes on top: it is workers that you add for it, on machines of their own.`,
		].join('\n'),
		`Assumptions: everything grows with the number of contacts, as it does from ${count(Math.min(...result.campaigns.map(({ contacts }) => contacts)))} to ${count(result.contacts)}; the work is spread evenly over the hours; the service answers after ${LATENCY} ms; the machine is the one above.`,
	];
}

/** Says how many processors the events of a day need, if those of the machine are too few. */
function processors(machine: string, reserve: number): string {
	const present = Number.parseInt(machine, 10);
	return reserve < 1
		? `This machine with its ${present} processors is too small for them, even within 24 hours. If the rate grows with the processors, which was not measured, all processes together need about ${Math.ceil(present / reserve)}. `
		: '';
}

/** Draws docs/images/scale.svg. */
export function scalePlot({ campaigns, contacts }: ScaleResult): string {
	const largest = campaigns.filter((run) => run.contacts === contacts && run.executions > 1 && !run.kill);
	const most = largest.at(-1)!;
	const rates: Chart = {
		title: `Calls queued per second, ${count(contacts)} contacts`,
		x: 'Seconds since the first call',
		y: 'Calls per second',
		series: largest.map(({ workers, rate }) => ({ name: several(workers, 'worker'), points: rate })),
	};
	const memory: Chart = {
		title: `Memory with ${several(most.workers, 'worker')}`,
		x: 'Seconds since the ledger was created',
		y: 'MB',
		series: memorySeries(most),
	};
	return svg([rates, memory]);
}

/** One line for the largest of the workers, and one for the larger of the webhook processes. */
function memorySeries({ memory }: CampaignRun): Series[] {
	const most = peaks(memory);
	const shown = new Map<string, string>();
	for (const name of Object.keys(memory)) {
		const kind = /^(Worker|Webhook process)/.exec(name)?.[0] ?? name;
		const other = shown.get(kind);
		if (other === undefined || most[name]! > most[other]!) {
			shown.set(kind, name);
		}
	}
	return [...shown].map(([kind, name]) => ({ name: kind, points: memory[name]! }));
}
