import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { PushConnection } from '../../scripts/lib/editor.mts';
import { messageKey, sendMessageTo } from '../message.mts';
import { CampaignAndWait } from './campaignAndWait.mts';
import { comes } from './eventually.mts';
import { outputsOf, unpack } from './executionData.mts';
import { newEvent, sendRaw } from './handmade.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';
import { find, inDatabase, inFiles, type Place } from './leaks.mts';
import * as secret from './secretNodes.mts';
import { rotateSecret } from './webhookOperation.mts';

const SEARCH = '/rest/dynamic-node-parameters/resource-locator-results';
const PACKAGE = 'n8n-nodes-voice-agent-calling';

let n8n: Instance;
let push: PushConnection;
let seed: secret.Seed;
const answers: Place[] = [];

/** How the service fails that puts token and body of each request into every part of its answer. */
const failures = [422, 502, 307];
let failure = 422;
/** The signing secrets that it was given, once for each try. */
const echoed: string[] = [];
const echo = createServer(async (request, response) => {
	const body = await text(request);
	const said = `You sent ${request.headers.authorization} and ${body}`;
	echoed.push(...(/"webhook_secret":"([^"]+)"/.exec(body)?.slice(1) ?? []));
	response.setHeader('content-type', 'application/json');
	// A trigger has to get as far as registering.
	if (request.method === 'GET' && request.url?.endsWith('/webhooks')) {
		response.end('{"success":true,"data":{"webhooks":[]}}');
		return;
	}
	const line = encodeURIComponent(said);
	response.writeHead(failure, { 'x-echo': line, ...(failure === 307 && { location: `http://127.0.0.1:9/?${line}` }) });
	const errors = { webhook_secret: [said] };
	response.end(failure === 502 ? said : JSON.stringify({ success: false, code: said, message: said, errors }));
});
/** The credential for that service. */
let indiscreet: Record<'voiceAgentCallingApi', Instance['credential']>;

/** Makes n8n store and log as much as it can. */
const everythingStored = {
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'console,file',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
};

beforeAll(async () => {
	n8n = await Instance.start({ env: everythingStored, options: ['--token', secret.token] });
	seed = (await n8n.service.get('/_sandbox/seed')).data;
	await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
	const id = await n8n.createCredential('Indiscreet', 'voiceAgentCallingApi', echoData());
	indiscreet = { voiceAgentCallingApi: { id, name: 'Indiscreet' } };
	push = await n8n.editor.connect();
});

afterAll(() => {
	push?.close();
	echo.close();
});

const echoData = () => ({
	baseUrl: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
	environmentToken: secret.otherToken,
});

/** Runs nodes by hand to their end, all in a row; expects a status. */
async function run(nodes: WorkflowNode[], expected: string): Promise<void> {
	const { id, status } = await n8n.runOnce(nodes);
	const names = nodes.map(({ name }) => name);
	expect([failure, names, status]).toEqual([failure, names, expected]);
	expect((await outputsOf(n8n.editor, id, 'Start')).nodes).toEqual(['Start', ...names]);
}

/** A request of the editor whose answer is shown to the user. */
async function ask(path: string, body: object): Promise<void> {
	const answer = await n8n.editor.request('POST', path, body).catch((error: unknown) => String(error));
	answers.push({ where: `answer to ${path}`, text: JSON.stringify(answer) });
}

/** What the picker of a node shows. */
const search = async (node: string, path: string, methodName: string, currentNodeParameters = {}, credentials = {}) =>
	await ask(SEARCH, {
		path,
		methodName,
		currentNodeParameters,
		credentials,
		nodeTypeAndVersion: { name: `${PACKAGE}.${node}`, version: 1 },
	});

/** Has an execution wait for a campaign, and meanwhile reads the webhook that resumes it. @returns the token in its URL */
async function useWebhookOfWait(): Promise<string> {
	const campaigns = new CampaignAndWait(n8n);
	const id = await campaigns.campaign('Awaited');
	await campaigns.start([id]);
	const wait = (await campaigns.waits(id))[0]!;
	const common = { campaign: byId(id), resource: 'webhook', webhook: byId(wait.id) };
	const path = `campaigns/${id}/webhooks`;
	const own = { resource: 'service', operation: 'makeApiRequest' };
	const credentials = { voiceAgentCallingApi: n8n.credential };
	const picking = { ...common, operation: 'get', webhook: { mode: 'list', value: '' } };
	await search('voiceAgentCalling', 'webhook', 'searchCampaignWebhooks', picking, credentials);
	expect(answers.at(-1)?.text).toContain(wait.id);
	const nodes = [
		n8n.action('Read', { ...own, method: 'GET', path }),
		n8n.action('Change', { ...own, method: 'PUT', path: `${path}/${wait.id}`, options: { body: { timeout: 20 } } }),
		n8n.action('Get', { ...common, operation: 'get' }),
		n8n.action('List', { ...common, operation: 'getAll' }),
	];
	await run(
		nodes.map((node) => ({ ...node, alwaysOutputData: true, executeOnce: true })),
		'success',
	);
	return new URL(wait.webhook_url).searchParams.get('signature') ?? '';
}

