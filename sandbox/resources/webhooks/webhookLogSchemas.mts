import { z } from 'zod';

import { named } from '../../http/named.mts';
import { identifier, timestamp } from '../../http/responseSchemas.mts';

const entry = {
	id: identifier,
	event: z.string(),
	attempt: z.number().int().min(1),
	status: z.enum(['pending', 'success', 'failed', 'retrying']),
	http_status: z.number().int().nullable().describe('Null without a response.'),
	duration_ms: z.number().min(0).nullable(),
	delivered_at: timestamp.nullable(),
	created_at: timestamp,
};

/** An entry of a campaign's webhook. */
export const shortLogSchema = named('CampaignWebhookLog', z.object(entry));
/** An entry of an agent's webhook. */
export const logSchema = named(
	'AgentWebhookLog',
	z.object({
		...entry,
		webhook_id: identifier,
		request_payload: z.unknown(),
		response_body: z.string().nullable(),
		response_headers: z.record(z.string()).nullable(),
		error: z.string().nullable(),
	}),
);

/** The response to a redelivery, without `queued_at` for a campaign's webhook. */
export const redeliverySchema = z.object({ log_id: identifier, original_log_id: identifier });
export const queuedRedeliverySchema = redeliverySchema.extend({ queued_at: timestamp });
