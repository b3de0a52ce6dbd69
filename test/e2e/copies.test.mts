import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Editor } from '../../scripts/lib/editor.mts';
import { userFolders } from '../../scripts/lib/places.mts';
import { byId, Instance, startIsOver, type WorkflowNode } from './instance.mts';
import { runOnWebhooks } from './webhookOperation.mts';

/** A published workflow of a trigger, and the address at which it receives the events of its campaign. */
interface Published {
	id: string;
	trigger: WorkflowNode;
	campaign: string;
	url: string;
}

let n8n: Instance;
let [started, unpublished, edited] = [] as unknown as [Published, Published, Published];

beforeAll(async () => {
	n8n = await Instance.start({ options: ['--rate-limit', '100000'] });
	const { active, paused, draft } = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
	started = await publish(active);
	unpublished = await publish(paused);
	edited = await publish(draft);
});

/** Publishes a workflow of a trigger on a campaign. */
async function publish(campaign: string): Promise<Published> {
	const trigger = n8n.trigger(campaign);
	const id = await n8n.published('Trigger', [trigger]);
	const webhook = await n8n.soleWebhook(campaign);
	const published = { id, trigger, campaign, url: webhook.webhook_url };
	await n8n.delivered(webhook.id);
	await expectEventArrives(published);
	return published;
}

/** Expects that a webhook of the campaign has the workflow's address, and that its events start the workflow. */
async function expectEventArrives({ id, campaign, url }: Published): Promise<void> {
	const webhook = (await n8n.webhooks(campaign)).find(({ webhook_url }) => webhook_url === url);
	expect(webhook).toBeDefined();
	const { length } = await n8n.editor.executions(id);
	await n8n.delivered(String(webhook?.id));
	await n8n.finished(id, length + 1);
}

test('A copy of the user folder, started with another address, leaves the webhooks of the original alone, also where a workflow is unpublished, or edited and published in the copy', async () => {
	const userFolder = mkdtempSync(join(userFolders, 'e2e-copy-'));
	cpSync(n8n.folder, userFolder, { recursive: true, filter: (file) => !file.includes('database.sqlite') });
	// As a backup does.
	const database = new DatabaseSync(join(n8n.folder, '.n8n', 'database.sqlite'));
	database.exec(`VACUUM INTO '${join(userFolder, '.n8n', 'database.sqlite')}'`);
	database.close();
	const logFile = join(userFolder, 'n8n-copy.log');
	const { url } = await harness.startN8n({ userFolder, logFile, port: harness.firstPort });
	await startIsOver(logFile);
	const copy = new Editor(url, n8n.editor.cookie);
	await copy.unpublish(unpublished.id);
	const nodes = [{ ...edited.trigger, parameters: { ...edited.trigger.parameters, events: ['campaign.paused'] } }];
	await copy.request('PATCH', `/rest/workflows/${edited.id}`, { nodes, connections: {} });
	await copy.publish(edited.id);
	for (const one of [started, unpublished, edited]) {
		await expectEventArrives(one);
	}
});

test('After a restart with another public address, Check Registration says which webhook to give which URL, and Update does it without loss', async () => {
	const former = await publish((await n8n.service.get('/_sandbox/seed')).data.campaigns.cancelled);
	const { id: webhookId } = await n8n.soleWebhook(former.campaign);
	await n8n.moveN8n();
	const logged = async () => {
		const path = `/api/v1/campaigns/${former.campaign}/webhooks/${webhookId}/logs`;
		return (await n8n.service.get<{ data: object[] }>(path)).data.data.length;
	};
	const { pathname, search } = new URL(former.url);
	const moved = n8n.n8n.url + pathname + search;
	const items = await runOnWebhooks(n8n, 'checkRegistration', former.campaign);
	const found = items.find((item) => item.webhookId === webhookId);
	expect(found).toMatchObject({ ok: false, rightUrl: false, webhookUrl: former.url });
	expect(JSON.stringify(found)).toContain(`with the Webhook URL ${moved}`);
	const before = await logged();
	const updateFields = { webhookUrl: n8n.n8n.url + pathname };
	await runOnWebhooks(n8n, 'update', former.campaign, { webhook: byId(webhookId), updateFields });
	await expectEventArrives({ ...former, url: moved });
	// The log of the webhook, which Catch Up reads, goes on.
	expect(await logged()).toBeGreaterThan(before);
});
