import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeConnection } from './connection';
import { owner } from './fields';

export const connectToTrigger = defineOperation({
	name: 'Connect to Trigger',
	value: 'connectToTrigger',
	action: 'Connect source to trigger',
	description:
		'Have a published Voice Agent Calling Trigger receive the events of one more agent or campaign, such as one that a workflow has created. The trigger registers the webhook itself, with its own settings, and verifies the deliveries like the others. Its option Accept Connections must be on. To connect twice changes nothing.',
	fields: [...owner, trigger],
	async run(api, { triggerUrl, ...one }) {
		return await changeConnection(api, triggerUrl, 'connect', one);
	},
	repeat: 'safe',
	// A person decides where events are sent, not an AI agent.
	forTools: false,
});
