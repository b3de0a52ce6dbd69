import { until } from '../../../scripts/lib/waiting.mts';
import { tableRows } from '../../e2e/example.mts';
import type { Instance } from '../../e2e/instance.mts';
import { importLargeCampaign, type LedgerChoices, type Row } from '../../e2e/ledger.mts';
import type { QueueMode } from '../../e2e/queueMode.mts';
import { type MemoryOverTime, Watch } from './memoryOverTime.mts';
import { duration, type Point, perSecond, type Recovery, rateOverTime, recovery } from './timeline.mts';

/** One campaign through the example's ledger. */
export interface CampaignJob {
	contacts: number;
	/** How many executions work on the ledger at once. */
	executions: number;
	/** Whether the worker with the most work is killed on the way. */
	kill?: boolean;
}

/** What was measured in one campaign. Times are in seconds. */
export interface CampaignRun extends CampaignJob {
	workers: number;
	batchSize: number;
	/** Until the ledger is filled. */
	fill: number;
	/** From the first call to the last. */
	send: number;
	/** Calls per second from the first to the last. */
	perSecond: number;
	/** Calls per second over time. */
	rate: Point[];
	/** How many executions had a contact. */
	claimed: number;
	/** The ledger in n8n's database, in bytes. */
	ledgerBytes: number;
	/** The campaign with all its calls, which is read after a kill. */
	list: { seconds: number; bytes: number };
	memory: MemoryOverTime;
	killed?: Killed;
}

/** The cost of a killed worker. */
export interface Killed extends Recovery {
	/** Seconds until the worker ran again, which was started at once. */
	restart: number;
	/** How many contacts its executions had claimed and not written down. */
	cutOff: number;
	/** How many of them the service had as calls. */
	found: number;
}

/** The answers of the service take so many milliseconds. */
export const LATENCY = 20;

/** Longer than any run, in seconds: queued calls stay queued, and the sandbox does no other work. */
const CALL_DELAY = 86_400;

/** How long an execution begins new batches, in seconds, and all that follows from it. */
function pace({ contacts, executions }: CampaignJob) {
	const begins = Math.min(60, Math.max(8, Math.round(contacts / 1500)));
	// That of the example, or a smaller one for at least ten batches.
	const batchSize = [500, 100].find((size) => contacts / size >= 10) ?? 20;
	return {
		batchSize,
		everySeconds: Math.max(1, Math.round(begins / executions)),
		timeoutSeconds: begins + 30,
		settings: { batchSize, minutesPerRun: begins / 60, claimMinutes: (begins + 40) / 60 },
	} satisfies Partial<LedgerChoices> & { batchSize: number };
}

/** For one execution that does everything. */
const alone = { everySeconds: 10, timeoutSeconds: 3600, settings: { minutesPerRun: 50, claimMinutes: 70 } };

/**
 * Queues a campaign of many contacts by the example, as a user has it in queue mode.
 *
 * @throws Error if somebody was called twice or forgotten
 */
export async function runCampaign(queueMode: QueueMode, job: CampaignJob, workers: number): Promise<CampaignRun> {
	const { n8n } = queueMode;
	const { contacts, executions } = job;
	const { campaignId } = n8n.sandbox;
	await resetService(n8n);
	const { batchSize, ...chosen } = pace(job);
	const choices = executions === 1 ? { ...alone, settings: { ...alone.settings, batchSize } } : chosen;
	const table = `Ledger ${Date.now()}`;
	const id = await importLargeCampaign(n8n, { campaignId, table, ...choices, contactsCode: contactsCode(contacts) });

	const watch = new Watch(() => [...queueMode.processes, { name: 'Sandbox', pid: n8n.sandbox.process.pid }], 2);
	try {
		let started = performance.now();
		const seconds = () => (performance.now() - started) / 1000;
		await n8n.editor.run(id, 'Fill the Ledger');
		await rowsIn(n8n, table, 'waiting', contacts, { seconds: 600, every: 200 });
		const fill = seconds();
		await idle(n8n, id);

		await n8n.editor.publish(id);
		const limit = 600 + contacts / 20;
		let kill: KillRecord | undefined;
		if (executions === 1) {
			await calls(n8n, 1, 60);
			await n8n.unpublish(id);
		} else if (job.kill) {
			await calls(n8n, contacts * 0.4, limit);
			kill = await killBusiest(queueMode, watch, table);
		}
		await calls(n8n, contacts, limit);
		await rowsIn(n8n, table, 'queued', contacts, { seconds: 600, every: 1000 });
		if (executions > 1) {
			await n8n.unpublish(id);
		}
		await idle(n8n, id);

		started = performance.now();
		const list = await callsOf(n8n);
		const listSeconds = seconds();
		const rows = await tableRows<StoredRow>(n8n, table);
		await verify(n8n, contacts, rows, list.calls);
		const times = list.calls.map(({ created_at }) => Date.parse(created_at));
		const ledgerBytes = await removeTable(n8n, table);
		return {
			...job,
			workers,
			batchSize,
			fill,
			send: duration(times),
			perSecond: perSecond(times),
			rate: rateOverTime(times, Math.max(2, Math.round(duration(times) / 60))),
			claimed: new Set(rows.map(({ execution }) => execution)).size,
			ledgerBytes,
			list: { seconds: listSeconds, bytes: list.bytes },
			memory: watch.stop(),
			...(kill && { killed: { ...recovery(times, kill.at), ...cost(kill, rows) } }),
		};
	} finally {
		watch.stop();
	}
}

