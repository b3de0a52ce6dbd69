import type { Step, Target } from '../job.mts';
import { Service, Worker } from '../lab.mts';
import { startListing } from '../listedCalls.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { ours } from '../senders.mts';

const rounds = 3;
/** Each size is measured at a quarter, too: so one sees how time and memory grow. */
const smaller = 4;

/** What is measured: a workflow of our node, and one that a user would have instead. */
interface Task {
	what: string;
	/** The whole size. */
	size: number;
	/** The input items of a size; by default one. */
	items?: (size: number) => number;
	/** How many calls the service lists; by default those of the sandbox. */
	listed?: (size: number) => number;
	own: (target: Target, size: number) => Step[];
	instead?: { what: string; steps: (target: Target) => Step[] };
}

const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const own = (name: string, parameters: Record<string, unknown>): Step => ({ name, type, parameters });
const check = ({ campaignId }: Target, options: Record<string, unknown>): Step =>
	own('Check', {
		resource: 'campaign',
		operation: 'checkBeforeCalling',
		campaign: byId(campaignId),
		options,
		phoneNumber: '={{ $json.to }}',
	});
const queue = (target: Target, options: Record<string, unknown>): Step => {
	const { parameters, ...step } = ours(target, 50);
	return { ...step, name: 'Queue', parameters: { ...parameters, options } };
};
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	paginationCompleteWhen: 'other',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	completeExpression: '={{ $response.body.data.length < 100 }}',
};
/** The HTTP Request node with pagination, as n8n's documentation describes it, and an item for each call. */
const allCalls = ({ url }: Target): Step[] => [
	{
		name: 'HTTP',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.3,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceAgentCallingApi',
			url: `${url}/api/v1/calls`,
			sendQuery: true,
			options: { pagination: { pagination } },
			queryParameters: { parameters: [{ name: 'per_page', value: '100' }] },
		},
	},
	{ name: 'Split', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'data', options: {} } },
];
const flow = (nodes: number) => ({
	initial_node_id: 'n0',
	nodes: Array.from({ length: nodes }, (_, at) =>
		at === nodes - 1
			? { id: `n${at}`, type: 'end' }
			: { id: `n${at}`, type: 'say', content: `Text ${at}`, next: `n${at + 1}` },
	),
});

const agentWith = (trainings: number) => ({
	schemaVersion: 1,
	settings: { name: 'Nora' },
	knowledge: {},
	voice: { language: 'en-US' },
	calling: {},
	conversation: {},
	actions: {},
	webhooks: {},
	trainings: Object.fromEntries(
		Array.from({ length: trainings }, (_, at) => {
			return [`t${at}`, { subject: `Subject ${at}`, instructions: 'From 9 to 17.', current_status: 'active' }];
		}),
	),
});

const tasks: Task[] = [
	{
		what: 'Call → Get Many, calls',
		size: 100_000,
		listed: (size) => size,
		own: () => [own('Get', { resource: 'call', operation: 'getAll', returnAll: true })],
		instead: { what: 'HTTP Request with pagination, Split Out', steps: allCalls },
	},
	{
		what: 'Check Before Calling, numbers',
		size: 10_000,
		items: (size) => size,
		own: (target) => [check(target, {})],
	},
	{
		what: 'Queue Call of 1,000 contacts with Blocked Numbers, numbers',
		size: 100_000,
		items: () => 1000,
		own: (target, size) => [
			queue(target, { blockedNumbers: `={{ Array.from({ length: ${size} }, (_, n) => '+49301' + (1000000 + n)) }}` }),
		],
		instead: { what: 'Queue Call without the option', steps: (target) => [queue(target, {})] },
	},
	{
		what: 'Check Before Calling of contacts with Frequency Cap, half as many calls',
		size: 100_000,
		items: (size) => size,
		listed: (size) => size / 2,
		own: (target) => [check(target, { frequencyCap: { values: { atMost: 1, days: 7 } } })],
		instead: { what: 'Check Before Calling without the option', steps: (target) => [check(target, {})] },
	},
	{
		what: 'Agent Flow → Validate, nodes',
		size: 4000,
		own: (_target, size) => [
			own('Validate', {
				resource: 'agentFlow',
				operation: 'validate',
				flowSource: 'json',
				flow: JSON.stringify(flow(size)),
			}),
		],
	},
	{
		what: 'Agent → Apply of a new agent, trainings',
		size: 80,
		own: (_target, size) => [
			own('Apply', {
				resource: 'agent',
				operation: 'apply',
				applyTo: 'agentByName',
				dryRun: false,
				document: JSON.stringify(agentWith(size)),
			}),
		],
	},
];

