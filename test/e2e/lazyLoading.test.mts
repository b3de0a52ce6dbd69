import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root, userFolders } from '../../scripts/lib/places.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { Instance } from './instance.mts';
import { NpmRegistry } from './npmRegistry.mts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
const { name, version } = manifest;
const action = `${name}.voiceAgentCalling`;

let registry: NpmRegistry;
let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	const tarball = join(cache, 'e2e', `${name}-${version}.tgz`);
	registry = await NpmRegistry.start(mkdtempSync(join(userFolders, 'e2e-registry-')), { manifest, tarball });
	n8n = await Instance.start({ env: { ...registry.env, N8N_DISABLE_UI: 'false', N8N_LOG_LEVEL: 'debug' } });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => {
	await n8n?.stop();
	await registry?.stop();
}, 30_000);

/** How often n8n has read the metadata instead of loading the code. */
const timesLazy = () =>
	readFileSync(join(n8n.folder, 'n8n.log'), 'utf8').split(`Lazy-loading nodes and credentials from ${name}`).length - 1;

/** Gets a file of n8n's editor. */
async function get(path: string): Promise<{ status: number; text: string }> {
	const response = await fetch(n8n.n8n.url + path, { headers: { cookie: n8n.editor.cookie } });
	return { status: response.status, text: await response.text() };
}

/** The names of this package's nodes in the editor. */
async function nodeNames(): Promise<string[]> {
	const types = JSON.parse((await get('/types/nodes.json')).text) as Array<{ name: string }>;
	return types.map((type) => type.name).filter((typeName) => typeName.startsWith(`${name}.`));
}

/** What a user sees of the package, and whether its nodes run. */
async function whatWorks() {
	const data = { baseUrl: n8n.sandbox.url, environmentToken: n8n.sandbox.token };
	const credentials = { ...n8n.credential, type: 'voiceAgentCallingApi', data };
	const credentialTest = await n8n.editor.request('POST', '/rest/credentials/test', { credentials });
	const picker = await n8n.editor.request<{ results: object[] }>(
		'POST',
		'/rest/dynamic-node-parameters/resource-locator-results',
		{
			path: 'campaign',
			nodeTypeAndVersion: { name: action, version: 1 },
			currentNodeParameters: {},
			methodName: 'searchCampaigns',
			credentials: { voiceAgentCallingApi: n8n.credential },
		},
	);
	const icon = await get(`/icons/${name}/dist/icons/voiceAgentCalling.svg`);
	const schema = await get(`/schemas/${action}/1.0.0/campaign/get.json`);
	return {
		credentialTest,
		picker: picker.results.length > 0,
		icon: [icon.status, icon.text.includes('<svg')],
		schema: [schema.status, schema.text.includes('"properties"')],
		nodes: (await nodeNames()).sort(),
		run: await runAction(),
		event: await receiveEvent(),
	};
}

/** Runs the action node; gives the status of the execution. */
async function runAction(): Promise<string> {
	const nodes = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Campaigns', action, 1, { resource: 'campaign', operation: 'getAll' }),
	];
	const id = await n8n.createWorkflow('Action', nodes, ['Start', 'Campaigns']);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	return execution.status;
}

/** Publishes the trigger and delivers an event; gives the status of the execution. */
async function receiveEvent(): Promise<string> {
	const id = await n8n.createWorkflow('Events', [n8n.trigger(campaigns.active)]);
	await n8n.editor.publish(id);
	const [webhook] = await n8n.webhooksWhen(campaigns.active, ({ length }) => length === 1);
	await n8n.delivered(webhook!.id);
	const [execution] = await n8n.finished(id, 1);
	await n8n.unpublish(id);
	await n8n.webhooksWhen(campaigns.active, ({ length }) => length === 0);
	return execution.status;
}

const everything = {
	credentialTest: { status: 'OK', message: 'Connection successful!' },
	picker: true,
	icon: [200, true],
	schema: [200, true],
	nodes: [action, `${action}Tool`, `${name}.voiceAgentCallingTrigger`],
	run: 'success',
	event: 'success',
};

const packages = async () =>
	await n8n.editor.request<Array<{ packageName: string; failedLoading?: boolean }>>('GET', '/rest/community-packages');

test('n8n loads the package lazily, and all of it works: test, pickers, tool, icons, schemas, run, trigger', async () => {
	expect(timesLazy()).toBeGreaterThan(0);
	expect(await whatWorks()).toEqual(everything);
}, 60_000);

test('all of it works too after it was removed and installed again in the settings, and after a restart', async () => {
	// The package was put into the folder by hand: n8n takes over what it installs.
	await n8n.editor.request('POST', '/rest/community-packages', { name });
	expect(await packages()).toMatchObject([{ packageName: name, failedLoading: false }]);

	const kept = await n8n.createWorkflow('Kept', [n8n.trigger(campaigns.paused)]);
	await n8n.editor.publish(kept);
	const [webhook] = await n8n.webhooksWhen(campaigns.paused, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	await n8n.editor.request('DELETE', `/rest/community-packages?name=${name}`);
	expect(await n8n.deliver(webhook.id)).not.toEqual([200]);
	expect(await packages()).toEqual([]);
	expect(await nodeNames()).toEqual([]);

	await n8n.editor.request('POST', '/rest/community-packages', { name });
	expect(registry.paths).toContain(`/${name}/-/${name}-${version}.tgz`);
	// The webhook of a published workflow has stayed, and works again.
	await n8n.delivered(webhook.id);
	await n8n.unpublish(kept);
	await n8n.webhooksWhen(campaigns.paused, ({ length }) => length === 0);
	expect(await whatWorks()).toEqual(everything);

	const before = timesLazy();
	await n8n.restartN8n();
	await until(async () => timesLazy() > before || undefined, {
		seconds: 10,
		otherwise: () => new Error('n8n did not load the package lazily'),
	});
	expect(await whatWorks()).toEqual(everything);
}, 120_000);
