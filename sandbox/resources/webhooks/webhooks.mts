import { z } from 'zod';

import { notFound } from '../../http/httpErrors.mts';
import { anyObject, httpHeader, httpUrl } from '../../http/schemas.mts';
import { newId } from '../../world/ids.mts';
import type { Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';

/** The fields that the webhooks of agents and campaigns share. @param types the allowed `events` */
export function webhookSchema<Type extends string>(types: readonly [Type, ...Type[]]) {
	return {
		name: z.string().min(1).max(255),
		webhook_url: httpUrl(500),
		events: z.array(z.enum(types as [Type, ...Type[]])).min(1),
		enabled: z.boolean().default(true),
		webhook_secret: z.string().min(1).max(255).nullable().default(null),
		timeout: z.number().int().min(5).max(120).default(30),
		max_retries: z.number().int().min(0).max(10).default(3),
		http_method: z.enum(['POST', 'PUT', 'PATCH']).default('POST'),
		authorization_scheme: z.enum(['none', 'bearer', 'basic', 'api_key', 'custom']).default('none'),
		custom_headers: z.array(httpHeader).default([]),
		payload_templates: z.record(anyObject).default({}),
	};
}

/** The owners of webhooks: agents or campaigns. */
export interface WebhookOwner {
	/** The name of the owner's id in the path and in the webhook. */
	key: 'agent_id' | 'campaign_id';
	/** @throws 404 */
	find(world: World, id: string | undefined): { id: string };
}

type Settings = z.output<z.ZodObject<ReturnType<typeof webhookSchema>>> & { include_call_events?: boolean };

/** Adds a webhook to an agent or a campaign. */
export function addWebhook(world: World, owner: WebhookOwner, ownerId: string, settings: Settings): Webhook {
	const now = world.clock.now();
	const webhook: Webhook = {
		id: newId(world),
		agent_id: null,
		campaign_id: null,
		[owner.key]: ownerId,
		include_call_events: false,
		...settings,
		failing: false,
		created: now,
		updated: now,
	};
	world.webhooks.set(webhook.id, webhook);
	return webhook;
}

/** Returns the webhooks of an agent or a campaign in the order of their creation. */
export function webhooksOf(world: World, ownerId: string): Webhook[] {
	return [...world.webhooks.values()].filter(({ agent_id, campaign_id }) => [agent_id, campaign_id].includes(ownerId));
}

/** Removes the webhooks of a deleted agent or campaign. */
export function removeWebhooksOf(world: World, ownerId: string): void {
	for (const { id } of webhooksOf(world, ownerId)) {
		world.webhooks.delete(id);
	}
}

/** @throws 404 for the owner or the webhook */
export function findWebhook(world: World, owner: WebhookOwner, params: Record<string, string>): Webhook {
	const { id } = owner.find(world, params[owner.key]);
	const webhook = world.webhooks.get(params.webhook_id ?? '');
	if (webhook?.[owner.key] !== id) {
		throw notFound('Webhook');
	}
	return webhook;
}

/** Changes only the given fields. */
export function changeWebhook(world: World, webhook: Webhook, changes: Partial<Settings>): void {
	Object.assign(webhook, changes, { updated: world.clock.now() });
}
