import { invalid, ServiceError } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, numeric, ONLY_AS_TOOL } from '../../shared/fields/field';

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
				description: 'How many calls the model may place or queue in one run of the workflow',
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
				description:
					'How the numbers that the model may call begin, parted by commas. Left empty, it may call any number.',
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) =>
			zod
				.string()
				.default('')
				// Only an empty field allows every number: a comma alone is a mistake.
				.refine((text) => text === '' || /\d/.test(text), { message: 'Write at least one prefix, or nothing' })
				.transform((text) => text.split(',').map((prefix) => prefix.replace(/[\s()./-]/g, '')))
				.transform((prefixes) => prefixes.filter((prefix) => prefix !== ''))
				.refine((prefixes) => prefixes.every((prefix) => /^\+\d+$/.test(prefix)), {
					message: 'Write each prefix with +, for example +49, +4420',
				}),
	}),
] as const;

/**
 * Makes sure that a person has set the limits. n8n keeps an expression such as `$fromAI()` even in fields that allow no
 * expressions, if the workflow was imported.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
export function assertSetByPerson({ isConstant }: FieldSource): void {
	for (const { properties } of toolFields) {
		const [{ name, displayName }] = properties;
		if (isConstant?.(name) === false) {
			throw invalid(`'${displayName}' is an expression`, 'Enter a fixed value: a model must not set its own limits.');
		}
	}
}

/**
 * Checks that an AI agent may call a number.
 *
 * @param number in E.164
 * @param allowedPrefixes if empty, every number is allowed
 * @throws ServiceError `NUMBER_NOT_ALLOWED`
 */
export function assertAllowed(number: string, allowedPrefixes: readonly string[]): void {
	if (allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => number.startsWith(prefix))) {
		return;
	}
	throw new ServiceError(`${number} is not a number that this tool may call`, {
		code: 'NUMBER_NOT_ALLOWED',
		advice: `It may call numbers that begin with ${allowedPrefixes.join(' or ')}.`,
		accepted: 'no',
	});
}