interface Used {
	seconds: number;
	megabytes: number;
}
/** The runs of each round, by contender and size. */
type Runs = Record<string, Used[]>;

/** Measures operations that read or check much. Each run is in a process of its own. */
export async function large(): Promise<RowResult> {
	const service = await Service.start();
	const runs: Runs[] = tasks.map(() => ({}));
	const use = async (task: Task, contender: 'own' | 'instead', size: number): Promise<Used> => {
		await service.reset();
		const listing = task.listed && (await startListing(service.target.url, task.listed(size)));
		const target = { ...service.target, ...(listing && { url: listing.url }) };
		const steps = contender === 'own' ? task.own(target, size) : (task.instead?.steps(target) ?? []);
		const job = { sender: { steps }, target, items: task.items?.(size) ?? 1 };
		// A look at the memory takes time: the times are those of another run.
		const { milliseconds } = await Worker.once(job);
		await service.reset();
		const { heapBytes = 0 } = await Worker.once({ ...job, memory: true });
		listing?.stop();
		return { seconds: milliseconds / 1000, megabytes: heapBytes / 1e6 };
	};
	try {
		for (let round = 1; round <= rounds; round++) {
			for (const [at, task] of tasks.entries()) {
				console.log(`   round ${round} of ${rounds}: ${task.what}`);
				for (const size of [task.size / smaller, task.size]) {
					for (const contender of ['own', ...(task.instead ? ['instead'] : [])] as const) {
						((runs[at]![`${contender} ${size}`] ??= []) as Used[]).push(await use(task, contender as 'own', size));
					}
				}
			}
		}
		return report(runs);
	} finally {
		await service.stop();
	}
}

function report(runs: Runs[]): RowResult {
	const seconds = (used: Used[] = []) => used.map((each) => each.seconds);
	const memory = (used: Used[]) => show(spread(used.map(({ megabytes }) => megabytes)), 0, ' MB');
	const shown = (used?: Used[]) => (used ? `${show(spread(seconds(used)), 2, ' s')}, ${memory(used)}` : '');
	const growth = (at: number) => {
		const { size } = tasks[at]!;
		return ratio(seconds(runs[at]![`own ${size}`]), seconds(runs[at]![`own ${size / smaller}`]));
	};
	return {
		title: '7. Much to read or to check',
		how: [
			`Time, and the most memory in use beyond that before the run, for a quarter and for the whole; medians of ${rounds} rounds. Where the service lists more calls than the sandbox keeps, a server before it lists them, 100 a page: Frequency Cap reads 500 pages of 50,000 calls. *Growth*: time for the whole / time for the quarter; what grows linearly has ${smaller} at most.`,
		],
		tables: [
			{
				columns: ['Operation', 'Size', 'Our node', 'Growth', 'Instead', 'Time and memory of that'],
				rows: tasks.flatMap(({ what, size, instead }, at) =>
					[size / smaller, size].map((of) => [
						what,
						of.toLocaleString('en'),
						shown(runs[at]![`own ${of}`]),
						of === size ? show(growth(at)) : '',
						instead?.what ?? '',
						shown(runs[at]![`instead ${of}`]),
					]),
				),
			},
		],
		targets: tasks.map(({ what }, at) => {
			const reached = `${show(growth(at))} times the time for ${smaller} times as many`;
			return atMost(`${what}: linear`, reached, growth(at).median, smaller * 1.15);
		}),
		raw: runs,
	};
}
