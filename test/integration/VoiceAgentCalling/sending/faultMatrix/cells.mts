import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { byId, type Service, until } from '../../../service.mts';
import { reportedResults } from '../reportedResults.mts';
import { type FaultRow, MAX_WAIT_SECONDS, type State } from './faults.mts';

export const ITEMS = 7;
export const positions = { first: 0, middle: 3, last: 6, all: undefined } as const;
export const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

export const operations = {
	'Call Place': { parameters: { resource: 'call', operation: 'place', agent: byId('={{ $json.who }}') }, calls: true },
	'Campaign Queue Call': {
		parameters: { resource: 'campaign', operation: 'queueCall', campaign: byId('={{ $json.who }}') },
		calls: true,
	},
	'A read': {
		parameters: { resource: 'service', operation: 'makeApiRequest', path: '=campaigns/{{ $json.who }}' },
		calls: false,
	},
} as const;

/** One run of the node: the operation, the fault and its position, and the node's settings. */
export interface Cell {
	operation: keyof typeof operations;
	row: FaultRow;
	position: keyof typeof positions;
	retry: boolean;
	onError: (typeof onErrors)[number];
}

const numbers = Array.from({ length: ITEMS }, (_, item) => `+1202555011${item}`);

/** The IDs of two agents or campaigns for each operation. The fault matches the path of the second one. */
export async function waysOf(service: Service): Promise<Record<Cell['operation'], [string, string]>> {
	const two = async (path: string, first: string): Promise<[string, string]> => {
		const list = (await service.api('GET', path)).body.data as Array<{ id: string }>;
		return [first, list.find(({ id }) => id !== first)?.id ?? ''];
	};
	const agents = await two('agents?status=published&direction=outbound', service.seed.agents.published);
	const campaigns = await two('campaigns?status=active', service.seed.campaigns.active);
	return { 'Call Place': agents, 'Campaign Queue Call': campaigns, 'A read': campaigns };
}

/** The result of a run. */
export interface Seen {
	/** The states that were reported for each item: exactly one if all is well. */
	states: State[][];
	/** What is wrong; empty if all is well. */
	wrong: string[];
}

/** Runs one cell against a fresh service of its own. */
export async function runCell(service: Service, cell: Cell, [plain, faulty]: [string, string]): Promise<Seen> {
	const { parameters, calls } = operations[cell.operation];
	const position = positions[cell.position];
	const items = numbers.map((to, item) => ({ to, who: position === undefined || position === item ? faulty : plain }));
	const end = `${cell.operation === 'Call Place' ? 'agents' : 'campaigns'}/${faulty}${calls ? '/call' : ''}`;
	const { times = 1 } = cell.row.fault;
	await service.fault({
		...cell.row.fault,
		times: position === undefined && times === 1 ? ITEMS : times,
		match: { path: `/api/v1/${end}` },
	});
	const { run, outputs } = await service.run(
		{
			...parameters,
			...(calls && { phoneNumber: '={{ $json.to }}' }),
			sending: {
				maxConcurrentRequests: 3,
				requestTimeout: cell.row.timeoutSeconds ?? 20,
				maxWait: MAX_WAIT_SECONDS,
			},
		},
		items,
		{ node: { onError: cell.onError, retryOnFail: cell.retry, maxTries: 3, waitBetweenTries: 1 } },
	);
	// Requests that n8n gave up may still be under way.
	const underWay = async () =>
		(await service.requests()).filter(({ status, fault }) => status === null && !fault?.startsWith('drop')).length;
	await until(async () => (await underWay()) === 0);

	const { states, wrong, shown } = run.error ? reportedBy(run.error) : reportedIn(outputs);
	if (calls) {
		wrong.push(...againstTheService(states, shown, await callsAt(service, cell.operation, [plain, faulty])));
	}
	for (const [item, json] of shown) {
		if (!calls && (json.data as IDataObject | undefined)?.id !== items[item]?.who) {
			wrong.push(`item ${item} has the campaign of another one`);
		}
	}
	if (cell.onError !== 'stopWorkflow' && run.error) {
		wrong.push(`the run ended in an error: ${run.error.message}`);
	}
	return { states, wrong };
}

