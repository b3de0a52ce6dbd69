import { z } from 'zod';

import type { Refusal } from '../../http/refusal.mts';
import { created, done, ok, type RouteResponse } from '../../http/response.mts';
import { dataOf, doneBody, messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import type { Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { type LogStyle, logRoutes } from './webhookLogs.mts';
import {
	addWebhook,
	changeWebhook,
	findWebhook,
	type WebhookOwner,
	type webhookSchema,
	webhooksOf,
} from './webhooks.mts';

/** The form of a webhook in a response, and its schema. */
interface Shown {
	of(webhook: Webhook): Record<string, unknown>;
	schema: z.ZodTypeAny;
}

/** The differences between the routes for the webhooks of agents and of campaigns. */
interface Webhooks extends WebhookOwner {
	/** With its article, for the summaries. */
	called: string;
	/** The path of the list. */
	path: string;
	refusal: Refusal;
	/** The body of a creation. */
	body: z.ZodObject<ReturnType<typeof webhookSchema>>;
	/** The event types that the list offers. */
	offered: { events: unknown; schema: z.ZodTypeAny };
	listed: Shown;
	created: Shown;
	read: Shown;
	updated: Shown;
	toggled: Shown;
	/** Whether the responses to a creation and an update have a message. */
	withMessages: boolean;
	test: Pick<Route, 'summary' | 'description' | 'responses'> & {
		handle(world: World, webhook: Webhook): RouteResponse | Promise<RouteResponse>;
	};
	log: LogStyle;
}

/** Webhooks: list, create, get, update, delete, toggle, test, and their log. They do not make an agent a draft. */
export function webhookRoutes(owner: Webhooks): Route[] {
	const { key, called, path, refusal, find, offered, withMessages, test } = owner;
	const one = `${path}/:webhook_id`;
	const bodyOf = (data: z.ZodTypeAny) => (withMessages ? messageAndData(data) : dataOf(data));
	return [
		route({
			method: 'GET',
			path,
			summary: `List ${called}'s webhooks`,
			description: 'All webhooks, without their secrets, and the event types that they can subscribe to.',
			refusal,
			responses: {
				200: dataOf(z.object({ webhooks: z.array(owner.listed.schema), available_events: offered.schema })),
			},
			handle({ world, params }) {
				const { id } = find(world, params[key]);
				return ok({ webhooks: webhooksOf(world, id).map(owner.listed.of), available_events: offered.events });
			},
		}),
		route({
			method: 'POST',
			path,
			summary: `Create ${called} webhook`,
			description: 'Deliveries are signed with the `webhook_secret`, if set. Responses never show it.',
			refusal,
			body: owner.body,
			responses: { 201: bodyOf(owner.created.schema) },
			handle({ world, params, body }) {
				const { id } = find(world, params[key]);
				const webhook = addWebhook(world, owner, id, body());
				return created(owner.created.of(webhook), withMessages ? 'Webhook created successfully.' : undefined);
			},
		}),
		route({
			method: 'GET',
			path: one,
			summary: `Get ${called} webhook`,
			description: 'With its settings, without its secret.',
			refusal,
			responses: { 200: dataOf(owner.read.schema) },
			handle: ({ world, params }) => ok(owner.read.of(findWebhook(world, owner, params))),
		}),
		route({
			method: 'PUT',
			path: one,
			summary: `Update ${called} webhook`,
			description: 'Changes the fields that are sent. Further attempts of earlier deliveries use the new settings.',
			refusal,
			// An update does not change missing fields, so that defaults do not apply.
			body: owner.body.partial(),
			responses: { 200: bodyOf(owner.updated.schema) },
			handle({ world, params, body }) {
				const webhook = findWebhook(world, owner, params);
				changeWebhook(world, webhook, body());
				const data = owner.updated.of(webhook);
				return withMessages ? done('Webhook updated successfully.', data) : ok(data);
			},
		}),
		route({
			method: 'DELETE',
			path: one,
			summary: `Delete ${called} webhook`,
			description: 'Its deliveries get no further attempts.',
			refusal,
			responses: { 200: doneBody },
			handle({ world, params }) {
				world.webhooks.delete(findWebhook(world, owner, params).id);
				return done('Webhook deleted successfully.');
			},
		}),
		route({
			method: 'PATCH',
			path: `${one}/toggle`,
			summary: `Enable or disable ${called} webhook`,
			description: 'Enables a disabled webhook and disables an enabled one: do not repeat it after a missing response.',
			refusal,
			responses: { 200: messageAndData(owner.toggled.schema) },
			handle({ world, params }) {
				const webhook = findWebhook(world, owner, params);
				changeWebhook(world, webhook, { enabled: !webhook.enabled });
				return done(`Webhook ${webhook.enabled ? 'enabled' : 'disabled'} successfully.`, owner.toggled.of(webhook));
			},
		}),
		route({
			method: 'POST',
			path: `${one}/test`,
			summary: test.summary,
			description: test.description,
			refusal,
			responses: test.responses,
			handle: ({ world, params }) => test.handle(world, findWebhook(world, owner, params)),
		}),
		...logRoutes({ ...owner, path: one }, owner.log),
	];
}