/** Fills n8n with everything that could leak a secret: good and bad runs, deliveries, tests of the credential. */
async function useEverything(): Promise<void> {
	await run(secret.operations(n8n, seed), 'success');
	await run(secret.carriers(n8n, seed), 'success');

	const campaign = seed.campaigns.active;
	const options = { extraHeaders: { values: [{ name: 'X-Key', value: secret.typedHeader }] } };
	const workflowId = await n8n.published('Trigger', [n8n.trigger(campaign, { options })]);
	const webhook = await n8n.soleWebhook(campaign);
	await n8n.delivered(webhook.id);
	await rotateSecret(n8n, campaign, webhook.id);
	const { text: answered } = await sendMessageTo(webhook.webhook_url, await messageKey(secret.token), {
		command: 'check',
	});
	answers.push({ where: 'answer to a message', text: answered });
	expect(await n8n.deliver(webhook.id)).toEqual([200]);
	expect(await n8n.deliver(webhook.id, { tamper: 'secret' })).toEqual([401]);
	await sendRaw('POST', webhook.webhook_url, newEvent(), { 'X-Webhook-Signature': 'f'.repeat(64) });
	// One try in the editor, whose secret is another one.
	await n8n.editor.listen(workflowId, 'Events');
	const test = (await n8n.webhooks(campaign)).find(({ webhook_url }) => webhook_url.includes('webhook-test'));
	expect(await n8n.deliver(String(test?.id))).toEqual([200]);

	const failing = [...secret.carriers(n8n, seed), ...secret.operations(n8n, seed)];
	const { id, name } = indiscreet.voiceAgentCallingApi;
	for (failure of failures) {
		for (const [index, node] of failing.entries()) {
			// Each stops for one failure, and continues for the others, in one of the two ways.
			const stops = index % failures.length === failures.indexOf(failure);
			const onError = failure === 422 ? 'continueErrorOutput' : 'continueRegularOutput';
			const goesOn = { onError, alwaysOutputData: true };
			await run([{ ...node, credentials: indiscreet, ...(!stops && goesOn) }], stops ? 'error' : 'success');
		}
		await ask('/rest/credentials/test', { credentials: { id, name, type: 'voiceAgentCallingApi', data: echoData() } });
		await search('voiceAgentCallingTrigger', 'campaign', 'searchCampaigns', {}, indiscreet);
	}

	// The registration fails or stays unclear: n8n tries several times, then gives up.
	failure = 500;
	const before = echoed.length;
	await n8n
		.published('Refused', [{ ...n8n.trigger(campaign), credentials: indiscreet }])
		.catch((error: unknown) => answers.push({ where: 'answer to publish', text: String(error) }));
	await comes(async () => echoed.length >= before + 2, 'another try to register');
}

/** All that can be read of executions and workflows through the editor's own interface. */
async function readByEditor(): Promise<Place[]> {
	const places: Place[] = [];
	for (const { id } of await n8n.editor.request<Array<{ id: string }>>('GET', '/rest/workflows')) {
		for (const execution of await n8n.editor.executions(id)) {
			const { data, ...rest } = await n8n.editor.execution(execution.id);
			places.push({ where: 'an execution', text: JSON.stringify([unpack(data), rest]) });
		}
	}
	return places;
}

test('The token, signing secrets, passwords and keys are in no place that a user can read', async () => {
	const resumeToken = await useWebhookOfWait();
	await useEverything();
	const isGiven = (given: unknown) => given !== undefined && given !== secret.typedSecret;
	const given = (await n8n.requests()).map(({ body }) => body?.webhook_secret).filter(isGiven);
	// The wait's, the published trigger's, the one that took its place, and the test run's.
	expect(given).toHaveLength(4);
	// The service may have it: the node gives it the same in the next try.
	const unclear = [...new Set(echoed)].filter(isGiven);
	expect(unclear.length).toBeGreaterThan(0);

	const byEditor = await readByEditor();
	expect(byEditor.length).toBeGreaterThan(failures.length * 3);
	await n8n.n8n.stop();
	const userFolder = join(n8n.folder, '.n8n');
	const database = [...inDatabase(join(userFolder, 'database.sqlite'))];
	// Including deleted but not yet overwritten parts of the database. The package's own files are left out.
	const files = [...inFiles(userFolder, ['nodes'])];
	const written = ['database.sqlite', 'logs/n8n.log', 'n8nEventLog.log'];
	expect(files.map(({ where }) => where)).toEqual(expect.arrayContaining(written));
	const log = { where: 'what n8n printed', text: readFileSync(join(n8n.folder, 'n8n.log'), 'utf8') };
	const pushed = push.messages.map(({ type, data }) => ({ where: `message ${type}`, text: JSON.stringify(data) }));
	expect(pushed.map(({ where }) => where)).toContain('message nodeExecuteAfterData');
	const everywhere = [...database, ...files, ...byEditor, ...pushed, ...answers, log];

	// The node derives the signing secrets from the trigger's own, and keeps none.
	expect(find([secret.token, secret.otherToken, ...given.map(String), ...unclear], everywhere)).toEqual([]);
	// n8n itself stores the token of an execution, but in no URL.
	expect(resumeToken).not.toBe('');
	expect(find([`signature=${resumeToken}`], everywhere)).toEqual([]);

	// What the user typed in is a part of the node, in the workflow and in n8n's messages to the editor.
	const packed = ['database.sqlite', 'database.sqlite-wal', 'execution_data.data'];
	const readable = everywhere.filter(({ where }) => !packed.includes(where));
	for (const one of secret.typed) {
		expect(find([one], readable)).toContain('workflow_entity.nodes');
	}
	expect(find(secret.typed, secret.withoutParameters(readable))).toEqual([]);
	expect(find(secret.typed, [log, ...files.filter(({ where }) => where.endsWith('.log'))])).toEqual([]);
}, 600_000);