interface Reported extends Seen {
	/** The outputs of the completed items. */
	shown: Array<[item: number, json: IDataObject]>;
}

const noStates = (): State[][] => Array.from({ length: ITEMS }, () => []);

/** What the error of the run reports. */
function reportedBy({ description }: Error & { description?: string | null }): Reported {
	const words = { done: 'done', unknown: 'unknown', failed: 'not done', notTried: 'not tried' } as const;
	const states = reportedResults(description ?? '', ITEMS).map((results) => results.map((result) => words[result]));
	return { states, wrong: [], shown: [] };
}

/** What the items of the outputs report. */
function reportedIn(outputs: INodeExecutionData[][]): Reported {
	const states = noStates();
	const wrong: string[] = [];
	const shown: Reported['shown'] = [];
	for (const output of outputs) {
		const links = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		if (links.some((item, index) => item < (links[index - 1] ?? 0))) {
			wrong.push(`out of order: ${String(links)}`);
		}
		for (const { json, pairedItem } of output) {
			const { item } = pairedItem as { item: number };
			states[item]?.push(stateOf(json));
			if (stateOf(json) === 'done') {
				shown.push([item, json]);
			}
		}
	}
	return { states, wrong, shown };
}

function stateOf({ result }: IDataObject): State {
	const states: Record<string, State> = {
		placed: 'done',
		queued: 'done',
		notTried: 'not tried',
		unknown: 'unknown',
		failed: 'not done',
	};
	return result === undefined ? 'done' : (states[String(result)] as State);
}

/** The calls at the service: the IDs for each item's number. */
async function callsAt(service: Service, operation: Cell['operation'], campaigns: string[]): Promise<string[][]> {
	const of = async (id: string) =>
		(await service.api('GET', `campaigns/${id}`)).body.data as { calls: Array<{ id: string; to: string }> };
	const calls =
		operation === 'Call Place'
			? await service.calls()
			: (await Promise.all(campaigns.map(of))).flatMap((campaign) => campaign.calls);
	return numbers.map((number) => calls.filter(({ to }) => to === number).map(({ id }) => id));
}

/** Compares the report with the calls at the service. */
function againstTheService(states: State[][], shown: Reported['shown'], calls: string[][]): string[] {
	const wrong: string[] = [];
	calls.forEach((ids, item) => {
		const [state] = states[item] ?? [];
		if (ids.length > 1) {
			wrong.push(`item ${item} was called ${ids.length} times`);
		}
		if (state === 'done' && ids.length === 0) {
			wrong.push(`item ${item} counts as done and has no call`);
		}
		if (ids.length > 0 && state !== 'done' && state !== 'unknown') {
			wrong.push(`item ${item} has a call and counts as ${String(state)}`);
		}
	});
	for (const [item, json] of shown) {
		if (!calls[item]?.includes(String(json.id))) {
			wrong.push(`item ${item} has the call of another one`);
		}
	}
	return wrong;
}

/** The states that an item may have. */
export function expected({ operation, row, position, retry, onError }: Cell, item: number): State[] {
	const stops = onError === 'stopWorkflow';
	const isHit = position === 'all' || positions[position] === item;
	const state = operations[operation].calls ? row.call : row.read;
	if (!isHit) {
		// Other items may be waiting for the same limit.
		const tooLong: State[] = row.name === '429, too long' ? ['not tried', 'not done'] : [];
		return ['done', ...(stops && state !== 'done' ? (['not tried'] as const) : []), ...tooLong];
	}
	if (state === 'done') {
		return ['done'];
	}
	// The next try does what was not done.
	const again: State[] = stops && retry && state === 'not done' ? ['done'] : [];
	const beside: State[] = position === 'all' && (stops || row.name === '429, too long') ? ['not tried'] : [];
	return [state, ...again, ...beside];
}
