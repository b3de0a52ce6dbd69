import type { INodeProperties } from 'n8n-workflow';

import { invalid, serviceError } from '../../shared/errors/serviceError';
import { defineField, numeric, ONLY_AS_TOOL } from '../../shared/fields/field';
import { prefixOf } from '../../shared/phoneNumbers/e164';

/** The limits for calls that an AI agent places. */
export const toolFields = [
	defineField({
		key: 'maxCalls',
		properties: [
			{
				displayName: 'Max Calls per Run',
				name: 'maxCalls',
				type: 'number',
				typeOptions: { minValue: 1 },
				noDataExpression: true,
				default: 1,
				description:
					"Maximum number of calls that the model can place or queue in one run of the workflow. Each chat message is a separate run, and so is each tool call of an MCP client or of one of n8n's own agents: there, only Max Calls per Hour limits.",
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) => numeric(zod, zod.number().int().min(1)),
	}),
	defineField({
		key: 'maxCallsPerHour',
		properties: [
			{
				displayName: 'Max Calls per Hour',
				name: 'maxCallsPerHour',
				type: 'number',
				typeOptions: { minValue: 1 },
				noDataExpression: true,
				default: 10,
				description:
					'Maximum number of calls that the model can place or queue within 60 minutes, across all runs. All tools of this workflow with the same credential count together. The count restarts with n8n, and in queue mode each worker counts separately.',
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) => numeric(zod, zod.number().int().min(1)),
	}),
	defineField({
		key: 'allowedPrefixes',
		properties: [
			{
				displayName: 'Allowed Number Prefixes',
				name: 'allowedPrefixes',
				type: 'string',
				noDataExpression: true,
				default: '',
				placeholder: 'e.g. +49, +4420',
				hint: 'If empty, the model may call any number',
				description: 'Prefixes of the numbers that the model may call, separated by commas',
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) =>
			zod
				.string()
				.default('')
				// Only an empty field allows every number: a comma alone is a mistake.
				.refine((text) => text === '' || /\d/.test(text), { message: 'Enter at least one prefix, or leave it empty' })
				.transform((text) => text.split(',').filter((prefix) => prefix.trim() !== ''))
				.transform((prefixes, context) =>
					prefixes.map((prefix) => {
						const digits = prefixOf(prefix);
						if (digits !== undefined) {
							return digits;
						}
						context.addIssue({ code: 'custom', message: 'Start each prefix with +, for example +49, +4420' });
						return zod.NEVER;
					}),
				),
	}),
] as const;

/** The parameters that determine what the tool does, which a model must not choose. */
export const toolChoices = [
	{ displayName: 'Resource', name: 'resource' },
	{ displayName: 'Operation', name: 'operation' },
] as const;

/** The limits, which a model must not set. */
export const toolLimits = toolFields.map(({ properties: [property] }) => property);

/**
 * Asserts that a person has set some parameters of a tool. If a workflow was imported, n8n keeps an expression such as
 * `$fromAI()` even in fields that do not allow expressions.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
export function assertSetByPerson(
	parameters: ReadonlyArray<Pick<INodeProperties, 'displayName' | 'name'>>,
	isConstant: (parameter: string) => boolean,
): void {
	for (const { name, displayName } of parameters) {
		if (!isConstant(name)) {
			throw invalid(
				`'${displayName}' must be a fixed value`,
				'Replace the expression: the model must not set this parameter.',
			);
		}
	}
}

/**
 * Asserts that an AI agent may call a number.
 *
 * @param number in E.164
 * @param allowedPrefixes if empty, every number is allowed
 * @throws ServiceError `NUMBER_NOT_ALLOWED`
 */
export function assertAllowed(number: string, allowedPrefixes: readonly string[]): void {
	if (allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => number.startsWith(prefix))) {
		return;
	}
	throw serviceError('NUMBER_NOT_ALLOWED', { number, prefixes: allowedPrefixes.join(' or ') });
}
