import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeConnection } from './connection';
import { owner } from './fields';

export const disconnectFromTrigger = defineOperation({
	name: 'Disconnect From Trigger',
	value: 'disconnectFromTrigger',
	action: 'Disconnect source from trigger',
	description:
		'Reverse Connect to Trigger: the trigger deletes the webhook of the agent or campaign and receives no more of its events. If it was not connected, wasConnected is false.',
	fields: [...owner, trigger],
	async run(api, { triggerUrl, ...one }) {
		return await changeConnection(api, triggerUrl, 'disconnect', one);
	},
	repeat: 'safe',
	// A person decides where events are sent, not an AI agent.
	forTools: false,
});
