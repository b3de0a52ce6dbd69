import type { Check } from '../quickstart/outcome.mts';
import type { Started } from '../quickstart/run.mts';
import { n8nTexts } from './n8nTexts.mts';

/**
 * Compares what docs/errors.md says about n8n itself with a running n8n.
 *
 * @param exactly whether n8n's advice has to be the same too: older versions have other buttons
 */
export async function n8nTextChecks({ n8n, sandbox }: Started, exactly: boolean): Promise<Check[]> {
	if (!n8n || !sandbox) {
		throw new Error('Nothing is running');
	}
	const listing = await fetch(`${sandbox.url}/api/v1/campaigns/${sandbox.campaignId}/webhooks`, {
		headers: { authorization: `Bearer ${sandbox.token}` },
	});
	const { data } = (await listing.json()) as { data: { webhooks: Array<{ webhook_url: string }> } };
	const webhook = data.webhooks.find(({ webhook_url }) => webhook_url.startsWith(n8n.url))?.webhook_url;
	if (webhook === undefined) {
		throw new Error('The trigger has registered no webhook');
	}
	const checks: Check[] = [];
	for (const { what, says, hint, status, provoke } of n8nTexts) {
		const response = await provoke({ n8n: n8n.url, webhook });
		const { message, hint: given = '' } = (await response.json()) as { message?: string; hint?: string };
		const isSame = response.status === status && message === says && (!exactly || given === hint);
		const instead = isSame ? '' : `, but ${response.status} ${JSON.stringify({ message, hint: given })}`;
		checks.push({ text: `n8n answers "${says}" (${what})${instead}`, passed: isSame });
	}
	return checks;
}
