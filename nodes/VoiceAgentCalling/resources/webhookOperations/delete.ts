import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

/** Defines Delete for the webhooks of agents or campaigns. */
export function deleteWebhook(kind: WebhookKind) {
	return defineOperation({
		name: 'Delete',
		value: 'delete',
		action: `Delete ${kind.name}`,
		description: `Delete ${kind.one}. It receives no more events.`,
		fields: [kind.owner, kind.webhook],
		request: (input) => ({ method: 'DELETE', path: webhookPath(kind, input) }),
		output: () => ({ deleted: true }),
		forTools: false,
	});
}
