import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { until } from '../../scripts/lib/waiting.mts';
import type { PushConnection } from '../../scripts/n8n/push.mts';
import { messageKey, sendMessageTo } from '../message.mts';
import { CampaignAndWait } from './campaignAndWait.mts';
import { type Echo, failures, startEcho } from './echo.mts';
import { nodesRun, unpack } from './executionData.mts';
import { newEvent, sendRaw } from './handmade.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { find, inDatabase, inFiles, type Place } from './leaks.mts';
import {
	carriers,
	operations,
	otherToken,
	type Seed,
	token,
	typed,
	typedHeader,
	typedSecret,
	withoutParameters,
} from './secretNodes.mts';
import { rotateSecret } from './webhookOperation.mts';

let n8n: Instance;
let echo: Echo;
let push: PushConnection;
let seed: Seed;
/** The credential for the service that sends back what it got. */
let indiscreet: Record<string, { id: string; name: string }>;
const answers: Place[] = [];

/** Makes n8n store and log as much as it can. */
const everythingStored = {
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'console,file',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
};

beforeAll(async () => {
	n8n = await Instance.start({ env: everythingStored, options: ['--token', token] });
	seed = (await n8n.service.get('/_sandbox/seed')).data;
	echo = await startEcho();
	const data = { baseUrl: echo.url, environmentToken: otherToken };
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/credentials', {
		name: 'Indiscreet',
		type: 'voiceAgentCallingApi',
		data,
	});
	indiscreet = { voiceAgentCallingApi: { id, name: 'Indiscreet' } };
	push = await n8n.editor.connect();
}, 120_000);

afterAll(async () => {
	push?.close();
	echo?.close();
	await n8n?.stop();
}, 30_000);

/** Runs a workflow by hand to its end, all nodes in a row; gives its status. */
async function run(name: string, nodes: WorkflowNode[]): Promise<string> {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const id = await n8n.createWorkflow(name, [start, ...nodes], ['Start', ...nodes.map((node) => node.name)]);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	expect(await nodesRun(n8n.editor, execution.id)).toEqual(['Start', ...nodes.map((node) => node.name)]);
	return execution.status;
}

/** A request of the editor whose answer is shown to the user. */
async function ask(path: string, body: object): Promise<void> {
	const where = `answer to ${path}`;
	const answer = await n8n.editor.request('POST', path, body).catch((error: unknown) => String(error));
	answers.push({ where, text: JSON.stringify(answer) });
}

/** The values of the fields that an operation of webhooks needs beside the webhook. */
const needed: Record<string, object> = {
	create: { name: 'Hook', webhookUrl: 'https://example.com/hook' },
	update: { updateFields: { enabled: true } },
};

/**
 * Has an execution wait for a campaign, and meanwhile uses the webhook that resumes it: in every operation of webhooks,
 * in requests of the user's own and in the picker.
 *
 * @returns the token in the URL of the webhook
 */
async function useWebhookOfWait(): Promise<string> {
	const campaigns = new CampaignAndWait(n8n);
	const id = await campaigns.campaign('Awaited');
	await campaigns.statusBecomes(await campaigns.start('Waits', [id]), 'waiting');
	const [wait] = await campaigns.waits(id);
	const resumeToken = new URL(wait.webhook_url).searchParams.get('signature') ?? '';
	const common = { campaign: { __rl: true, mode: 'id', value: id }, resource: 'webhook' };
	const node = (name: string, parameters: Record<string, unknown>): WorkflowNode => ({
		...n8n.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, parameters),
		...{ onError: 'continueRegularOutput', alwaysOutputData: true, executeOnce: true },
	});
	const path = `campaigns/${id}/webhooks`;
	const own = [
		{ method: 'GET', path },
		{ method: 'PUT', path: `${path}/${wait.id}`, options: { body: { timeout: 20 } } },
		{ method: 'PATCH', path: `${path}/${wait.id}/toggle` },
		{ method: 'PATCH', path: `${path}/${wait.id}/toggle` },
	];
	const operations = resources.find(({ value }) => value === 'webhook')?.operations ?? [];
	const removesLast = operations.toSorted(
		(one, other) => Number(one.value === 'delete') - Number(other.value === 'delete'),
	);
	const nodes = [
		...own.map((request, index) =>
			node(`Own ${index}`, { resource: 'service', operation: 'makeApiRequest', ...request }),
		),
		...removesLast.map(({ name, value: operation }) =>
			node(name, {
				...{ ...common, operation, webhook: { __rl: true, mode: 'id', value: wait.id }, ...needed[operation] },
				delivery: { __rl: true, mode: 'id', value: 'none' },
				trigger: { __rl: true, mode: 'url', value: wait.webhook_url.replace(/\?.*/, '') },
			}),
		),
	];
	await ask('/rest/dynamic-node-parameters/resource-locator-results', {
		path: 'webhook',
		nodeTypeAndVersion: { name: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', version: 1 },
		currentNodeParameters: { ...common, operation: 'get', webhook: { mode: 'list', value: '' } },
		methodName: 'searchCampaignWebhooks',
		credentials: { voiceAgentCallingApi: nodes[0]?.credentials?.voiceAgentCallingApi },
	});
	expect(answers.at(-1)?.text).toContain(wait.id);
	expect(await run('With the webhook of a wait', nodes)).toBe('success');
	return resumeToken;
}

