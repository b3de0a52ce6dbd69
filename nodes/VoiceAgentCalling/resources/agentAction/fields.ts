import type { z } from 'zod/v3';

import { booleanSchema, choice, defineField, numeric, rowsOf, textual, type Zod } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/kinds';
import { outputsOf } from '../../operation/outputChoice';

/** The default output shows what an action does and with which inputs. */
export const actionOutputs = outputsOf('GET /agents/{agent_id}/actions', [
	'name',
	'label',
	'description',
	'type',
	'url',
	'current_status',
	'input_schema',
	'created_at',
	'updated_at',
	'id',
]);

export const nodeId = text('node_id', {
	displayName: 'Action Key',
	name: 'nodeId',
	required: true,
	placeholder: 'e.g. book-appointment',
	description:
		'Your own key for the action. An action with the same key is probably updated, otherwise a new one is created. The service does not return the key, so store it.',
});

export const actionName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. book_appointment',
		description: 'Name of the action, up to 255 characters',
	},
	{ max: 255 },
);

export const actionDescription = text(
	'description',
	{
		displayName: 'Description',
		name: 'description',
		required: true,
		placeholder: 'e.g. Books an appointment for the person on the phone',
		description: 'What the action does. The agent decides by this text when to use it.',
	},
	{ multiline: true },
);

export const type = choice('type', {
	displayName: 'Type',
	name: 'type',
	options: [
		{ name: 'External', value: 'external', description: 'An external system performs it, even after the call' },
		{ name: 'Hold', value: 'hold', description: 'The agent puts the call on hold' },
		{ name: 'Transfer', value: 'transfer', description: 'The agent transfers the call to a number' },
		{ name: 'Webhook', value: 'webhook', description: 'The agent sends a request to a URL and uses the response' },
	],
	default: 'webhook',
	required: true,
	description: 'What kind of action it is',
});

/** Creates checks for fixed values of some types, because the editor has only text. */
function valueChecks(zod: Zod): Map<string, z.ZodType<unknown, z.ZodTypeDef, unknown>> {
	return new Map<string, z.ZodType<unknown, z.ZodTypeDef, unknown>>([
		['boolean', booleanSchema(zod)],
		['integer', numeric(zod, zod.number().int())],
		['number', numeric(zod, zod.number())],
	]);
}

/** Values that the action needs. They are fixed, or the agent asks for them. */
export const inputs = defineField({
	key: 'inputs',
	properties: [
		{
			displayName: 'Inputs',
			name: 'inputs',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Input',
			default: {},
			description:
				'Values that the action needs, such as the day of an appointment. An update replaces the current inputs: if you add none, it removes them.',
			options: [
				{
					displayName: 'Input',
					name: 'values',
					values: [
						{
							displayName: 'Description',
							name: 'description',
							type: 'string',
							default: '',
							placeholder: 'e.g. The day, YYYY-MM-DD',
							description: 'What the agent has to ask for',
						},
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. day',
						},
						{
							displayName: 'Required',
							name: 'required',
							type: 'boolean',
							default: false,
							description: 'Whether the action requires the value',
						},
						{
							displayName: 'Type',
							name: 'type',
							type: 'string',
							default: 'string',
							description: "Type of the value, such as 'string' or 'number'",
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description: 'Fixed value, of the type above. If empty, the agent asks for it.',
						},
					],
				},
			],
		},
	],
	read: ({ get }) => rowsOf(get('inputs')),
	check: (zod) => {
		const filled = textual(zod, zod.string().trim().min(1));
		const checks = valueChecks(zod);
		const input = zod
			.object({
				name: filled,
				type: filled,
				required: booleanSchema(zod),
				description: textual(zod, zod.string()),
				value: zod.unknown().transform((value) => (value === '' || value === null ? undefined : value)),
			})
			.strict()
			.transform((entered, context) => {
				const { type: kind, value } = entered;
				const checked = checks.get(kind)?.optional().safeParse(value) ?? { success: true, data: value };
				if (checked.success) {
					return { ...entered, value: checked.data as unknown };
				}
				context.addIssue({ code: 'custom', message: `Enter a value of the type ${kind}`, path: ['value'] });
				return zod.NEVER;
			});
		return zod.array(input);
	},
});
