import { until } from '../../../scripts/lib/waiting.mts';
import type { Editor } from '../../../scripts/n8n/editor.mts';
import { unpack } from '../../e2e/executionData.mts';
import { contact, type Step } from '../job.mts';
import { Service } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { RealN8n, type RealStep } from '../realN8n.mts';
import { atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';
import { httpRequest, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;
const inFlight = [5, 20, 50];

/** Measures the same calls in a real n8n. */
export async function realN8n(): Promise<RowResult> {
	const service = await Service.start();
	let n8n: RealN8n | undefined;
	try {
		const { target } = service;
		const data = { baseUrl: target.url, environmentToken: target.token };
		n8n = await RealN8n.start({ voiceAgentCallingApi: data });
		const { editor } = n8n;
		const send = (workflowId: string) => async () => {
			await service.reset(latency);
			return await timeOf(editor, workflowId);
		};
		const contenders: Record<string, () => Promise<number>> = {};
		for (const n of inFlight) {
			const batches = { size: n, interval: latency };
			contenders[`ours ${n}`] = send(await n8n.createWorkflow(chain(ours(target, n))));
			contenders[`HTTP Request ${n}`] = send(await n8n.createWorkflow(chain(httpRequest(target, batches))));
		}
		await inTurns(contenders, 1);
		return report(await inTurns(contenders));
	} finally {
		await n8n?.stop();
		await service.stop();
	}
}

/** Returns a workflow with the contacts and the sending node. */
function chain(step: Step): RealStep[] {
	const jsCode = `${contact.toString()}\nreturn Array.from({ length: ${calls} }, (_, index) => ({ json: contact(index) }));`;
	return [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{ name: 'Contacts', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
		{ ...step, credential: 'voiceAgentCallingApi' },
	];
}

interface ExecutionData {
	resultData: { runData: Record<string, Array<{ executionTime: number; data: { main: unknown[][] } }>> };
}

/** Runs a workflow. @returns the execution time of the sending node in milliseconds */
async function timeOf(editor: Editor, workflowId: string): Promise<number> {
	const id = await editor.run(workflowId, 'Start');
	const ask = async () => {
		const execution = await editor.execution(id);
		return ['new', 'running', 'waiting'].includes(execution.status) ? undefined : execution;
	};
	const { status, data } = await until(ask, {
		seconds: 120,
		every: 500,
		otherwise: () => new Error('The run took too long'),
	});
	const sent = (unpack(data) as ExecutionData).resultData.runData.Send?.[0];
	const items = sent?.data.main[0]?.length;
	if (status !== 'success' || !sent || items !== calls) {
		throw new Error(`The run ended as ${status} with ${items} items`);
	}
	return sent.executionTime;
}

function report(runs: Record<string, number[]>): RowResult {
	const seconds = (name: string) => show(spread(runs[name]!.map((value) => value / 1000)), 2, ' s');
	const against = (n: number) => ratio(runs[`ours ${n}`]!, runs[`HTTP Request ${n}`]!);
	return {
		title: '1b. The same in a real n8n',
		how: [
			'Manual Trigger, Code (2,000 contacts), then the node; started as by the editor’s button. n8n in its own process with SQLite and what it is set to by itself. Measured: the time that n8n notes for the node.',
		],
		tables: [
			{
				columns: ['N', 'Our node', 'HTTP Request', 'Ours / HTTP Request'],
				rows: inFlight.map((n) => [
					String(n),
					seconds(`ours ${n}`),
					seconds(`HTTP Request ${n}`),
					`**${show(against(n))}**`,
				]),
			},
		],
		targets: inFlight.map((n) =>
			atMost(
				`N = ${n}: not slower than the HTTP Request node`,
				`${show(against(n))} times its time`,
				against(n).median,
				1,
			),
		),
		raw: runs,
	};
}
