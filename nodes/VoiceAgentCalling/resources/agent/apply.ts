import { choice, local, onlyFor } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { agentDocument } from '../../agentDocument/documentField';
import { defineOperation } from '../../operation/defineOperation';
import { defaultBehavior } from './createFields';

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
			'Whether to return the plan only: all requests in order, and what prevents them. Nothing is changed. Turn it off to apply the document.',
	}),
);

const lintFirst = local(
	toggle('lintFirst', {
		displayName: 'Lint First',
		name: 'lintFirst',
		default: true,
		description:
			'Whether errors in the flow, as Agent Flow → Lint finds them, stop everything before the first request',
	}),
);

const publishWhen = local(
	choice('publishWhen', {
		displayName: 'Publish Afterwards',
		name: 'publishWhen',
		options: [
			{ name: 'Always', value: 'always', description: 'Publish the agent unless it is published' },
			{
				name: 'If It Was Published',
				value: 'ifPublished',
				description: 'A published agent is published again. A draft stays one, and a new agent is a draft.',
			},
			{ name: 'Never', value: 'never', description: 'The agent is a draft after most changes' },
		],
		default: 'ifPublished',
		description:
			'When to publish the agent after the changes. All changes but those of the flow and of webhooks make it a draft.',
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

const resetUnreadable = local(
	toggle('resetUnreadable', {
		displayName: 'Reset Unreadable Fields',
		name: 'resetUnreadable',
		description:
			'Whether to update actions and webhooks also if the document lacks fields that the service does not return. They get the defaults of the service. By default, this stops everything before the first request.',
	}),
);

const sendUnreadable = local(
	toggle('sendUnreadable', {
		displayName: 'Send Unreadable Fields',
		name: 'sendUnreadable',
		description:
			'Whether to update actions, webhooks and the voice also if only fields could differ that the service does not return. Then each run changes the agent, and makes it a draft.',
	}),
);

export const apply = defineOperation({
	name: 'Apply',
	value: 'apply',
	action: 'Apply agent document',
	description:
		'Make a voice agent match a document of Agent → Export, or create it. Only what differs is sent, so a second run changes nothing. A published agent is published again at the end. Dry Run, which is on by default, returns the plan only.',
	fields: [agentDocument, applyTo, onlyFor('applyTo', ['existingAgent'], agent), dryRun],
	options: [lintFirst, publishWhen, removeOthers, resetUnreadable, sendUnreadable],
	async run(api, { document, agentId }, local) {
		const { applyDocument } = await import('../../applying/applyDocument.js');
		return await applyDocument(api, {
			document,
			agentId,
			dryRun: local.dryRun,
			options: {
				lintFirst: local.lintFirst ?? true,
				publishWhen: local.publishWhen ?? 'ifPublished',
				removeOthers: local.removeOthers ?? false,
				resetUnreadable: local.resetUnreadable ?? false,
				sendUnreadable: local.sendUnreadable ?? false,
			},
			defaults: defaultBehavior,
		});
	},
	oneByOne: true,
	// A person decides what becomes of an agent, not an AI agent.
	forTools: false,
});