/** Numbers that the North American plan allows, each with an ID and a name. */
function contactsCode(count: number): string {
	return `return Array.from({ length: ${count} }, (_, index) => ({ json: { contact: 'c-' + index, name: 'Contact ' + index, number: '+1202' + (5_000_000 + index) } }));`;
}

interface StoredRow extends Row {
	id: number;
}

interface CampaignCall {
	to: string;
	created_at: string;
}

/** Removes all calls and webhooks, and places none of the calls that follow. */
export async function resetService({ service, sandbox }: Instance): Promise<void> {
	await service.post('/_sandbox/reset', {});
	await service.put(`/api/v1/campaigns/${sandbox.campaignId}`, { initial_call_delay: CALL_DELAY });
	const match = { method: 'POST', path: `/api/v1/campaigns/${sandbox.campaignId}/call` };
	await service.post('/_sandbox/faults', { match, kind: 'latency', ms: LATENCY, times: 1_000_000 });
}

/** Waits until the campaign has so many calls. */
async function calls({ service, sandbox }: Instance, count: number, seconds: number): Promise<void> {
	let total = 0;
	let shown = Date.now();
	const ask = async () => {
		const { data } = await service.get('/api/v1/campaigns', { params: { status: 'active' } });
		total = data.data.find(({ id }: { id: string }) => id === sandbox.campaignId).stats.total_calls;
		if (Date.now() - shown > 15_000) {
			shown = Date.now();
			console.log(`      ${total} calls`);
		}
		return total >= count || undefined;
	};
	await until(ask, { seconds, every: 1000, otherwise: () => new Error(`${total} calls, not ${count}`) });
}

/** Returns the campaign with all its calls, as the example reads it after a kill. */
async function callsOf({ sandbox }: Instance): Promise<{ calls: CampaignCall[]; bytes: number }> {
	const { url, token, campaignId } = sandbox;
	const response = await fetch(`${url}/api/v1/campaigns/${campaignId}`, {
		headers: { authorization: `Bearer ${token}` },
	});
	const text = await response.text();
	const { data } = JSON.parse(text) as { data: { calls: CampaignCall[] } };
	return { calls: data.calls, bytes: Buffer.byteLength(text) };
}

interface StoredTable {
	id: string;
	name: string;
	projectId: string;
}

async function tableNamed({ editor }: Instance, table: string): Promise<StoredTable | undefined> {
	const { data } = await editor.request<{ data: StoredTable[] }>('GET', '/rest/data-tables-global');
	return data.find(({ name }) => name === table);
}

/** Returns how many rows of a table are in a state, and the first of them. */
async function rowsInState(n8n: Instance, table: string, state: string, take: number, skip = 0) {
	const found = await tableNamed(n8n, table);
	if (!found) {
		return { count: 0, data: [] };
	}
	const filter = JSON.stringify({ type: 'and', filters: [{ columnName: 'state', condition: 'eq', value: state }] });
	const query = new URLSearchParams({ filter, take: String(take), skip: String(skip), sortBy: 'id:asc' });
	const path = `/rest/projects/${found.projectId}/data-tables/${found.id}/rows?${query}`;
	return await n8n.editor.request<{ count: number; data: StoredRow[] }>('GET', path);
}

async function rowsIn(
	n8n: Instance,
	table: string,
	state: string,
	wanted: number,
	time: { seconds: number; every: number },
): Promise<void> {
	let count = 0;
	const ask = async () => {
		({ count } = await rowsInState(n8n, table, state, 1));
		return count === wanted || undefined;
	};
	await until(ask, { ...time, otherwise: () => new Error(`${count} of ${wanted} contacts are ${state}`) });
}

/** Waits until no execution of a workflow is running or queued. */
async function idle({ editor }: Instance, workflowId: string): Promise<void> {
	let running = 0;
	const ask = async () => {
		running = (await editor.executions(workflowId)).filter(({ status }) => ['new', 'running'].includes(status)).length;
		return running === 0 || undefined;
	};
	await until(ask, { seconds: 300, every: 500, otherwise: () => new Error(`${running} executions do not end`) });
}

