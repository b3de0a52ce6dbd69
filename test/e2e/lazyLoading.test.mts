import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root, userFolders } from '../../scripts/lib/places.mts';
import { comes } from './eventually.mts';
import { Instance } from './instance.mts';
import { startNpmRegistry } from './npmRegistry.mts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
const { name, version } = manifest;
const action = `${name}.voiceAgentCalling`;

let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	const tarball = join(cache, 'e2e', `${name}-${version}.tgz`);
	registry = await startNpmRegistry(mkdtempSync(join(userFolders, 'e2e-registry-')), { manifest, tarball });
	n8n = await Instance.start({ env: { ...registry.env, N8N_DISABLE_UI: 'false', N8N_LOG_LEVEL: 'debug' } });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await registry?.stop());

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
	const search = '/rest/dynamic-node-parameters/resource-locator-results';
	const picker = await n8n.editor.request<{ results: object[] }>('POST', search, {
		path: 'campaign',
		methodName: 'searchCampaigns',
		currentNodeParameters: {},
		nodeTypeAndVersion: { name: action, version: 1 },
		credentials: { voiceAgentCallingApi: n8n.credential },
	});
	const icon = await get(`/icons/${name}/dist/icons/voiceAgentCalling.svg`);
	const schema = await get(`/schemas/${action}/1.0.0/campaign/get.json`);
	return {
		credentialTest: await n8n.editor.request('POST', '/rest/credentials/test', { credentials }),
		picker: picker.results.length > 0,
		icon: [icon.status, icon.text.includes('<svg')],
		schema: [schema.status, schema.text.includes('"properties"')],
		nodes: (await nodeNames()).sort(),
		run: await runAction(),
		event: await receiveEvent(campaigns.active),
	};
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

/** Runs the action node; gives the status of the execution. */
async function runAction(): Promise<string> {
	return (await n8n.runOnce([n8n.action('Campaigns', { resource: 'campaign', operation: 'getAll' })])).status;
}

/** Publishes a trigger and delivers an event. */
async function publishTrigger(campaign: string): Promise<{ id: string; webhook: string }> {
	const id = await n8n.published('Events', [n8n.trigger(campaign)]);
	const webhook = await n8n.soleWebhook(campaign);
	await n8n.delivered(webhook.id);
	return { id, webhook: webhook.id };
}

/** Lets a trigger receive an event; gives the status of the execution. */
async function receiveEvent(campaign: string): Promise<string> {
	const { id } = await publishTrigger(campaign);
	const [execution] = await n8n.finished(id, 1);
	await n8n.editor.unpublish(id);
	await n8n.webhooksWhen(campaign, ({ length }) => length === 0);
	return execution.status;
}

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

	const kept = await publishTrigger(campaigns.paused);
	await n8n.editor.request('DELETE', `/rest/community-packages?name=${name}`);
	expect(await n8n.deliver(kept.webhook)).not.toEqual([200]);
	expect(await packages()).toEqual([]);
	expect(await nodeNames()).toEqual([]);

	await n8n.editor.request('POST', '/rest/community-packages', { name });
	expect(registry.paths).toContain(`/${name}/-/${name}-${version}.tgz`);
	// The webhook of a published workflow has stayed, and works again.
	await n8n.delivered(kept.webhook);
	await n8n.editor.unpublish(kept.id);
	expect(await whatWorks()).toEqual(everything);

	const before = timesLazy();
	await n8n.restartN8n();
	await comes(async () => timesLazy() > before, 'a lazy start');
	expect(await whatWorks()).toEqual(everything);
}, 120_000);
