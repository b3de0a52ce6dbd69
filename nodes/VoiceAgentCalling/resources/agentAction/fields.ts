import { choice, defineField, rowsOf, textual, truth } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/kinds';
import { outputsOf } from '../../operation/outputChoice';

/** By default, the output has what an action does and with which inputs. */
export const actionOutputs = outputsOf('GET /agents/{agent_id}/actions', [
	'id',
	'name',
	'label',
	'description',
	'type',
	'input_schema',
	'url',
	'current_status',
	'created_at',
	'updated_at',
]);

export const nodeId = text('node_id', {
	displayName: 'Node ID',
	name: 'nodeId',
	required: true,
	placeholder: 'e.g. book-appointment',
	description:
		'A key of your own. The service is understood to update the action of the agent that has it, and to create one where none has. It does not give the key back: keep it.',
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
		description: 'What the action does: from this the agent knows when to use it',
	},
	{ multiline: true },
);

export const type = choice('type', {
	displayName: 'Type',
	name: 'type',
	options: [
		{ name: 'External', value: 'external', description: 'Something outside does it, also after the call' },
		{ name: 'Hold', value: 'hold', description: 'The agent puts the call on hold' },
		{ name: 'Transfer', value: 'transfer', description: 'The agent transfers the call to a number' },
		{ name: 'Webhook', value: 'webhook', description: 'The agent calls an address and uses the answer' },
	],
	default: 'webhook',
	required: true,
	description: 'What kind of action it is',
});

/** Values that the action needs: asked for in the conversation, or fixed. */
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
				'What the action needs, such as the day of an appointment. An update replaces the current inputs: if you add none, the action has none.',
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
							description: 'What the agent has to find out',
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
							description: 'Whether the action cannot do without it',
						},
						{
							displayName: 'Type',
							name: 'type',
							type: 'string',
							default: 'string',
							description: "Kind of the value, such as 'string' or 'number'",
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description: 'A given value; left empty, the agent finds it out',
						},
					],
				},
			],
		},
	],
	read: ({ get }) => rowsOf(get('inputs')),
	check: (zod) => {
		const filled = textual(zod, zod.string().trim().min(1));
		const input = zod.object({
			name: filled,
			type: filled,
			required: truth(zod),
			description: textual(zod, zod.string()),
			value: zod.unknown().transform((value) => (value === '' || value === null ? undefined : value)),
		});
		return zod.array(input);
	},
});
