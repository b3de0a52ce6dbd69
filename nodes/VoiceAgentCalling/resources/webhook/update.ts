import type { IDataObject } from 'n8n-workflow';

import { objectIn } from '../../../shared/client/refusals';
import { deliveredEvents, eventsField } from '../../../shared/fields/events';
import { onlyFor } from '../../../shared/fields/field';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { withoutQuery } from '../../../shared/lib/text';
import { namedInUrl, webhooksPath } from '../../../shared/owner';
import { acceptedAddress } from '../../../shared/triggerSecrets/deliverySecret';
import { isSameTrigger, isTriggerUrl } from '../../../shared/triggerSecrets/triggerUrl';
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
	description: 'Change or disable a webhook. New events and extra headers replace the current ones.',
	fields: webhook,
	updates: [webhookName, webhookUrl, events, onlyFor('source', ['campaign'], includeCallEvents), ...webhookSettings],
	// The service's toggle route is not used: it is not idempotent, so a retry would undo the change of `enabled`.
	async run(api, { ownerType, ownerId, webhookId, ...changes }) {
		const owner = { ownerType, ownerId };
		const path = webhooksPath(owner, webhookId);
		const body = { ...changes };
		// The URL of a trigger's webhook names the version of its secret in its query, which the trigger does not show.
		const { webhook_url: address, custom_headers: headers } = changes;
		const lacksQuery = address !== undefined && isTriggerUrl(address) && namedInUrl(address).owner === undefined;
		if (lacksQuery || headers !== undefined) {
			const data = objectIn(await api.request({ method: 'GET', path }), 'the webhook');
			const current = String(data.webhook_url);
			if (lacksQuery && isSameTrigger(current, address)) {
				body.webhook_url = withoutQuery(address) + new URL(current).search;
			}
			const url = body.webhook_url ?? current;
			const { versions, verifyBy } = namedInUrl(url);
			// The new headers replace all others, including the header by which a trigger verifies. All that depends on the
			// token changes together.
			if (headers !== undefined && versions !== undefined && verifyBy === 'header' && isTriggerUrl(url)) {
				const target = { url: withoutQuery(url), isTest: false };
				Object.assign(body, acceptedAddress(await api.keys(), target, owner, versions, verifyBy, headers));
			}
		}
		return (await api.request({ method: 'PUT', path, body })).data as IDataObject;
	},
	outputs: webhookOutputs,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
