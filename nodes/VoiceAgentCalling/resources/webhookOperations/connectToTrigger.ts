import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeConnection } from './connection';
import { sourceOf, type WebhookKind } from './kind';

/** Defines Connect to Trigger for the webhooks of agents or campaigns. */
export function connectToTrigger(kind: WebhookKind) {
	const source = sourceOf(kind);
	return defineOperation({
		name: 'Connect to Trigger',
		value: 'connectToTrigger',
		action: `Connect ${source} to trigger`,
		description: `Have a published Voice Agent Calling Trigger receive the events of one more ${source}, such as one that a workflow has created. The trigger registers the webhook itself, with its own settings, and verifies the deliveries like the others. Its option Accept Connections must be on. To connect twice changes nothing.`,
		fields: [kind.owner, trigger],
		async run(api, { ownerId, triggerUrl }) {
			return await changeConnection(api, triggerUrl, 'connect', { source, ownerId });
		},
		repeat: 'safe',
		// A person decides where events are sent, not an AI agent.
		forTools: false,
	});
}
