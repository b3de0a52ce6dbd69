import { choice, NOT_AS_TOOL } from '../../../shared/fields/field';

export const role = choice('role', {
	displayName: 'Role',
	name: 'role',
	required: true,
	options: [
		{ name: 'Editor', value: 'editor', description: 'Can view and edit the calendar' },
		{
			name: 'Owner',
			value: 'owner',
			description: 'Owns the calendar and probably replaces the current owner. The owner cannot be removed.',
			displayOptions: NOT_AS_TOOL,
		},
		{ name: 'Viewer', value: 'viewer', description: 'Can view the calendar' },
	],
	default: 'viewer',
	description: 'Role of the member',
});