/** The same node, but its requests go to the service that sends back what it got, which is slow at times. */
function toEcho(node: WorkflowNode): WorkflowNode {
	return { ...node, credentials: indiscreet, parameters: { ...node.parameters, sending: { requestTimeout: 1 } } };
}

/** Fills n8n with everything that could leak a secret: good and bad runs, deliveries, tests of the credential. */
async function useEverything(): Promise<void> {
	expect(await run('All well', operations(n8n, seed))).toBe('success');
	expect(await run('All well with what carries secrets', carriers(n8n, seed))).toBe('success');

	const options = { extraHeaders: { values: [{ name: 'X-Key', value: typedHeader }] } };
	const trigger = n8n.trigger(seed.campaigns.active, { options });
	const workflowId = await n8n.createWorkflow('Trigger', [trigger]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(seed.campaigns.active, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	await rotateSecret(n8n, seed.campaigns.active, webhook.id);
	const { text } = await sendMessageTo(webhook.webhook_url, await messageKey(token), { command: 'check' });
	answers.push({ where: 'answer to a message', text });
	expect(await n8n.deliver(webhook.id)).toEqual([200]);
	for (const tamper of ['body', 'signature', 'secret']) {
		expect(await n8n.deliver(webhook.id, { tamper })).toEqual([401]);
	}
	await sendRaw('POST', webhook.webhook_url, newEvent(), { 'X-Webhook-Signature': 'f'.repeat(64) });
	// One try in the editor, whose secret is another one.
	await n8n.editor.listen(workflowId, 'Events');
	const test = (await n8n.webhooks(seed.campaigns.active)).find(({ webhook_url }) =>
		webhook_url.includes('webhook-test'),
	);
	expect(await n8n.deliver(String(test?.id))).toEqual([200]);

	for (const [index, failure] of failures.entries()) {
		echo.failure = failure;
		const [carrying, calling] = [carriers(n8n, seed), operations(n8n, seed)].map((nodes) => nodes.map(toEcho));
		// Each of them stops for one or two failures, and continues for all of them.
		const carrier = carrying[index % carrying.length];
		expect([failure, await run(`${failure} ${carrier.name} stops`, [carrier])]).toEqual([failure, 'error']);
		const gone = await run(
			`${failure} with what carries secrets`,
			carrying.map((node) => ({ ...node, onError: 'continueRegularOutput' })),
		);
		expect([failure, gone]).toEqual([failure, 'success']);
		for (const node of calling) {
			expect([failure, await run(`${failure} ${node.name} stops`, [node])]).toEqual([failure, 'error']);
		}
		for (const onError of ['continueRegularOutput', 'continueErrorOutput']) {
			// The next node gets an item also where all went to the other output.
			const nodes = calling.map((node) => ({ ...node, onError, alwaysOutputData: true }));
			expect([failure, await run(`${failure} ${onError}`, nodes)]).toEqual([failure, 'success']);
		}
		const credentials = {
			...indiscreet.voiceAgentCallingApi,
			type: 'voiceAgentCallingApi',
			data: { baseUrl: echo.url, environmentToken: otherToken },
		};
		await ask('/rest/credentials/test', { credentials });
		await ask('/rest/dynamic-node-parameters/resource-locator-results', {
			path: 'campaign',
			nodeTypeAndVersion: { name: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger', version: 1 },
			currentNodeParameters: {},
			methodName: 'searchCampaigns',
			credentials: indiscreet,
		});
	}

	// The registration fails or stays unclear: n8n tries several times, then gives up.
	echo.failure = '500';
	const refused = { ...n8n.trigger(seed.campaigns.active), credentials: indiscreet };
	const before = echo.registrations;
	const refusedId = await n8n.createWorkflow('Refused', [refused]);
	await n8n.editor
		.publish(refusedId)
		.catch((error: unknown) => answers.push({ where: 'answer to publish', text: String(error) }));
	const otherwise = () => new Error('n8n did not try to register again');
	await until(async () => (echo.registrations >= before + 2 ? true : undefined), { seconds: 20, otherwise });
}

/** All that can be read of executions and workflows through the editor's own interface. */
async function readByEditor(): Promise<Place[]> {
	const places: Place[] = [];
	const workflows = await n8n.editor.request<Array<{ id: string; name: string }>>('GET', '/rest/workflows');
	for (const { id, name } of workflows) {
		for (const execution of await n8n.editor.executions(id)) {
			const { data, ...rest } = await n8n.editor.execution(execution.id);
			places.push({ where: `execution of ${name}`, text: JSON.stringify([unpack(data), rest]) });
		}
	}
	return places;
}

test('The token, signing secrets, passwords and keys are in no place that a user can read', async () => {
	const resumeToken = await useWebhookOfWait();
	await useEverything();
	const bodies = (await n8n.requests()).map(({ body }) => body ?? {});
	const isGiven = (secret: unknown) => secret !== undefined && secret !== typedSecret;
	const given = bodies.map(({ webhook_secret: secret }) => secret).filter(isGiven);
	// The wait's, the published trigger's, the one that took its place, and the test run's.
	expect(given).toHaveLength(4);
	const [ofWait = '', first = '', second = '', ofTestRun = ''] = given.map(String);
	// The service may have it: the node gives it the same in the next try.
	const unclear = [...echo.secrets].filter((secret) => secret !== typedSecret);
	expect(unclear.length).toBeGreaterThan(0);

	const byEditor = await readByEditor();
	expect(byEditor.length).toBeGreaterThan(failures.length * 5);
	await n8n.n8n.stop();
	const userFolder = join(n8n.folder, '.n8n');
	const database = [...inDatabase(join(userFolder, 'database.sqlite'))];
	// Including deleted but not yet overwritten parts of the database. The package's own files are left out.
	const files = [...inFiles(userFolder, ['nodes'])];
	expect(files.map(({ where }) => where)).toEqual(
		expect.arrayContaining(['database.sqlite', 'logs/n8n.log', 'n8nEventLog.log']),
	);
	const log = { where: 'what n8n printed', text: readFileSync(join(n8n.folder, 'n8n.log'), 'utf8') };
	const pushed = push.messages.map(({ type, data }) => ({ where: `message ${type}`, text: JSON.stringify(data) }));
	expect(pushed.map(({ where }) => where)).toContain('message nodeExecuteAfterData');
	const everywhere = [...database, ...files, ...byEditor, ...pushed, ...answers, log];

	expect(find([token, otherToken], everywhere)).toEqual([]);
	expect(find([ofTestRun], everywhere)).toEqual([]);
	// The node derives them from the trigger's own secret, and keeps none.
	expect(find([ofWait, first, second, ...unclear], everywhere)).toEqual([]);
	// n8n itself stores the token of an execution, but in no URL.
	expect(resumeToken).not.toBe('');
	expect(find([`signature=${resumeToken}`], everywhere)).toEqual([]);

	// What the user typed in is a part of the node, in the workflow and in n8n's messages to the editor.
	const packed = ['database.sqlite', 'database.sqlite-wal', 'execution_data.data'];
	const readable = everywhere.filter(({ where }) => !packed.includes(where));
	for (const one of typed) {
		expect(find([one], readable)).toContain('workflow_entity.nodes');
	}
	expect(find(typed, withoutParameters(readable))).toEqual([]);
	const logs = [log, ...files.filter(({ where }) => where.endsWith('.log'))];
	expect(find(typed, logs)).toEqual([]);
}, 600_000);
