import { outputsOf } from './executionData.mts';
import type { Instance } from './instance.mts';

/** An ID, as a picker of n8n stores it. */
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Runs an operation on the webhooks of a campaign by hand. @returns its items */
export async function runOnWebhooks(
	n8n: Instance,
	operation: string,
	campaign: string,
	parameters: object = {},
): Promise<Array<Record<string, unknown>>> {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const node = n8n.node('Run', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
		...{ resource: 'webhook', operation, campaign: byId(campaign) },
		...parameters,
	});
	const id = await n8n.createWorkflow(operation, [start, node], ['Start', 'Run']);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	return (await outputsOf(n8n.editor, execution.id, 'Run')).outputs[0] ?? [];
}

/** Gives the webhook of a trigger a new secret. */
export async function rotateSecret(n8n: Instance, campaign: string, webhookId: string): Promise<void> {
	const items = await runOnWebhooks(n8n, 'rotateSecret', campaign, { webhook: byId(webhookId) });
	expect(items).toMatchObject([{ rotated: true, webhookId }]);
}
