import { make } from 'covertable';
import type { IDataObject } from 'n8n-workflow';

import { byId, type Fault, inFastTime, retried, type Service } from '../../service.mts';
import { ServicePool } from '../../servicePool.mts';
import { type Reported, reportedResults } from './reportedResults.mts';

const ITEMS = 7;
const TIMEOUT_SECONDS = 3;
const numbers = Array.from({ length: ITEMS }, (_, item) => `+1202555011${item}`);
const positions = { first: 0, middle: 3, last: 6, all: undefined } as const;
const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const operations = {
	'Call Place': { resource: 'call', operation: 'place', agent: byId('={{ $json.who }}') },
	'Campaign Queue Call': { resource: 'campaign', operation: 'queueCall', campaign: byId('={{ $json.who }}') },
	'A read': { resource: 'service', operation: 'makeApiRequest', path: '=campaigns/{{ $json.who }}' },
} as const;
type Operation = keyof typeof operations;

/** A fault, and what becomes of an item whose request meets it. */
interface Row {
	fault: Omit<Fault, 'match'>;
	/** Of a call, which is sent once. */
	call: Reported;
	/** Of a request that only reads, which may be sent again. */
	read: Reported;
}

const message = 'Too many requests.';
const nested = (retry_after: number) => ({ error: { code: 'RATE_LIMIT_EXCEEDED', message, details: { retry_after } } });
const refused = (more: Partial<Fault>): Row => ({
	fault: { kind: 'status', status: 429, times: 4, ...more },
	call: 'done',
	read: 'done',
});
const status = (code: number, read: Reported): Row => ({
	fault: { kind: 'status', status: code },
	call: 'unknown',
	read,
});
const TOO_LONG = '429, too long';
const IN_TIME = 'no answer in time';
const rows: Record<string, Row> = {
	'late answer': { fault: { kind: 'latency', ms: 150 }, call: 'done', read: 'done' },
	[IN_TIME]: { fault: { kind: 'latency', ms: TIMEOUT_SECONDS * 1000 + 300 }, call: 'unknown', read: 'failed' },
	'four 429, with a time': refused({ body: nested(1) }),
	'four 429, silent': refused({ body: { message } }),
	[TOO_LONG]: { ...refused({ body: nested(6000), times: 1 }), call: 'failed', read: 'failed' },
	'500': status(500, 'failed'),
	'503': status(503, 'done'),
	'cut before it acts': { fault: { kind: 'drop-before' }, call: 'unknown', read: 'done' },
	'cut after it acted': { fault: { kind: 'drop-after' }, call: 'unknown', read: 'done' },
	'malformed answer': { fault: { kind: 'malformed' }, call: 'unknown', read: 'failed' },
};

/** One run of the node: the operation, the fault and its position, and the node's settings. */
interface Cell {
	operation: Operation;
	fault: string;
	position: keyof typeof positions;
	retry: boolean;
	onError: (typeof onErrors)[number];
}
const settings = [false, true].flatMap((retry) => onErrors.map((onError) => ({ retry, onError })));

/** What is sent once, and what may be sent again. */
const kinds: Record<string, Operation[]> = {
	'A call': ['Call Place', 'Campaign Queue Call'],
	'A request that only reads': ['A read'],
};

/** For each kind, all pairs of an operation, a fault, a position and a setting. */
const cells: Cell[] = Object.values(kinds).flatMap((operation) =>
	make({ operation, fault: Object.keys(rows), position: Object.keys(positions), setting: Object.keys(settings) }).map(
		({ setting, ...cell }) => ({ ...cell, ...settings[Number(setting)] }) as Cell,
	),
);

/** The IDs of two agents or campaigns. The fault matches the path of the second one. */
async function waysOf(service: Service, operation: Operation): Promise<[string, string]> {
	const isAgent = operation === 'Call Place';
	const first = isAgent ? service.seed.agents.published : service.seed.campaigns.active;
	const path = isAgent ? 'agents?status=published&direction=outbound' : 'campaigns?status=active';
	const list = (await service.api('GET', path)).body.data as Array<{ id: string }>;
	return [first, list.find(({ id }) => id !== first)!.id];
}

