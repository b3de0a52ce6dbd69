import { choice, defineField, local } from '../../../shared/fields/field';
import { json, listOf } from '../../../shared/fields/kinds';
import { flowRules } from '../../agents/flows/lintFlow';

/** Where the flow to check comes from. */
export const flowSource = local(
	choice('flowSource', {
		displayName: 'Flow Source',
		name: 'flowSource',
		options: [
			{
				name: 'Current Flow of an Agent',
				value: 'agent',
				description:
					'The flow that an agent has now. The service validates it, and the actions of the agent are checked.',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'A flow alone. Nothing is sent: only the rules check it, so errors are not found.',
			},
			{
				name: 'JSON for an Agent',
				value: 'jsonForAgent',
				description:
					'A flow that an agent is to get. The service validates it, and the actions of the agent are checked.',
			},
		],
		default: 'agent',
		required: true,
		description: 'Which flow to check',
	}),
);

export const WITH_AGENT = ['agent', 'jsonForAgent'];

export const WITH_JSON = ['json', 'jsonForAgent'];

export const failOn = local(
	choice('failOn', {
		displayName: 'Fail On',
		name: 'failOn',
		options: [
			{ name: 'Errors', value: 'errors', description: 'The item fails if the service reports errors' },
			{ name: 'Never', value: 'never', description: 'The output has what was found' },
			{ name: 'Warnings', value: 'warnings', description: 'The item fails if there are errors or warnings' },
		],
		default: 'never',
		description:
			'Whether the item fails if something is found, for example to stop a workflow before it changes agents',
	}),
);

const ruleNames = flowRules.map(({ name }) => name);

/** The name of a rule for the editor: `No Path to End`. */
function titleOf(name: string): string {
	const words = name.split('-').map((word) => (word === 'to' ? word : `${word[0].toUpperCase()}${word.slice(1)}`));
	return words.join(' ');
}

export const ignoredRules = local(
	defineField({
		key: 'ignoredRules',
		properties: [
			{
				displayName: 'Ignore Rules',
				name: 'ignoreRules',
				type: 'multiOptions',
				options: ruleNames
					.map((value) => ({ name: titleOf(value), value }))
					.sort((one, other) => (one.name < other.name ? -1 : 1)),
				default: [],
				description: 'Rules that do not run. It does not change what the service reports.',
			},
		],
		read: ({ get }) => listOf(get('ignoreRules')),
		check: (zod) =>
			zod
				.array(
					zod.custom<string>(
						(value) => ruleNames.includes(value as string),
						'Use the names of rules as findings have them, such as dead-end',
					),
				)
				.optional(),
	}),
);

/** Values of variables. */
export const samplePayload = local(
	json('samplePayload', {
		displayName: 'Sample Payload',
		name: 'samplePayload',
		description:
			'Values of variables as a call sends them, such as {"first_name": "Ada"}. Placeholders of the flow without a value there are reported. Without a sample payload, they are not checked.',
	}),
);
