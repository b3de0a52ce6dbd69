import { choice } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

const subject = text(
	'subject',
	{
		displayName: 'Subject',
		name: 'subject',
		required: true,
		placeholder: 'e.g. Opening hours',
		description: 'What the training is about, up to 255 characters',
	},
	{ max: 255 },
);

const instructions = text(
	'instructions',
	{
		displayName: 'Instructions',
		name: 'instructions',
		required: true,
		description: 'What the agent needs to know or do',
	},
	{ multiline: true },
);

const nodeId = text('node_id', {
	displayName: 'Training Key',
	name: 'nodeId',
	placeholder: 'e.g. opening-hours',
	description:
		'Your own key for the training. A training with the same key is updated; without a key, each run adds a training. The service does not return the key, so store it.',
});

const status = choice('current_status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Active', value: 'active' },
		{ name: 'Inactive', value: 'inactive', description: 'The agent does not use the training' },
	],
	default: 'active',
	description: 'Whether the agent uses the training. A new one is active.',
});

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update agent training',
	description: 'Create a new training of a voice agent, or update the current one if it already exists (upsert)',
	fields: [agent, subject, instructions],
	options: [nodeId, status],
	request: ({ agentId, ...body }) => ({
		method: 'POST',
		path: ['agents', agentId, 'trainings'],
		body,
		codes: { 404: 'AGENT_NOT_FOUND' },
		// With a Node ID, a second request updates the training that the first one created.
		repeat: body.node_id === undefined ? 'never' : 'safe',
	}),
	output: (response) => response.data,
	drafts: 'part',
});
