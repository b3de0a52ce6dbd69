import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { disconnectOwner } from './connection';
import { owner } from './fields';

export const disconnectFromTrigger = defineOperation({
	name: 'Disconnect From Trigger',
	value: 'disconnectFromTrigger',
	action: 'Disconnect source from trigger',
	description: 'Reverse Connect to Trigger: the trigger no longer receives the events of the agent or campaign',
	fields: [...owner, trigger],
	async run(api, { triggerUrl, ...one }) {
		return await disconnectOwner(api, triggerUrl, one);
	},
	// A person decides where events are sent, not an AI agent.
	forTools: false,
});
