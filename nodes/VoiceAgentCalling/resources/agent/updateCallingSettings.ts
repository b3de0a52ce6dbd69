import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { direction, phoneNumbers } from './fields';
import { putSettings } from './putSettings';

const part = { name: 'calling', required: [direction], preserved: [] } as const;

export const updateCallingSettings = defineOperation({
	name: 'Update Calling Settings',
	value: 'updateCallingSettings',
	action: 'Update agent calling settings',
	description:
		'Change the direction or the phone numbers of a voice agent. What you do not add keeps its current value.',
	fields: [agent],
	updates: [direction, phoneNumbers(' They replace the current numbers.')],
	run: (api, { agentId, ...changes }) => putSettings(api, agentId, part, changes),
	drafts: 'agent',
});