/** Runs one cell against a service of its own. @returns what is wrong */
async function runCell(service: Service, cell: Cell): Promise<string[]> {
	const isCall = cell.operation !== 'A read';
	const [plain, faulty] = await waysOf(service, cell.operation);
	const position = positions[cell.position];
	const items = numbers.map((to, item) => ({ to, who: position === undefined || position === item ? faulty : plain }));
	const { fault } = rows[cell.fault]!;
	const { times = 1 } = fault;
	await service.fault({
		...fault,
		times: position === undefined && times === 1 ? ITEMS : times,
		match: {
			path: `/api/v1/${cell.operation === 'Call Place' ? 'agents' : 'campaigns'}/${faulty}${isCall ? '/call' : ''}`,
		},
	});
	const isLate = cell.fault === IN_TIME;
	const parameters = {
		...operations[cell.operation],
		...(isCall && { phoneNumber: '={{ $json.to }}', options: { missingVariables: 'ignore' } }),
		sending: {
			maxConcurrentRequests: isLate ? ITEMS : 3,
			requestTimeout: isLate ? TIMEOUT_SECONDS : 20,
			maxWait: 3000,
		},
	};
	const node = { ...retried, onError: cell.onError, retryOnFail: cell.retry };
	const { run, outputs } = await service.run(parameters, items, { node });
	await service.settled();

	const all = outputs.flat().map(({ json, pairedItem }) => ({ json, item: (pairedItem as { item: number }).item }));
	const { description = '' } = (run.error ?? {}) as { description?: string };
	const states = run.error
		? reportedResults(description, ITEMS)
		: numbers.map((_number, item) => all.filter((one) => one.item === item).map(({ json }) => stateOf(json)));
	const done = run.error ? [] : all.filter(({ json }) => stateOf(json) === 'done');
	const calls = isCall ? await callsAt(service, cell.operation, [plain, faulty]) : [];
	const wrong = states.flatMap((said, item) => {
		const [state = 'notTried'] = said;
		const fits = said.length === 1 && expected(cell, item).includes(state);
		const count = calls[item]?.length ?? 0;
		return [
			...(fits ? [] : [`item ${item} is reported as ${said.join() || 'nothing'}, not ${expected(cell, item).join()}`]),
			...(count > 1 ? [`item ${item} was called ${count} times`] : []),
			...(isCall && state === 'done' && count === 0 ? [`item ${item} counts as done and has no call`] : []),
			...(count > 0 && state !== 'done' && state !== 'unknown' ? [`item ${item} has a call and is ${state}`] : []),
		];
	});
	const own = ({ json, item }: (typeof done)[number]) =>
		isCall ? calls[item]?.includes(String(json.id)) : (json.data as IDataObject | undefined)?.id === items[item]?.who;
	const isInOrder = outputs.every((output) => {
		const links = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		return links.every((item, index) => item > (links[index - 1] ?? -1));
	});
	return [
		...wrong,
		...done.filter((one) => !own(one)).map(({ item }) => `item ${item} has the result of another one`),
		...(isInOrder ? [] : ['the items are out of order']),
		...(cell.onError !== 'stopWorkflow' && run.error ? [`the run ended in an error: ${run.error.message}`] : []),
	];
}

function stateOf({ result }: IDataObject): Reported {
	const isDone = result === undefined || result === 'placed' || result === 'queued';
	return isDone ? 'done' : (String(result) as Reported);
}

/** The calls at the service: the IDs for each item's number. */
async function callsAt(service: Service, operation: Operation, campaigns: string[]): Promise<string[][]> {
	const of = async (id: string) =>
		(await service.api('GET', `campaigns/${id}`)).body.data as { calls: Array<{ id: string; to: string }> };
	const calls =
		operation === 'Call Place'
			? await service.calls()
			: (await Promise.all(campaigns.map(of))).flatMap((campaign) => campaign.calls);
	return numbers.map((number) => calls.filter(({ to }) => to === number).map(({ id }) => id));
}

/** What an item may be reported as. */
function expected({ operation, fault, position, retry, onError }: Cell, item: number): Reported[] {
	const stops = onError === 'stopWorkflow';
	const state = rows[fault]![operation === 'A read' ? 'read' : 'call'];
	if (position !== 'all' && positions[position] !== item) {
		// Other items may be waiting for the same limit.
		const tooLong: Reported[] = fault === TOO_LONG ? ['notTried', 'failed'] : [];
		return ['done', ...(stops && state !== 'done' ? (['notTried'] as const) : []), ...tooLong];
	}
	if (state === 'done') {
		return ['done'];
	}
	// The next try does what was not done.
	const again: Reported[] = stops && retry && state === 'failed' ? ['done'] : [];
	const beside: Reported[] = position === 'all' && (stops || fault === TOO_LONG) ? ['notTried'] : [];
	return [state, ...again, ...beside];
}

const wrong = new Map<Cell, string[]>();

beforeAll(async () => {
	const pool = new ServicePool(24, { rateLimit: 1_000_000 });
	const play = async (some: Cell[]) =>
		await Promise.all(
			some.map((cell) => pool.use(async (service) => void wrong.set(cell, await runCell(service, cell)))),
		);
	await inFastTime(async () => {
		await play(cells.filter(({ fault }) => fault === IN_TIME));
		await play(cells.filter(({ fault }) => fault !== IN_TIME));
	});
}, 900_000);

test.each(Object.entries(kinds))(
	'%s: whatever happens to it, each item is reported once and correctly, no number is called twice, and none is lost',
	(_kind, its) => {
		const own = [...wrong].filter(([{ operation }]) => its.includes(operation));
		expect(own.length).toBeGreaterThanOrEqual(60);
		expect(own.filter(([, problems]) => problems.length > 0)).toEqual([]);
	},
);
