import { unreadable } from '../../../shared/errors/serviceError';
import { enabled } from '../../../shared/fields/webhooks';
import { isRecord } from '../../../shared/lib/isRecord';
import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

export function enableOrDisable(kind: WebhookKind) {
	return defineOperation({
		name: 'Enable or Disable',
		value: 'enableOrDisable',
		action: `Enable or disable ${kind.one}`,
		description: `Let ${kind.one} get events, or none for a while. One that is so already stays so: changed is false.`,
		fields: [kind.owner, kind.webhook, enabled],
		// The service's own route flips the state, whatever it is: sent once more after an unclear answer, or by two
		// workflows at a time, it undoes what it did. The update says what the state is to be, so it may come twice.
		// It is sent even where the webhook seems to be so already, since that may have changed after the reading;
		// for the same reason `changed` tells of what was read, and is false where an earlier try did it.
		async run(api, { enabled: wanted, ...ids }) {
			const path = webhookPath(kind, ids);
			const { data: before } = await api.request({ method: 'GET', path });
			if (!isRecord(before)) {
				throw unreadable('without the webhook');
			}
			const { data: now } = await api.request({ method: 'PUT', path, body: { enabled: wanted } });
			return { ...before, enabled: wanted, ...Object(now), changed: before.enabled !== wanted };
		},
		simplified: kind.simplified && [...kind.simplified, 'changed'],
	});
}
