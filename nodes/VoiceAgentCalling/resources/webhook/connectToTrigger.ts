import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { connectOwner } from './connection';
import { owner } from './fields';

export const connectToTrigger = defineOperation({
	name: 'Connect to Trigger',
	value: 'connectToTrigger',
	action: 'Connect source to trigger',
	description: 'Have a published Voice Agent Calling Trigger receive the events of one more agent or campaign',
	fields: [...owner, trigger],
	async run(api, { triggerUrl, ...one }) {
		return await connectOwner(api, triggerUrl, one);
	},
	// A person decides where events are sent, not an AI agent.
	forTools: false,
});
