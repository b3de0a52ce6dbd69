import { choice, local, onlyFor } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { agentDocument } from '../../agents/document/document';
import { publishAfterwards } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

const applyTo = local(
	choice('applyTo', {
		displayName: 'Apply To',
		name: 'applyTo',
		required: true,
		options: [
			{
				name: 'Agent by Name',
				value: 'agentByName',
				description: 'The agent with the name in the document. If no agent has it, it is created.',
			},
			{ name: 'Existing Agent', value: 'existingAgent', description: 'The agent that you choose' },
		],
		default: 'agentByName',
		description: 'Which agent is to match the document',
	}),
);

const dryRun = local(
	toggle('dryRun', {
		displayName: 'Dry Run',
		name: 'dryRun',
		default: true,
		description:
			'Whether to return the plan only: what differs, all requests in order, and what prevents them. Nothing is changed. Turn it off to apply the document.',
	}),
);

const removeOthers = local(
	toggle('removeOthers', {
		displayName: 'Remove Others',
		name: 'removeOthers',
		description:
			'Whether to delete actions and trainings of the agent that the document does not contain. Webhooks always stay.',
	}),
);

const unreadableFields = local(
	choice('unreadableFields', {
		displayName: 'Unreadable Fields',
		name: 'unreadableFields',
		options: [
			{
				name: 'Leave',
				value: 'leave',
				description: 'They stay as they are. An update that would reset one stops everything before the first request.',
			},
			{ name: 'Reset', value: 'reset', description: 'Those that the document lacks get the defaults of the service' },
			{
				name: 'Send',
				value: 'send',
				description: 'Those of the document are always sent: each run changes the agent, and makes it a draft',
			},
		],
		default: 'leave',
		description:
			'What to do about fields of actions, webhooks and the voice that the service never returns, such as headers: the node cannot see whether they differ from the document',
	}),
);

export const apply = defineOperation({
	name: 'Apply',
	value: 'apply',
	action: 'Apply agent document',
	description: 'Make a voice agent match a document of Export, or create it. Dry Run, on by default, only plans.',
	fields: [agentDocument, applyTo, onlyFor('applyTo', ['existingAgent'], agent), dryRun],
	options: [publishAfterwards, removeOthers, unreadableFields],
	async run(api, { document, agentId }, local) {
		const { applyDocument } = await import('../../agents/apply/applyDocument.js');
		return await applyDocument(api, {
			document,
			agentId,
			dryRun: local.dryRun,
			options: {
				publishAfterwards: local.publishAfterwards ?? 'ifPublished',
				removeOthers: local.removeOthers ?? false,
				unreadableFields: local.unreadableFields ?? 'leave',
			},
		});
	},
	// A person decides how to change an agent, not an AI agent.
	forTools: false,
});
