import { until } from '../../../scripts/lib/waiting.mts';
import type { Instance } from '../../e2e/instance.mts';
import type { QueueMode } from '../../e2e/queueMode.mts';
import { deliver, ownReceiver, type Receiver } from '../deliveries.mts';
import { resetService } from './campaign.mts';

/** How events passed through n8n. */
export interface EventsRun {
	workers: number;
	/** How many webhook processes received them. */
	webhooks: number;
	/** Deliveries that were answered per second. */
	answered: number;
	/** Executions that ended per second, from the first delivery to the end of the last execution. */
	executed: number;
	/** The latency of an answer in milliseconds, at the 95th percentile. */
	p95: number;
}

/** On so many connections, each with one delivery at a time. */
export const CONNECTIONS = 10;
const ROUNDS = 3;

/**
 * Sends signed deliveries to the trigger, with one webhook process and with two in turn.
 *
 * @param amount deliveries in a round
 */
export async function runEvents(queueMode: QueueMode, amount: number, workers: number): Promise<EventsRun[]> {
	const { n8n } = queueMode;
	await resetService(n8n);
	const workflowId = await createWorkflow(n8n);
	const receiver = await publish(n8n, workflowId);
	const runs: EventsRun[] = [];
	// The first round warms up.
	for (let round = 0; round <= ROUNDS; round++) {
		for (const webhooks of [1, 2]) {
			queueMode.deliverTo(webhooks);
			const started = performance.now();
			const { perSecond, p95 } = await deliver(receiver, {
				connections: CONNECTIONS,
				amount: round === 0 ? Math.ceil(amount / 4) : amount,
			});
			await allOver(n8n, workflowId);
			const executed = (amount * 1000) / (performance.now() - started);
			if (round > 0) {
				runs.push({ workers, webhooks, answered: perSecond, executed, p95 });
			}
		}
	}
	await n8n.unpublish(workflowId);
	return runs;
}

/** The trigger alone. Successful executions are not saved, so that n8n's list of executions stays short. */
async function createWorkflow(n8n: Instance): Promise<string> {
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'Events',
		nodes: [n8n.trigger(n8n.sandbox.campaignId)],
		connections: {},
		settings: { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'all' },
	});
	return id;
}

async function publish(n8n: Instance, workflowId: string): Promise<Receiver> {
	await n8n.editor.publish(workflowId);
	const ask = async () =>
		(await n8n.requests()).findLast(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'));
	const { body } = await until(ask, {
		seconds: 30,
		otherwise: () => new Error('The trigger registers no webhook'),
	});
	const receiver = ownReceiver(body as Record<string, string>);
	const isReady = async () => (await deliver(receiver, { connections: 1, amount: 1 }).catch(() => undefined)) && true;
	await until(isReady, { seconds: 30, otherwise: () => new Error('The trigger takes no deliveries') });
	await allOver(n8n, workflowId);
	return receiver;
}

/** All statuses but success. */
const OPEN_OR_FAILED = ['new', 'running', 'waiting', 'unknown', 'error', 'crashed', 'canceled'];

/** Waits until all executions have succeeded. n8n deletes them then, but in queue mode it misses some of them. */
async function allOver({ editor }: Instance, workflowId: string): Promise<void> {
	let left: Array<{ status: string }> = [];
	const query = new URLSearchParams({ filter: JSON.stringify({ workflowId, status: OPEN_OR_FAILED }), limit: '1' });
	const ask = async () => {
		({ results: left } = await editor.request<{ results: typeof left }>('GET', `/rest/executions?${query}`));
		return left.length === 0 || undefined;
	};
	const otherwise = () => new Error(`An execution does not succeed: its status is ${left[0]?.status}`);
	await until(ask, { seconds: 300, every: 100, otherwise });
}
