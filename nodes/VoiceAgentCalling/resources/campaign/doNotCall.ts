import type { Api } from '../../../shared/client/api';
import { invalid } from '../../../shared/errors/serviceError';
import { choice, defineField, FILL_IN_OR_REMOVE, withRules } from '../../../shared/fields/field';
import { listOf, ONE_CODE, toggle } from '../../../shared/fields/kinds';
import { entriesOf, NumberList } from '../../fields/numberList';

const doNotCall = toggle('do_not_call_enabled', {
	displayName: 'Skip Do-Not-Call Numbers',
	name: 'doNotCall',
	default: true,
	description: 'Whether the campaign does not call numbers on the do-not-call list below',
});

const doNotCallSource = choice('do_not_call_list_source', {
	displayName: 'Do Not Call List',
	name: 'doNotCallList',
	options: [
		{ name: 'Campaign', value: 'campaign', description: "Not documented: probably the campaign's own list" },
		{ name: 'Custom', value: 'custom', description: 'The numbers in Do Not Call Numbers' },
		{ name: 'Environment', value: 'environment', description: 'The list of the environment' },
		{ name: 'Global', value: 'global', description: 'Not documented: probably one list for all environments' },
	],
	default: 'environment',
	description: 'The do-not-call list to use',
});

/** Without `?? row`, as for Blocked Numbers: no rows must not remove every number from the list. */
const LIST_EXAMPLE = "{{ $('Get Rows').all().map(row => row.json.phone) }}";

const doNotCallNumbers = defineField({
	key: 'do_not_call_custom_list',
	properties: [
		{
			displayName: 'Do Not Call Numbers',
			name: 'doNotCallNumbers',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. +4915112345678, +4915112345679',
			description:
				'Numbers of the custom list, with + and the country code, separated by commas or line breaks. An expression has to return a list. They replace the current list, with what the service has added to it, and are used only if Skip Do-Not-Call Numbers is on and Do Not Call List is Custom.',
		},
	],
	read({ get, isConstant }) {
		const [name, isTyped] = ["'Do Not Call Numbers'", isConstant('doNotCallNumbers')];
		const entries = entriesOf(name, get('doNotCallNumbers'), isTyped, LIST_EXAMPLE);
		const countryAdvice = 'Enter the numbers of the list with + and the country code.';
		const list = entries && new NumberList(entries, { name, countryAdvice, isTyped });
		list?.read();
		return list?.numbers;
	},
	check: (zod) => zod.array(zod.string()),
	// An expression without a value must not remove every number from the list.
	empty: { error: 'Enter numbers, or the expression {{ [] }} for a list without numbers.' },
});

const addToDoNotCall = toggle('auto_add_to_dnc_enabled', {
	displayName: 'Add Numbers to Do-Not-Call List',
	name: 'addToDoNotCall',
	default: true,
	description:
		'Whether the service adds a number to the do-not-call list after a call with one of the statuses or errors below',
});

/** Makes a field for outcomes that add a number to the list. Expressions can use unlisted, unpublished values. */
function triggers<const Key extends string>(
	key: Key,
	displayName: string,
	name: string,
	description: string,
	options: Array<{ name: string; value: string }>,
) {
	return defineField({
		key,
		properties: [{ displayName, name, type: 'multiOptions', options, default: [], description }],
		read: ({ get }) => listOf(get(name)),
		check: (zod) => zod.array(zod.string().trim().regex(ONE_CODE, 'Use values of the service, such as completed')),
	});
}

const triggerStatuses = triggers(
	'auto_dnc_trigger_statuses',
	'Add Numbers After Call Statuses',
	'addAfterStatuses',
	'Call statuses that add the number to the do-not-call list',
	[
		{ name: 'Completed', value: 'completed' },
		{ name: 'Voicemail', value: 'voicemail' },
	],
);

const triggerErrors = triggers(
	'auto_dnc_trigger_errors',
	'Add Numbers After Call Errors',
	'addAfterErrors',
	'Call errors that add the number to the do-not-call list',
	[
		{ name: 'Disconnected', value: 'disconnected' },
		{ name: 'Invalid Number', value: 'invalid_number' },
	],
);

