import { until } from '../../../scripts/lib/waiting.mts';
import type { QueueMode } from '../../e2e/queueMode.mts';
import { Service, Worker } from '../lab.mts';
import { startQueueMode } from '../queueMode.mts';
import type { RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';
import { ours } from '../senders.mts';
import {
	type Counted,
	calls,
	counted,
	executions,
	idealTime,
	limit,
	limitOptions,
	type Run,
	report,
	windows,
} from './severalRuns.mts';

const rounds = 3;

/** Measures executions in four workers of n8n's queue mode with one rate limit. */
export async function severalWorkers(): Promise<RowResult> {
	const queueMode = await startQueueMode({
		speed: 1,
		workers: executions,
		webhooks: 0,
		env: {
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			// One execution in each worker.
			N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
		},
	});
	const [bare, loop] = [await Service.start(), await Worker.start()];
	const services: Service[] = [];
	try {
		const contenders: Record<string, () => Promise<Run>> = {};
		for (const [index, [name, more]] of Object.entries(Object.entries(windows))) {
			const service = await Service.start([...limitOptions, ...more], 4200 + 20 * Number(index));
			services.push(service);
			const workflows = await createWorkflows(queueMode, service, name);
			contenders[name] = async () => {
				await bare.reset();
				const { milliseconds } = await loop.run({ sender: { bare: 50 }, target: bare.target, items: limit });
				const run = await send(queueMode, service, workflows);
				return { ...run, ideal: idealTime(run, milliseconds) };
			};
		}
		return report(await inTurns(contenders, rounds), {
			title: '3c. Four workers under one limit of 500 in 10 seconds',
			how: 'As row 3b, in a real n8n in queue mode: each of four workers has one execution of 625 calls. The time is from the first request to the last.',
		});
	} finally {
		await Promise.all([loop, bare, ...services].map((each) => each.stop()));
		await queueMode.stop();
	}
}

/** @returns the IDs of the workflows, each with its part of the calls */
async function createWorkflows({ n8n }: QueueMode, { target }: Service, name: string): Promise<string[]> {
	const data = { baseUrl: target.url, environmentToken: target.token };
	const id = await n8n.createCredential(name, 'voiceAgentCallingApi', data);
	const each = calls / executions;
	const { name: node, type, parameters = {} } = ours(target);
	return await Promise.all(
		Array.from({ length: executions }, async (_, index) => {
			const jsCode = `return Array.from({ length: ${each} }, (_, n) => ({ json: { id: 'c-' + n, name: 'Contact', to: '+1202' + (5_000_000 + ${index * each} + n) } }));`;
			const nodes = [
				n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
				n8n.node('Contacts', 'n8n-nodes-base.code', 2, { jsCode }),
				{ ...n8n.node(node, type, 1, parameters), credentials: { voiceAgentCallingApi: { id, name } } },
			];
			return await n8n.createWorkflow(`${name} ${index + 1}`, nodes, ['Start', 'Contacts', node]);
		}),
	);
}

async function send({ n8n }: QueueMode, service: Service, workflows: string[]): Promise<Counted> {
	await service.forget();
	const runs = await Promise.all(workflows.map((id) => n8n.editor.run(id, 'Start')));
	const statuses = async () => await Promise.all(runs.map(async (id) => (await n8n.editor.execution(id)).status));
	const areOver = async () =>
		(await statuses()).every((status) => status === 'success' || status === 'error') || undefined;
	await until(areOver, { seconds: 300, every: 1000, otherwise: () => new Error('The executions do not end') });
	return await counted(service);
}
