import { outputsOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';
import { rotateSecret, runOnWebhooks } from './webhookOperation.mts';

let n8n: Instance;
let campaigns: { active: string; paused: string; draft: string };

beforeAll(async () => {
	n8n = await Instance.start();
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const one = (webhooks: RemoteWebhook[]) => webhooks.length === 1;
const urlOf = (node: WorkflowNode) => `${n8n.n8n.url}/webhook/${node.webhookId}/webhook`;
const to = (node: WorkflowNode) => ({ trigger: { __rl: true, mode: 'url', value: urlOf(node) } });

/** The secret that the service got last for a campaign. */
async function secretFor(campaign: string): Promise<string> {
	const sent = (await n8n.requests()).filter(
		({ path, body }) => path.includes(campaign) && body?.webhook_secret !== undefined,
	);
	return String(sent.at(-1)?.body?.webhook_secret);
}

/** The URL of the webhook of a campaign that delivers to a trigger. */
const addressOf = (node: WorkflowNode, campaign: string) =>
	expect.stringMatching(`^${urlOf(node)}\\?campaign=${campaign}&g=\\d{13}(&f=[\\d,]+)?$`);

test('What is connected is received through edits, rotations and restarts, in a real n8n', async () => {
	const node = n8n.trigger(campaigns.active, { options: { additionalCampaigns: [campaigns.draft] } });
	const id = await n8n.createWorkflow('Connected', [node]);
	await n8n.editor.publish(id);
	for (const campaign of [campaigns.active, campaigns.draft]) {
		const [webhook] = await n8n.webhooksWhen(campaign, one);
		expect(webhook.webhook_url).toEqual(addressOf(node, campaign));
		await n8n.delivered(webhook.id);
	}

	const connect = async () => await runOnWebhooks(n8n, 'connectToTrigger', campaigns.paused, to(node));
	expect(await connect()).toMatchObject([{ connected: true, isNew: true }]);
	expect(await connect()).toMatchObject([{ connected: true, isNew: false }]);
	const [connected] = await n8n.webhooksWhen(campaigns.paused, one);
	expect(connected.webhook_url).toEqual(addressOf(node, campaigns.paused));
	expect(await n8n.deliver(connected.id)).toEqual([200]);
	const executions = await n8n.finished(id, 3);
	const { outputs } = await outputsOf(n8n.editor, String(executions[0]?.id), 'Events');
	expect(outputs[0]).toMatchObject([{ webhookOwner: { source: 'campaign', id: campaigns.paused } }]);
	expect(await runOnWebhooks(n8n, 'checkRegistration', campaigns.paused)).toMatchObject([{ ok: true, problems: [] }]);

	// Signed for one campaign, in the name of another.
	const body = newEvent();
	const signature = { 'X-Signature': hmac(await secretFor(campaigns.paused), body) };
	const [active] = await n8n.webhooks(campaigns.active);
	expect((await sendRaw('POST', String(active?.webhook_url), body, signature)).status).toBe(401);
	expect((await sendRaw('POST', urlOf(node), body, signature)).status).toBe(401);
	expect((await sendRaw('POST', connected.webhook_url, body, signature)).status).toBe(200);

	// An edit deletes and creates the webhooks of the chosen ones; the connected one stays as it is.
	const edited = { ...node, parameters: { ...node.parameters, events: ['campaign.paused'] } };
	await n8n.saveAndPublish(id, [edited]);
	for (const campaign of [campaigns.active, campaigns.draft]) {
		const [webhook] = await n8n.webhooksWhen(
			campaign,
			([first, ...others]) => others.length === 0 && first?.events[0] === 'campaign.paused',
		);
		await n8n.delivered(webhook.id);
	}
	await n8n.delivered(connected.id);

	// Rotated, and after a restart by force the new secrets are still known.
	const before = await secretFor(campaigns.paused);
	await rotateSecret(n8n, campaigns.paused, connected.id);
	expect(await secretFor(campaigns.paused)).not.toBe(before);
	await n8n.restartN8n('SIGKILL');
	for (const campaign of [campaigns.active, campaigns.paused, campaigns.draft]) {
		const [webhook] = await n8n.webhooks(campaign);
		expect(await n8n.deliver(String(webhook?.id))).toEqual([200]);
		expect(await n8n.deliver(String(webhook?.id), { tamper: 'secret' })).toEqual([401]);
	}

	// It stays while the workflow is not published, until it is disconnected.
	await n8n.unpublish(id);
	await n8n.webhooksWhen(campaigns.active, ({ length }) => length === 0);
	expect(await n8n.webhooks(campaigns.paused)).toMatchObject([{ id: connected.id }]);
	await n8n.editor.publish(id);
	await n8n.webhooksWhen(campaigns.active, one);
	await n8n.delivered(connected.id);
	const disconnected = await runOnWebhooks(n8n, 'disconnectFromTrigger', campaigns.paused, to(node));
	expect(disconnected).toMatchObject([{ wasConnected: true }]);
	expect(await n8n.webhooks(campaigns.paused)).toEqual([]);
	await n8n.unpublish(id);
	await n8n.webhooksWhen(campaigns.active, ({ length }) => length === 0);
}, 240_000);
