import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../nodes/shared/keys.ts';
import type { VerifyBy } from '../../../nodes/shared/owner.ts';
import { deliverySecret } from '../../../nodes/shared/triggerSecrets/deliverySecret.ts';
import { type Answer, type DoubleOptions, doubleOfN8n } from '../n8n.mts';

const TRIGGER_URL = 'https://n8n.example/webhook/1/webhook';

/** What the service answers when it is asked for webhooks: their URLs have these queries. */
export const listing = (...queries: string[]): Answer => ({
	body: { data: { webhooks: queries.map((query, id) => ({ id, webhook_url: `${TRIGGER_URL}${query}` })) } },
});

/** A trigger for the events of a campaign, whose webhook the service lists. */
export function triggerOf({ parameters, ...options }: DoubleOptions = {}) {
	const { campaign, g } = queryOf();
	return doubleOfN8n({
		service: [listing(`?campaign=${String(campaign)}&g=${String(g)}`)],
		parameters: {
			source: 'campaign',
			campaign: { __rl: true, mode: 'id', value: 'c-1' },
			agent: { __rl: true, mode: 'id', value: 'a-1' },
			events: ['campaign_call.completed', 'campaign_call.failed'],
			options: {},
			...parameters,
		},
		...options,
	});
}

/** When the secret of the webhook was made. */
export const MADE_AT = Date.now();

/** The query of a webhook of a campaign that the trigger has registered. */
export const queryOf = (campaign = 'c-1'): IDataObject => ({ campaign, g: String(MADE_AT) });

/** The secret of the webhook of a campaign, with which it signs or which its header has. */
export async function secretOf(campaignId = 'c-1', isTest = false, madeAt = MADE_AT, by?: VerifyBy): Promise<string> {
	const { caller } = triggerOf();
	const target = { url: String(caller.getNodeWebhookUrl('default')), isTest };
	return deliverySecret(await loadKeys(caller), target, { ownerType: 'campaign', ownerId: campaignId }, madeAt, by);
}
