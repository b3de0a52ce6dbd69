import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeConnection } from './connection';
import { sourceOf, type WebhookKind } from './kind';

/** Defines Disconnect From Trigger for the webhooks of agents or campaigns. */
export function disconnectFromTrigger(kind: WebhookKind) {
	const source = sourceOf(kind);
	return defineOperation({
		name: 'Disconnect From Trigger',
		value: 'disconnectFromTrigger',
		action: `Disconnect ${source} from trigger`,
		description: `Reverse Connect to Trigger: the trigger deletes the webhook of the ${source} and receives no more of its events. If it was not connected, wasConnected is false.`,
		fields: [kind.owner, trigger],
		async run(api, { ownerId, triggerUrl }) {
			return await changeConnection(api, triggerUrl, 'disconnect', { source, ownerId });
		},
		repeat: 'safe',
		// A person decides where events are sent, not an AI agent.
		forTools: false,
	});
}
