import { FILL_IN_OR_REMOVE, withRules } from '../../../shared/fields/field';
import { integer, text, toggle } from '../../../shared/fields/kinds';
import { doNotCallRules } from './doNotCall';

export const campaignDescription = text(
	'description',
	{ displayName: 'Description', name: 'description', description: 'What the campaign is for' },
	{ multiline: true },
);

const firstDelay = integer(
	'initial_call_delay',
	{
		displayName: 'First Call Delay (Seconds)',
		name: 'firstCallDelay',
		description: 'How long a queued number waits at least before it is called',
	},
	{ min: 0 },
);

const maxRetries = integer(
	'max_retries',
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		default: 3,
		description: 'How many times to call a number again that was not reached, 0 to 10',
	},
	{ min: 0, max: 10 },
);

const autoComplete = toggle('auto_complete', {
	displayName: 'Complete Automatically',
	name: 'autoComplete',
	description: 'Whether to complete the campaign when all contacts are done. This is final.',
});

const retryUnconverted = toggle('retry_on_no_conversion', {
	displayName: 'Retry If Not Converted',
	name: 'retryOnNoConversion',
	description:
		'Whether to call again after a completed call without a conversion. The service decides what a conversion is.',
});

/** Makes a field for hours before a number is called again, 1 to 168. */
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
		'Retry Cooldown (Hours)',
		'retryCooldown',
		'How long to wait before the next try of a number that was not reached, unless the cooldown for that outcome is set',
	),
	hours('busy_cooldown_hours', 'Busy Cooldown (Hours)', 'busyCooldown', 'How long to wait after a busy line'),
	hours('failed_cooldown_hours', 'Failed Cooldown (Hours)', 'failedCooldown', 'How long to wait after a failed call'),
	hours(
		'no_answer_cooldown_hours',
		'No Answer Cooldown (Hours)',
		'noAnswerCooldown',
		'How long to wait after an unanswered call',
	),
	hours(
		'success_cooldown_hours',
		'Success Cooldown (Hours)',
		'successCooldown',
		'How long to wait after a call that the service counts as a success, if it calls the number again',
	),
	hours(
		'voicemail_cooldown_hours',
		'Voicemail Cooldown (Hours)',
		'voicemailCooldown',
		'How long to wait after a voicemail',
	),
	toggle('enable_post_completion_cooldown', {
		displayName: 'Cooldown After Completion',
		name: 'restAfterCompletion',
		default: true,
		description: 'Whether the campaign leaves a number alone after its call is done, even if you queue it again',
	}),
	hours(
		'post_completion_cooldown_hours',
		'Cooldown After Completion (Hours)',
		'restAfterCompletionHours',
		'How long the campaign leaves a number alone after its call is done',
		168,
	),
] as const;

/** The optional settings for how a campaign calls. */
export const campaignRules = [
	...withRules({ empty: FILL_IN_OR_REMOVE }, firstDelay, maxRetries, autoComplete, retryUnconverted, ...cooldowns),
	...doNotCallRules,
] as const;
