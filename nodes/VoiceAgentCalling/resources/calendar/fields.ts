import { text } from '../../../shared/fields/kinds';
import { timeZone } from '../../../shared/fields/timeKinds';
import { addedKeyValues } from '../../fields/keyValues';

export const calendarName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Sales visits',
		description: 'Name of the calendar, up to 255 characters',
	},
	{ max: 255 },
);

/** Makes the time zone field. @param description depends on the operation; without a period */
export function calendarTimeZone(description: string) {
	return timeZone('timezone', {
		displayName: 'Time Zone Name or ID',
		name: 'timezone',
		description: `${description}. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	});
}

/** Makes the metadata field. @param note explains what happens to the current metadata */
export function metadata(note = '') {
	return addedKeyValues('metadata', {
		displayName: 'Metadata',
		name: 'metadata',
		description: `Your own data about the calendar, such as an ID in another system${note}`,
	});
}
