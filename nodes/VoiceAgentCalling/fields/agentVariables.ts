import { choice, defineField, jsonObject, local, withRules } from '../../shared/fields/field';
import { isJsonObject } from '../../shared/lib/json';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';

/** The values of Agent Variables. */
export interface Mapping {
	/** Whether to take the values from the input fields with the names of the variables. */
	automatic: boolean;
	/** The values that the user mapped, by the variable's name; empty if `automatic`. */
	values: Record<string, unknown>;
}

/** Accepts a value as n8n's editor stores it for the field; manual mapping is the default. */
function isMapping(value: unknown): boolean {
	return (
		isJsonObject(value) &&
		('mappingMode' in value || 'value' in value || Object.keys(value).length === 0) &&
		['defineBelow', 'autoMapInputData', undefined].includes(value.mappingMode as string | undefined) &&
		(value.value === undefined || value.value === null || isJsonObject(value.value))
	);
}

/** Returns the values that are not null or undefined: the editor stores null for an empty field. */
function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/**
 * Removes undefined values, which must not replace others, and converts numbers that JSON lacks, such as NaN, to null.
 * Neither is a mistake in the field: Missing Variables decides about variables without a value.
 */
function asJson(values: unknown): unknown {
	if (!isJsonObject(values)) {
		return values;
	}
	const isKept = (value: unknown) => typeof value !== 'number' || Number.isFinite(value);
	const defined = Object.entries(values).filter(([, value]) => value !== undefined);
	return Object.fromEntries(defined.map(([name, value]) => [name, isKept(value) ? value : null]));
}

/**
 * Makes the field for the variables of the agent, which are the placeholders in its prompt. It is shown once `owner` is
 * chosen: the editor always reads the columns of a field that appears, but rereads the columns of a visible field only
 * if it can evaluate the expressions of all parameters, which needs a run of the previous nodes.
 *
 * The field is read with its schema, because n8n converts `agentVariables.value` to the types of the stored schema.
 *
 * @param owner the parameter that determines the agent
 */
function variablesOf(owner: 'agent' | 'campaign') {
	return local(
		defineField({
			key: 'agentVariables',
			properties: [
				{
					displayName: 'Agent Variables',
					name: 'agentVariables',
					type: 'resourceMapper',
					noDataExpression: true,
					default: { mappingMode: 'defineBelow', value: null },
					description:
						'Values for the variables of the agent: the placeholders in its prompt, first message, trainings and flow that are written as {{name}}, probably the notation of the service. Variables without a value are not sent. To add other names, use Options → Variables (JSON).',
					builderHint: {
						propertyHint:
							'With defineBelow, value has one key for each variable, named as in the prompt of the agent. Other names are sent, too. autoMapInputData takes the input fields with the names of the variables. An item without a value for a variable of the agent is not called, unless options.missingVariables is ignore.',
					},
					displayOptions: { hide: { [owner]: [''] } },
					typeOptions: {
						// Depends on the name, not the value: for an expression, the editor would clear the mapped values in each
						// run with another value, and in the first run after the workflow was opened.
						loadOptionsDependsOn: [`${owner}.cachedResultName`],
						resourceMapper: {
							resourceMapperMethod: 'getAgentVariables',
							mode: 'map',
							// The editor does not show the name of the field.
							valuesLabel: 'Agent Variables',
							fieldWords: { singular: 'variable', plural: 'variables' },
							addAllFields: true,
							multiKeyMatch: false,
							supportAutoMap: true,
							// The notice of `agentVariableColumns` replaces n8n's error.
							hideNoDataError: true,
							// Needed for an agent that was changed while the editor could not evaluate an expression.
							refreshStaleSchemaOnOpen: true,
						},
					},
				},
			],
			check: (zod) =>
				zod
					.custom<{ mappingMode?: string; value?: Record<string, unknown> | null }>(
						isMapping,
						"Choose a mapping mode: in JSON, defineBelow with the variables in value, or autoMapInputData. For an object from an expression, use 'Variables (JSON)' in Options",
					)
					.transform(
						({ mappingMode, value }): Mapping =>
							mappingMode === 'autoMapInputData'
								? { automatic: true, values: {} }
								: { automatic: false, values: withoutResumeTokens(withoutEmpty(value ?? {})) },
					),
		}),
	);
}

/** For operations that call with a chosen agent. */
export const agentVariables = variablesOf('agent');

/** For operations that call with the agent of a chosen campaign. */
export const campaignVariables = variablesOf('campaign');

/** Values for variables from an expression, including names that Agent Variables does not list. */
export const variablesJson = local(
	defineField({
		key: 'variablesJson',
		properties: [
			{
				displayName: 'Variables (JSON)',
				name: 'variablesJson',
				type: 'json',
				default: '{}',
				description:
					'Values for variables as a JSON object. They replace values with the same names in Agent Variables.',
			},
		],
		check: (zod) => zod.preprocess(asJson, jsonObject(zod)).transform((values) => withoutResumeTokens(values)),
	}),
);

/** What to do about variables without a value. */
export const [missingVariables] = withRules(
	{ ai: 'fixed' },
	local(
		choice('missingVariables', {
			displayName: 'Missing Variables',
			name: 'missingVariables',
			options: [
				{ name: 'Fail', value: 'fail', description: 'The call is not sent' },
				{ name: 'Ignore', value: 'ignore', description: 'The call is sent, and the variables are not read' },
			],
			default: 'fail',
			description: 'What to do when a variable of the agent has no value, or cannot be read',
		}),
	),
);
