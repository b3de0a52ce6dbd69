import type { IDataObject } from 'n8n-workflow';

import { deliveredEvents, eventsField } from '../../../shared/fields/events';
import { onlyFor } from '../../../shared/fields/field';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { withoutQuery } from '../../../shared/lib/withoutQuery';
import { namedInUrl, webhooksPath } from '../../../shared/nodeLink/owner';
import { isSameTrigger, isTriggerUrl } from '../../../shared/nodeLink/triggerUrl';
import { objectIn } from '../../../shared/service/refusals';
import { defineOperation } from '../../operation/defineOperation';
import { webhook, webhookOutputs } from './fields';

const events = eventsField({
	displayName: 'Events',
	options: deliveredEvents,
	description: 'The event types to deliver, instead of the current ones',
});

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update webhook',
	description:
		'Change settings of a webhook, or disable it. New events and extra headers replace the current ones. It takes effect immediately, and an agent stays published. Do not change the signing secret of a Voice Agent Calling Trigger: it would reject all events. When n8n has moved, enter the new URL of the trigger: its secret stays right.',
	fields: webhook,
	updates: [webhookName, webhookUrl, events, onlyFor('source', ['campaign'], includeCallEvents), ...webhookSettings],
	// The service's toggle route is not used: it is not idempotent, so a retry would undo the change of `enabled`.
	async run(api, { source, ownerId, webhookId, ...changes }) {
		const path = webhooksPath({ source, ownerId }, webhookId);
		const body = { ...changes };
		// What the URL of a trigger's webhook says of its secret is in its query, which the trigger does not show.
		const { webhook_url: address } = changes;
		if (address !== undefined && isTriggerUrl(address) && namedInUrl(address).owner === undefined) {
			const { webhook_url: current } = objectIn(await api.request({ method: 'GET', path }), 'the webhook');
			if (isSameTrigger(String(current), address)) {
				body.webhook_url = withoutQuery(address) + new URL(String(current)).search;
			}
		}
		return (await api.request({ method: 'PUT', path, body })).data as IDataObject;
	},
	outputs: webhookOutputs,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
