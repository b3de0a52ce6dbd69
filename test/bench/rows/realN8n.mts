import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../scripts/lib/waiting.mts';
import { n8nCommand } from '../../../scripts/n8n/cli.mts';
import { Editor } from '../../../scripts/n8n/editor.mts';
import { startN8n, type N8nServer } from '../../../scripts/n8n/server.mts';
import { unpack } from '../../e2e/executionData.mts';
import { owner } from '../../e2e/instance.mts';
import { contact, type Step } from '../job.mts';
import { folder, Service, userFolder } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';
import { httpRequest, ours } from '../senders.mts';

const calls = 2000;
const latency = 20;
const inFlight = [5, 20, 50];
const credential = { id: 'benchSandbox', name: 'Sandbox' };
const log = (name: string) => join(folder, 'logs', `${name}.log`);

/** The same calls through a real n8n. */
export async function realN8n(): Promise<RowResult> {
	const service = await Service.start();
	let n8n: N8nServer | undefined;
	try {
		const { target } = service;
		await importCredential({ baseUrl: target.url, environmentToken: target.token });
		n8n = await startN8n({ userFolder, logFile: log('n8n'), port: 5800 });
		const editor = new Editor(n8n.url);
		await editor.setUpOwner(owner);
		const send = (workflowId: string) => async () => {
			await service.reset(latency);
			return await timeOf(editor, workflowId);
		};
		const contenders: Record<string, () => Promise<number>> = {};
		for (const n of inFlight) {
			const batches = { size: n, interval: latency };
			contenders[`ours ${n}`] = send(await createWorkflow(editor, ours(target, n)));
			contenders[`HTTP Request ${n}`] = send(await createWorkflow(editor, httpRequest(target, batches)));
		}
		await inTurns(contenders, 1);
		return report(await inTurns(contenders));
	} finally {
		await n8n?.stop();
		await service.stop();
	}
}

async function importCredential(data: Record<string, string>): Promise<void> {
	const file = join(userFolder, 'credentials.json');
	writeFileSync(file, JSON.stringify([{ ...credential, type: 'voiceAgentCallingApi', data }]));
	await n8nCommand(userFolder, ['import:credentials', `--input=${file}`], log('import'));
}

async function createWorkflow(editor: Editor, step: Step): Promise<string> {
	const jsCode = `${contact.toString()}\nreturn Array.from({ length: ${calls} }, (_, index) => ({ json: contact(index) }));`;
	const steps: Step[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{ name: 'Contacts', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
		step,
	];
	const nodes = steps.map((each, index) => ({
		id: randomUUID(),
		typeVersion: 1,
		position: [200 * index, 0],
		parameters: {},
		...each,
		...(each === step && { credentials: { voiceAgentCallingApi: credential } }),
	}));
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = { Start: to('Contacts'), Contacts: to('Send') };
	const workflow = { name: `Send ${randomUUID()}`, nodes, connections, settings: {} };
	return (await editor.request<{ id: string }>('POST', '/rest/workflows', workflow)).id;
}

interface ExecutionData {
	resultData: { runData: Record<string, Array<{ executionTime: number; data: { main: unknown[][] } }>> };
}

/** Runs a workflow; gives the milliseconds that its node took to send. */
async function timeOf(editor: Editor, workflowId: string): Promise<number> {
	const id = await editor.run(workflowId, 'Start');
	const ask = async () => {
		const execution = await editor.execution(id);
		return ['new', 'running', 'waiting'].includes(execution.status) ? undefined : execution;
	};
	const { status, data } = await until(ask, { seconds: 120, every: 500, otherwise: () => new Error('The run took too long') });
	const sent = (unpack(data) as ExecutionData).resultData.runData.Send?.[0];
	const items = sent?.data.main[0]?.length;
	if (status !== 'success' || !sent || items !== calls) throw new Error(`The run ended as ${status} with ${items} items`);
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
				rows: inFlight.map((n) => [String(n), seconds(`ours ${n}`), seconds(`HTTP Request ${n}`), `**${show(against(n))}**`]),
			},
		],
		targets: inFlight.map((n) =>
			atMost(`N = ${n}: not slower than the HTTP Request node`, `${show(against(n))} times its time`, against(n).median, 1),
		),
		raw: runs,
	};
}
