import { choice, defineField, local } from '../../../shared/fields/field';
import { json, listOf } from '../../../shared/fields/kinds';
import { type RuleName, ruleTitles } from '../../flows/ruleNames';

/** Where the flow to check comes from. */
export const flowSource = local(
	choice('flowSource', {
		displayName: 'Flow Source',
		name: 'flowSource',
		options: [
			{
				name: 'Current Flow of an Agent',
				value: 'agent',
				description: 'The flow that an agent has now. Its actions are checked, and the service is asked.',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'A flow alone. Nothing is sent, and rules about actions do not apply.',
			},
			{
				name: 'JSON for an Agent',
				value: 'jsonForAgent',
				description: 'A flow that an agent is to get. Its actions are checked, and the service is asked.',
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
			{ name: 'Errors', value: 'errors', description: 'The item fails if the flow has errors' },
			{ name: 'Never', value: 'never', description: 'The output says what was found' },
			{ name: 'Warnings', value: 'warnings', description: 'The item fails if the flow has errors or warnings' },
		],
		default: 'never',
		description:
			'Whether the item fails if something is found, for example to stop a workflow before it changes agents',
	}),
);

const ruleNames = Object.keys(ruleTitles) as RuleName[];

export const ignoredRules = local(
	defineField({
		key: 'ignoredRules',
		properties: [
			{
				displayName: 'Ignore Rules',
				name: 'ignoreRules',
				type: 'multiOptions',
				options: ruleNames
					.map((value) => ({ name: ruleTitles[value], value }))
					.sort((one, other) => (one.name < other.name ? -1 : 1)),
				default: [],
				description: 'Rules of which findings are left out. It does not change what the service says.',
			},
		],
		read: ({ get }) => listOf(get('ignoreRules')),
		check: (zod) =>
			zod
				.array(
					zod.custom<RuleName>(
						(value) => ruleNames.includes(value as RuleName),
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
