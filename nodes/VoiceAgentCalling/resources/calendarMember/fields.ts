import { choice } from '../../../shared/fields/field';

export const role = choice('role', {
	displayName: 'Role',
	name: 'role',
	options: [
		{ name: 'Editor', value: 'editor', description: 'Sees the calendar and changes what is in it' },
		{
			name: 'Owner',
			value: 'owner',
			description: 'Owns the calendar, in place of its present owner. The owner cannot be removed.',
			forTools: false,
		},
		{ name: 'Viewer', value: 'viewer', description: 'Sees the calendar and changes nothing' },
	],
	default: 'viewer',
	description: 'What the member may do with the calendar',
});
