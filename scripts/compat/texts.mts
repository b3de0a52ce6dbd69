import type { Check } from '../quickstart/outcome.mts';
import type { Started } from '../quickstart/run.mts';
import { n8nTexts } from './n8nTexts.mts';

/**
 * Compares the messages of n8n in docs/reference/errors.md with those of a running n8n.
 *
 * @param exactly whether to compare n8n's advice too; older versions word it differently
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
		const { message, hint: actualHint = '' } = (await response.json()) as { message?: string; hint?: string };
		const isSame = response.status === status && message === says && (!exactly || actualHint === hint);
		const instead = isSame ? '' : `, but ${response.status} ${JSON.stringify({ message, hint: actualHint })}`;
		checks.push({ text: `n8n answers "${says}" (${what})${instead}`, passed: isSame });
	}
	return checks;
}
