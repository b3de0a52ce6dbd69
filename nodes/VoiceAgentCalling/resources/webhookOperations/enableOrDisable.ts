import { unreadable } from '../../../shared/errors/serviceError';
import { closedToModels, reworded } from '../../../shared/fields/field';
import { enabled } from '../../../shared/fields/webhooks';
import { isRecord } from '../../../shared/lib/isRecord';
import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

/** Defines Enable or Disable for the webhooks of agents or campaigns. */
export function enableOrDisable(kind: WebhookKind) {
	return defineOperation({
		name: 'Enable or Disable',
		value: 'enableOrDisable',
		action: `Enable or disable ${kind.name}`,
		description: `Enable or disable ${kind.one}. A disabled webhook receives no events. If nothing had to change, changed is false.`,
		fields: [kind.owner, kind.webhook, closedToModels(reworded(enabled, { required: true }), [false])],
		// The service's toggle route is not idempotent: a retry, or a second workflow at the same time, would undo the
		// change. An update of `enabled` can be sent twice. It is sent even if the webhook already has the state, since
		// that can change after the read. `changed` compares with what was read, so it is false if an earlier attempt
		// made the change.
		async run(api, { enabled: target, ...ids }) {
			const path = webhookPath(kind, ids);
			const { data: before } = await api.request({ method: 'GET', path });
			if (!isRecord(before)) {
				throw unreadable('without the webhook');
			}
			const { data: now } = await api.request({ method: 'PUT', path, body: { enabled: target } });
			return { ...before, enabled: target, ...Object(now), changed: before.enabled !== target };
		},
		outputs: kind.changeOutputs,
	});
}