/** @returns the bytes that n8n counted for it */
async function removeTable(n8n: Instance, table: string): Promise<number> {
	const { id, projectId } = (await tableNamed(n8n, table))!;
	interface Sizes {
		dataTables: Record<string, { sizeBytes: number }>;
	}
	const { dataTables } = await n8n.editor.request<Sizes>('GET', '/rest/data-tables-global/limits');
	await n8n.editor.request('DELETE', `/rest/projects/${projectId}/data-tables/${id}`);
	return dataTables[id]?.sizeBytes ?? 0;
}

interface KillRecord {
	at: number;
	restart: number;
	/** The contacts that were claimed at that moment, by ID, each with the execution that had claimed it. */
	claims: Map<number, string>;
}

/** Kills the worker that works most and starts it again, as a process manager would. */
async function killBusiest(queueMode: QueueMode, watch: Watch, table: string): Promise<KillRecord> {
	const { n8n } = queueMode;
	const before = watch.processorTime();
	await new Promise((resolve) => setTimeout(resolve, 3000));
	const used = Object.entries(watch.processorTime())
		.filter(([name]) => name.startsWith('Worker'))
		.map(([, ticks], index) => ({ index, ticks: ticks - before[`Worker ${index + 1}`]! }))
		.sort((left, right) => right.ticks - left.ticks);
	const { index } = used[0]!;
	const at = Date.now();
	console.log(`      worker ${index + 1} is killed`);
	await queueMode.kill('worker', index);
	const claims = new Map<number, string>();
	let page: StoredRow[];
	let skip = 0;
	do {
		({ data: page } = await rowsInState(n8n, table, 'sending', 250, skip));
		skip += page.length;
		for (const { id, execution } of page) {
			claims.set(id, execution);
		}
	} while (page.length > 0);
	await queueMode.startAgain('worker', index);
	return { at, restart: (Date.now() - at) / 1000, claims };
}

/** What became of the contacts that were claimed when the worker was killed. */
function cost({ restart, claims }: KillRecord, rows: readonly StoredRow[]): Omit<Killed, keyof Recovery> {
	// The other executions write down what they have claimed; what was cut off is claimed by another one later.
	const cutOff = rows.filter(({ id, execution }) => claims.has(id) && claims.get(id) !== execution);
	const found = cutOff.filter(({ message }) => message.startsWith('Cut off')).length;
	return { restart, cutOff: cutOff.length, found };
}

/** @throws Error if somebody was called twice or forgotten */
async function verify(
	{ service }: Instance,
	contacts: number,
	rows: readonly Row[],
	campaignCalls: readonly CampaignCall[],
): Promise<void> {
	// The sandbox refuses a second call to a number that has one in the queue. None may have come as far as that.
	const refused = await service.get('/_sandbox/requests', { params: { method: 'POST', status: '4xx', limit: 1 } });
	const calledNumbers = campaignCalls.map(({ to }) => to);
	const wrong = whatIsWrong({ contacts, rows, calledNumbers, refused: refused.data.total });
	if (wrong.length > 0) {
		throw new Error(`Somebody was called twice or forgotten: ${wrong.join('; ')}`);
	}
}

/** The end of a campaign: the ledger, the calls that the service has, and how many requests it refused. */
interface Ending {
	contacts: number;
	rows: ReadonlyArray<Pick<Row, 'number' | 'state' | 'message'>>;
	calledNumbers: readonly string[];
	refused: number;
}

/** Returns what is not as it must be: each contact has one row, which is queued, and one call, without a second try. */
export function whatIsWrong({ contacts, rows, calledNumbers, refused }: Ending): string[] {
	const numbers = new Set(rows.map(({ number }) => number));
	const called = new Set(calledNumbers);
	const counts: Array<[count: number, wanted: number, what: string]> = [
		[rows.length, contacts, 'rows'],
		[numbers.size, contacts, 'numbers in the ledger'],
		[rows.filter(({ state }) => state === 'queued').length, contacts, 'rows that are queued'],
		[calledNumbers.length, contacts, 'calls'],
		[called.size, contacts, 'numbers with a call'],
		[[...numbers].filter((number) => !called.has(number)).length, 0, 'forgotten'],
		[refused, 0, 'requests refused'],
		[rows.filter(({ message }) => message.includes('had a call to this number already')).length, 0, 'sent twice'],
	];
	return counts
		.filter(([count, wanted]) => count !== wanted)
		.map(([count, wanted, what]) => `${count} ${what}, not ${wanted}`);
}
