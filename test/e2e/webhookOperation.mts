import { byId, type Instance, type Items } from './instance.mts';

/** Runs an operation on the webhooks of a campaign by hand. @returns its items */
export async function runOnWebhooks(n8n: Instance, operation: string, campaign: string, more = {}): Promise<Items> {
	const node = n8n.action('Run', { resource: 'webhook', operation, campaign: byId(campaign), ...more });
	return await n8n.outputOf((await n8n.runOnce([node])).id, 'Run');
}

/** Gives the webhook of a trigger a new secret. */
export async function rotateSecret(n8n: Instance, campaign: string, webhookId: string): Promise<void> {
	const items = await runOnWebhooks(n8n, 'rotateSecret', campaign, { webhook: byId(webhookId) });
	expect(items).toMatchObject([{ rotated: true, webhookId, oldSecretAcceptedUntil: expect.any(String) }]);
}