/** The do-not-call settings of a campaign. */
export const doNotCallRules = withRules(
	{ ai: 'fixed' },
	...withRules(
		{ empty: FILL_IN_OR_REMOVE },
		doNotCall,
		doNotCallSource,
		addToDoNotCall,
		triggerStatuses,
		triggerErrors,
	),
	doNotCallNumbers,
);

interface DoNotCallValues {
	auto_add_to_dnc_enabled?: boolean;
	auto_dnc_trigger_statuses?: string[];
	auto_dnc_trigger_errors?: string[];
	do_not_call_enabled?: boolean;
	do_not_call_list_source?: string;
	do_not_call_custom_list?: string[];
}

/**
 * Notes that settings protect nobody, which may be a mistake: a custom list is empty, the campaign adds nobody to a list,
 * or may call whom it has added.
 *
 * @param isNew whether the campaign is new: what is not set is off then
 */
export function noteUselessList(api: Api, values: DoNotCallValues, isNew = false): void {
	if (values.do_not_call_custom_list?.length === 0) {
		api.note('The custom do-not-call list of the campaign is empty: it skips nobody.');
	}
	const {
		auto_add_to_dnc_enabled: adds,
		auto_dnc_trigger_statuses: statuses,
		auto_dnc_trigger_errors: errors,
	} = values;
	// What is not sent has the defaults of the service.
	if (adds && [statuses, errors].every((list) => list?.length === 0)) {
		api.note("The campaign adds no number to a list: 'Add Numbers After Call Statuses' and '… Errors' are empty.");
	}
	if (adds && (isNew ? !values.do_not_call_enabled : values.do_not_call_enabled === false)) {
		api.note("The campaign may call again whom it adds to a list: 'Skip Do-Not-Call Numbers' is not on.");
	}
}

/** A field of these settings, as far as it is needed here. */
type Setting = Pick<typeof doNotCallNumbers, 'properties'> & { key: keyof DoNotCallValues };

/** @throws ServiceError `INVALID_INPUT` if settings are given that only count with a switch that is not on */
function assertIsOn(values: DoNotCallValues, on: Setting, settings: readonly Setting[]): void {
	const unused = settings.filter(({ key }) => values[key] !== undefined);
	if (!values[on.key] && unused.length > 0) {
		const nameOf = ({ properties: [{ displayName }] }: Setting) => `'${displayName}'`;
		throw invalid(
			`${unused.map(nameOf).join(', ')} only ${unused.length === 1 ? 'counts' : 'count'} while ${nameOf(on)} is on`,
			`Also add ${nameOf(on)} and turn it on, or remove the rest.`,
		);
	}
}

/**
 * Asserts that the service uses what is set: a do-not-call list needs Skip Do-Not-Call Numbers, numbers need the custom
 * list, and statuses and errors need Add Numbers to Do-Not-Call List. A switch that is not set is not relied on: in an update, the
 * campaign may have another setting than was meant.
 *
 * @param isNew whether the campaign is new, so that its custom list has only the numbers in the values
 * @throws ServiceError `INVALID_INPUT`
 */
export function assertListIsUsed(values: DoNotCallValues, isNew = false): void {
	const { do_not_call_list_source: source, do_not_call_custom_list: given } = values;
	const numbers = given ?? [];
	// The service may fill the list.
	if (isNew && source === 'custom' && given === undefined && !values.auto_add_to_dnc_enabled) {
		throw invalid(
			"'Do Not Call List' is Custom, but has no numbers: it would skip nobody",
			"Add 'Do Not Call Numbers' to Options, or choose another list.",
		);
	}
	assertIsOn(values, doNotCall, [doNotCallSource, doNotCallNumbers]);
	assertIsOn(values, addToDoNotCall, [triggerStatuses, triggerErrors]);
	if (numbers.length > 0 && source !== 'custom') {
		throw invalid(
			"'Do Not Call Numbers' would not be used: they are the custom list",
			"Also set 'Do Not Call List' to Custom, or remove the numbers.",
		);
	}
}
