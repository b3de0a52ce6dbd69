import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../scripts/lib/waiting.mts';
import { byId, CallAndWait, stillClock } from './callAndWait.mts';
import { Instance, type WorkflowNode } from './instance.mts';

const WAITS = 5;
const MEGABYTES = 10;

const memoryFile = join(tmpdir(), `memory-${randomUUID()}.json`);
const contacts = JSON.stringify(
	Array.from({ length: MEGABYTES * 1000 }, (_, index) => ({ name: `Contact ${index}`, note: 'x'.repeat(960) })),
);
const crm = createServer((_, response) => response.setHeader('content-type', 'application/json').end(contacts));

/** Megabytes of heap that each waiting execution needs, and that are left of it after it was stopped. */
interface Needed {
	waiting: number;
	stopped: number;
}

let n8n: Instance;
let byWaitNode: Needed;
let byCall: Needed;

beforeAll(async () => {
	await new Promise<void>((resolve) => crm.listen(0, '127.0.0.1', resolve));
	const preload = join(import.meta.dirname, 'memoryOnSignal.cjs');
	const env = { NODE_OPTIONS: `${harness.fastStart.NODE_OPTIONS} --require "${preload}"`, MEMORY_FILE: memoryFile };
	n8n = await Instance.start({ ...stillClock, env });
	await new CallAndWait(n8n).publishTriggers();
	byWaitNode = await measure(n8n.node('Waits', 'n8n-nodes-base.wait', 1.1, { unit: 'hours', amount: 1 }));
	byCall = await measure(
		n8n.node('Waits', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			...{ resource: 'call', operation: 'placeAndWait', agent: byId(n8n.sandbox.agentId) },
			phoneNumber: '+12025550111',
		}),
	);
	console.log(`Megabytes for ${MEGABYTES} MB of data: ${JSON.stringify({ byWaitNode, byCall })}`);
}, 300_000);

afterAll(async () => {
	crm.close();
	rmSync(memoryFile, { force: true });
	await n8n?.stop();
}, 30_000);

/** Runs a workflow that reads contacts, and waits with the first one. */
async function measure(waits: WorkflowNode): Promise<Needed> {
	const path = randomUUID();
	const { port } = crm.address() as AddressInfo;
	const nodes = [
		{ ...n8n.node('Start', 'n8n-nodes-base.webhook', 2, { path }), webhookId: path },
		n8n.node('Contacts', 'n8n-nodes-base.httpRequest', 4.2, { url: `http://127.0.0.1:${port}` }),
		n8n.node('First', 'n8n-nodes-base.limit', 1, {}),
		waits,
	];
	const workflowId = await n8n.createWorkflow(
		waits.type,
		nodes,
		nodes.map(({ name }) => name),
	);
	await n8n.editor.publish(workflowId);
	const wait = async (count: number) => {
		await fetch(`${n8n.n8n.url}/webhook/${path}`);
		const areWaiting = async () => {
			const executions = await n8n.editor.executions(workflowId);
			return (executions.length === count && executions.every(({ status }) => status === 'waiting')) || undefined;
		};
		await until(areWaiting, { seconds: 60, otherwise: () => new Error(`Execution ${count} does not wait`) });
	};
	// The first execution loads what all of them use.
	await wait(1);
	const before = await heapInUse();
	for (let count = 2; count <= WAITS + 1; count++) {
		await wait(count);
	}
	const waiting = await heapInUse();
	const [, ...stopped] = (await n8n.editor.executions(workflowId)).reverse();
	for (const { id } of stopped) {
		await n8n.editor.request('POST', `/rest/executions/${id}/stop`, {});
	}
	const each = (megabytes: number) => Math.round((megabytes - before) / WAITS);
	return { waiting: each(waiting), stopped: each(await heapInUse()) };
}

async function heapInUse(): Promise<number> {
	rmSync(memoryFile, { force: true });
	process.kill(Number(n8n.n8n.process.pid), 'SIGUSR2');
	const isWritten = async () => existsSync(memoryFile) || undefined;
	await until(isWritten, { seconds: 60, otherwise: () => new Error('n8n did not write how much memory it uses') });
	const { heapUsed } = JSON.parse(readFileSync(memoryFile, 'utf8')) as { heapUsed: number };
	return heapUsed / 1e6;
}

test("a waiting execution needs no more memory than with n8n's own Wait node, and that is freed when it is stopped", () => {
	expect(byCall.waiting).toBeLessThanOrEqual(byWaitNode.waiting + 1);
	expect(byWaitNode.stopped).toBeLessThanOrEqual(1);
});

test('an execution that is stopped while it waits for a call leaves nothing in memory', () => {
	expect(byCall.stopped).toBeLessThanOrEqual(1);
});
