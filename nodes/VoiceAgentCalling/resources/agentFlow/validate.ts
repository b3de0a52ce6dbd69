import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { serviceError } from '../../../shared/errors/serviceError';
import { choice, defineField, local, onlyFor } from '../../../shared/fields/field';
import { json, listOf } from '../../../shared/fields/kinds';
import { isRecord } from '../../../shared/lib/json';
import { asHtml } from '../../../shared/lib/text';
import { agent } from '../../../shared/pickers/locators';
import { flowRules } from '../../agents/flows/lintFlow';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';
import { findingsInWords, flowError } from './flowError';

/** Where the flow to check comes from. */
const flowSource = local(
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
				description: 'A flow alone. Nothing is sent: only the rules check it, not the service.',
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

const WITH_AGENT = ['agent', 'jsonForAgent'];

const WITH_JSON = ['json', 'jsonForAgent'];

const failOn = local(
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

const ignoredRules = local(
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

const samplePayload = local(
	json('samplePayload', {
		displayName: 'Sample Payload',
		name: 'samplePayload',
		description:
			'Values of variables as a call sends them, such as {"first_name": "Ada"}. Placeholders of the flow without a value there are reported. Without a sample payload, they are not checked.',
	}),
);

export const validate = defineOperation({
	name: 'Validate',
	value: 'validate',
	action: 'Validate agent flow',
	description: 'Check a conversation flow without saving it. Errors are in the output; the item does not fail.',
	fields: [flowSource, onlyFor('flowSource', WITH_AGENT, agent), onlyFor('flowSource', WITH_JSON, flow)],
	options: [failOn, ignoredRules, samplePayload],
	async run(api, { agentId, flow_config }, options) {
		const { checkFlow } = await import('../../agents/flows/checkFlow.js');
		const { failOn: failsOn = 'never', ignoredRules: ignored, samplePayload: payload } = options;
		const given = flow_config ?? (await currentFlow(api, agentId as string));
		const checked = await checkFlow(api, given, { agentId, readsActions: 'always', payload, ignored });
		const { valid, service, rules, notChecked } = checked;
		for (const note of notChecked) {
			api.note(asHtml(note));
		}
		const counts = { errors: service?.errors.length ?? 0, warnings: rules.length };
		if (failsOn !== 'never' && valid === false) {
			throw flowError('FLOW_INVALID', checked);
		}
		if (failsOn === 'warnings' && counts.warnings > 0) {
			throw flowError('FLOW_WARNINGS', checked);
		}
		findingsInWords(checked).forEach(api.note);
		return { valid, service, rules, counts, notChecked } as unknown as IDataObject;
	},
	// Nothing is saved.
	repeat: 'check',
});

/** Reads the flow of an agent. @throws ServiceError `NO_FLOW` if the agent lacks one */
async function currentFlow(api: Api, agentId: string): Promise<Record<string, unknown>> {
	const { data } = await api.request({
		method: 'GET',
		path: ['agents', agentId, 'flow'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	});
	if (isRecord(data) && isRecord(data.flow_config)) {
		return data.flow_config;
	}
	throw serviceError('NO_FLOW');
}
