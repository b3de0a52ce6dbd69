import { choice, defineField } from '../../../shared/field';
import { e164, integer, text, toggle } from '../../../shared/fieldKinds';

const description = text(
	'description',
	{ displayName: 'Description', name: 'description', description: 'What the campaign is for' },
	{ multiline: true },
);

const firstDelay = integer(
	'initial_call_delay',
	{
		displayName: 'First Call Delay',
		name: 'firstCallDelay',
		description: 'How many seconds after it is queued a number is called at the earliest',
	},
	{ min: 0 },
);

const maxRetries = integer(
	'max_retries',
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		default: 3,
		description: 'How often a number is called again that was not reached, 0 to 10',
	},
	{ min: 0, max: 10 },
);

const autoComplete = toggle('auto_complete', {
	displayName: 'Complete Automatically',
	name: 'autoComplete',
	description: 'Whether the campaign is completed, which is final, once all its contacts are done',
});

const retryUnconverted = toggle('retry_on_no_conversion', {
	displayName: 'Retry Without Conversion',
	name: 'retryOnNoConversion',
	description: 'Whether to call again after a completed call that did not lead to a conversion',
});

/** Hours before a number is called again, 1 to 168. */
function hours<const Key extends string>(
	key: Key,
	displayName: string,
	name: string,
	description: string,
	hoursByDefault = 24,
) {
	return integer(
		key,
		{ displayName, name, default: hoursByDefault, description: `${description}, 1 to 168` },
		{ min: 1, max: 168 },
	);
}

const cooldowns = [
	hours(
		'retry_cooldown_hours',
		'Retry Cooldown',
		'retryCooldown',
		'How many hours to wait before a number is called again',
	),
	hours(
		'busy_cooldown_hours',
		'Busy Cooldown',
		'busyCooldown',
		'How many hours to wait after a busy line, in place of the retry cooldown',
	),
	hours(
		'failed_cooldown_hours',
		'Failed Cooldown',
		'failedCooldown',
		'How many hours to wait after a call that failed, in place of the retry cooldown',
	),
	hours(
		'no_answer_cooldown_hours',
		'No Answer Cooldown',
		'noAnswerCooldown',
		'How many hours to wait after a call without an answer, in place of the retry cooldown',
	),
	hours(
		'success_cooldown_hours',
		'Success Cooldown',
		'successCooldown',
		'How many hours to wait after a successful call, in place of the retry cooldown',
	),
	hours(
		'voicemail_cooldown_hours',
		'Voicemail Cooldown',
		'voicemailCooldown',
		'How many hours to wait after a voicemail, in place of the retry cooldown',
	),
	toggle('enable_post_completion_cooldown', {
		displayName: 'Rest After Completion',
		name: 'restAfterCompletion',
		default: true,
		description: 'Whether a number rests after its call is completed',
	}),
	hours(
		'post_completion_cooldown_hours',
		'Rest After Completion Hours',
		'restAfterCompletionHours',
		'How many hours a number rests after its call is completed',
		168,
	),
] as const;

const doNotCall = toggle('do_not_call_enabled', {
	displayName: 'Do Not Call',
	name: 'doNotCall',
	default: true,
	description: 'Whether numbers on a do-not-call list are left out',
});

const doNotCallSource = choice('do_not_call_list_source', {
	displayName: 'Do Not Call List',
	name: 'doNotCallList',
	options: [
		{ name: 'Campaign', value: 'campaign', description: "The campaign's own list" },
		{ name: 'Custom', value: 'custom', description: 'The numbers in Do Not Call Numbers' },
		{ name: 'Environment', value: 'environment', description: 'The list of the environment' },
		{ name: 'Global', value: 'global', description: 'The list of all environments' },
	],
	default: 'environment',
	description: 'The list that counts where Do Not Call is on',
});

const number = e164('number', { displayName: 'Number', name: 'number' });

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
				'The numbers of the custom list, with + and the country code, parted by commas or line ends. An expression may give a list.',
		},
	],
	read: ({ get }) => {
		const numbers = get('doNotCallNumbers');
		return typeof numbers === 'string'
			? numbers.split(/[,;\n]/).filter((one) => one.trim() !== '')
			: numbers;
	},
	check: (zod) => zod.array(number.check(zod)),
});

const addToDoNotCall = toggle('auto_add_to_dnc_enabled', {
	displayName: 'Add to Do Not Call',
	name: 'addToDoNotCall',
	default: true,
	description: 'Whether numbers are put on the do-not-call list by themselves, by what became of a call',
});

/** Outcomes that put a number on the list; an expression may name others, since not all are published. */
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
		check: (zod) => zod.array(zod.string().trim().min(1)),
	});
}

const triggerStatuses = triggers(
	'auto_dnc_trigger_statuses',
	'Add After Statuses',
	'addAfterStatuses',
	'How a call ends that puts its number on the do-not-call list',
	[
		{ name: 'Completed', value: 'completed' },
		{ name: 'Voicemail', value: 'voicemail' },
	],
);

const triggerErrors = triggers(
	'auto_dnc_trigger_errors',
	'Add After Errors',
	'addAfterErrors',
	'The errors of a call that put its number on the do-not-call list',
	[
		{ name: 'Disconnected', value: 'disconnected' },
		{ name: 'Invalid Number', value: 'invalid_number' },
	],
);

/** What a campaign may be given beside what it has to have. */
export const campaignRules = [
	description,
	firstDelay,
	maxRetries,
	autoComplete,
	retryUnconverted,
	...cooldowns,
	doNotCall,
	doNotCallSource,
	doNotCallNumbers,
	addToDoNotCall,
	triggerStatuses,
	triggerErrors,
] as const;
