import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { userFolders } from '../../scripts/lib/places.mts';
import { importInto, n8nCommand } from '../../scripts/n8n/cli.mts';
import { Editor } from '../../scripts/n8n/editor.mts';
import { byId } from './callAndWait.mts';
import { Instance, startIsOver, type WorkflowNode } from './instance.mts';
import { runOnWebhooks } from './webhookOperation.mts';

/** A published workflow of a trigger, and the address at which it receives the events of its campaign. */
interface Published {
	id: string;
	trigger: WorkflowNode;
	campaign: string;
	url: string;
}

let n8n: Instance;
let started: Published;
let unpublished: Published;
let edited: Published;
let imported: Published;

beforeAll(async () => {
	n8n = await Instance.start({ options: ['--rate-limit', '100000'] });
	const { campaigns } = (await n8n.service.get('/_sandbox/seed')).data;
	started = await publish('Started', campaigns.active);
	unpublished = await publish('Unpublished', campaigns.paused);
	edited = await publish('Edited', campaigns.draft);
	imported = await publish('Imported', campaigns.completed);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Publishes a workflow of a trigger on a campaign. */
async function publish(name: string, campaign: string): Promise<Published> {
	const trigger = n8n.trigger(campaign);
	const id = await n8n.createWorkflow(name, [trigger]);
	await n8n.editor.publish(id);
	const [{ id: webhookId, webhook_url: url }] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	const published = { id, trigger, campaign, url };
	await n8n.delivered(webhookId);
	await expectEventArrives(published);
	return published;
}

/** Expects that a webhook of the campaign has the workflow's address, and that its events start the workflow. */
async function expectEventArrives({ id, campaign, url }: Published): Promise<void> {
	const webhooks = await n8n.webhooks(campaign);
	expect(webhooks.map(({ webhook_url }) => webhook_url)).toContain(url);
	const { length } = await n8n.editor.executions(id);
	await n8n.delivered(String(webhooks.find(({ webhook_url }) => webhook_url === url)?.id));
	await n8n.finished(id, length + 1);
}

describe('A copy of the user folder, started with another address,', () => {
	beforeAll(async () => {
		const editor = await startCopy();
		await editor.unpublish(unpublished.id);
		const nodes = [{ ...edited.trigger, parameters: { ...edited.trigger.parameters, events: ['campaign.paused'] } }];
		await editor.request('PATCH', `/rest/workflows/${edited.id}`, { nodes, connections: {} });
		await editor.publish(edited.id);
	}, 120_000);

	test('leaves the webhooks of the original alone', async () => {
		await expectEventArrives(started);
	});

	test('leaves them alone also where a workflow is unpublished in the copy', async () => {
		await expectEventArrives(unpublished);
	});

	test('leaves them alone also where a workflow is edited and published in the copy', async () => {
		await expectEventArrives(edited);
	});
});

/** Copies n8n's user folder with the database, as a backup does, and starts an n8n on it. */
async function startCopy(): Promise<Editor> {
	const userFolder = mkdtempSync(join(userFolders, 'e2e-copy-'));
	cpSync(n8n.folder, userFolder, { recursive: true, filter: (file) => !file.includes('database.sqlite') });
	const database = new DatabaseSync(join(n8n.folder, '.n8n', 'database.sqlite'));
	database.exec(`VACUUM INTO '${join(userFolder, '.n8n', 'database.sqlite')}'`);
	database.close();
	const logFile = join(userFolder, 'n8n-copy.log');
	const { url } = await harness.startN8n({ userFolder, logFile, port: harness.firstPort });
	await startIsOver(logFile);
	return new Editor(url, n8n.editor.cookie);
}

describe('An empty n8n with the same encryption key', () => {
	beforeAll(async () => {
		// All n8n of the tests have the same key.
		const { userFolder, server, cookie } = await harness.ownN8n({});
		for (const what of ['credentials', 'workflow'] as const) {
			const file = join(userFolder, `${what}.json`);
			const logFile = join(userFolder, 'export.log');
			await n8nCommand(n8n.folder, [`export:${what}`, '--all', `--output=${file}`], logFile, harness.fastStart);
			const exported = JSON.parse(readFileSync(file, 'utf8')) as object[];
			// n8n imports no workflow as published, and n8n 2.0 cannot import one that was.
			const content =
				what === 'workflow'
					? exported.map((workflow) => ({ ...workflow, active: false, activeVersionId: null }))
					: exported;
			await importInto(userFolder, what, content, logFile);
		}
		await new Editor(server.url, cookie).publish(imported.id);
	}, 180_000);

	test('leaves the webhooks of the original alone when it publishes an imported workflow', async () => {
		await expectEventArrives(imported);
	});
});

describe('After a restart with another public address,', () => {
	let former: Published;
	let webhookId: string;
	beforeAll(async () => {
		const { data } = await n8n.service.get('/_sandbox/seed');
		former = await publish('Moved', data.campaigns.cancelled);
		[{ id: webhookId }] = await n8n.webhooksWhen(former.campaign, ({ length }) => length === 1);
		await n8n.moveN8n();
	}, 120_000);

	test('Check Registration says which webhook to give which URL, and Update does it without loss', async () => {
		const logged = async () => {
			const path = `/api/v1/campaigns/${former.campaign}/webhooks/${webhookId}/logs`;
			return (await n8n.service.get<{ data: object[] }>(path)).data.data.length;
		};
		const { pathname, search } = new URL(former.url);
		const moved = n8n.n8n.url + pathname + search;
		const items = await runOnWebhooks(n8n, 'checkRegistration', former.campaign);
		const [found] = items.filter((item) => item.webhookId === webhookId);
		expect(found).toMatchObject({ ok: false, rightUrl: false, webhookUrl: former.url });
		expect(JSON.stringify(found)).toContain(`with the Webhook URL ${moved}`);
		const before = await logged();
		await runOnWebhooks(n8n, 'update', former.campaign, {
			webhook: byId(webhookId),
			updateFields: { webhookUrl: n8n.n8n.url + pathname },
		});
		await expectEventArrives({ ...former, url: moved });
		// The log of the webhook, which Catch Up reads, goes on.
		expect(await logged()).toBeGreaterThan(before);
	});
});
