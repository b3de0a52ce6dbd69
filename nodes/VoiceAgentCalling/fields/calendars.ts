import { invalid } from '../../shared/errors/serviceError';
import { defineField, type Field, textual, type Zod } from '../../shared/fields/field';
import { UUID } from '../../shared/fields/kinds';
import { moment } from '../../shared/fields/timeKinds';
import { timeIn } from '../../shared/lib/time';
import { locator } from '../../shared/pickers/locators';

/**
 * Makes a field for the ID of a user, as text because the service lacks a list of users.
 *
 * @param property its description; a hint where to find an ID is appended
 */
export function userId<const Key extends string>(
	key: Key,
	property: { displayName: string; name: string; required?: true; description: string },
): Field<Key, string> {
	return defineField({
		key,
		properties: [
			{
				...property,
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c',
				description: `${property.description}. The service has no list of users: Calendar Member → Get Many returns the user_id of people who share a calendar.`,
			},
		],
		check: userIdCheck,
	});
}

function userIdCheck(zod: Zod) {
	const id = zod.string().trim();
	const advice = 'Enter an ID like 3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c, not a name or an email address';
	return textual(zod, id.regex(UUID, advice));
}

/** The user who owns a new calendar. */
export const calendarOwner: Field<'owner_id', string> = {
	...locator('owner_id', {
		displayName: 'Owner',
		name: 'owner',
		description:
			'User who owns the calendar. The list shows the members of up to 25 calendars, because the service has no list of users. For any other user, enter the ID.',
		list: 'searchUsers',
	}),
	check: userIdCheck,
};

/** Makes a field for a point in time. @param property its description; the rule for time zones is appended */
export function momentField<const Key extends string>(
	key: Key,
	property: { displayName: string; name: string; required?: true; default?: string; description: string },
): Field<Key, string> {
	const description = `${property.description}. Without an offset such as +02:00 it is in the time zone of the workflow.`;
	return moment(key, { ...property, description });
}

/** A point in time and the name of its field. */
type NamedTime = readonly [field: string, time: string | undefined];

/** @throws ServiceError `INVALID_INPUT` if both times are set and the second is not after the first */
export function assertInOrder([first, start]: NamedTime, [last, end]: NamedTime): void {
	const [begins, ends] = [start, end].map(timeIn);
	if (begins === undefined || ends === undefined || begins < ends) {
		return;
	}
	throw invalid(
		`'${last}' is not after '${first}': ${end} and ${start}`,
		'Check both, and their time zones: a time without an offset is in the time zone of the workflow.',
	);
}
