/** Rows that are about the sandbox alone: a service cannot differ in them. */
export const SANDBOX_ONLY = 'it is about the sandbox alone';

/** The rows of docs/assumptions.md without a check: what a test would need, with the questions by section. */
export const UNCHECKED: Record<string, Record<string, readonly string[]>> = {
	[SANDBOX_ONLY]: {
		'Requests and errors': ['A `Host` or `Origin` of another machine', 'Moments after the year 9999'],
		'Phone numbers': ['Prices and renewals'],
		Calls: [
			'Course of a call that is neither manual nor scripted, in sandbox seconds',
			'How does a call meet `/_sandbox/advance`?',
		],
		Campaigns: ['What is on the lists at the start?'],
		'SFTP and files': [
			'Which servers are logged in to?',
			'Course of an import',
			'The sandbox is stopped during an import',
		],
		'Webhooks, events and deliveries': [
			'How much is remembered?',
			'`/_sandbox/load`',
			'`/_sandbox/deliver`',
			'`/_sandbox/delays`',
			'`/_sandbox/advance` and a receiver that does not answer',
		],
	},
	'needs a conversation that somebody listens to': {
		'What the nodes assume': ['How does an agent name a variable, and where?'],
		'Actions during a call': [
			'When does an agent use an action?',
			'In which status of the call?',
			'The request of a webhook action',
			'Which arguments are refused?',
			'Templates in `custom_headers` and `speak_on_send`',
			'Templates in `speak_on_receive`',
			'`authorization_url`',
			'When does a webhook action fail?',
			'What is said if it fails?',
			'Transfer, hold, external',
			'Events',
		],
		Calls: ['A call in which nobody hangs up', 'The first message'],
		'Webhooks, events and deliveries': ['Who are user and client?'],
	},
	'needs a number with a voicemail, a busy one, one that fails, or somebody who declines': {
		'What the nodes assume': ['Where does a voicemail show?'],
		Calls: ['What is declining?', 'The error of a failed call'],
		Campaigns: ['Outcomes that are tried again', 'Pause before a retry'],
	},
	'needs a token that may not write': {
		'Requests and errors': ['Which body has a 403 for a token without permission?', 'What is a write?'],
	},
	'needs a failure of the service': { 'Requests and errors': ['Which body has a 500?'] },
	'needs a body of more than 10 MB, which this program does not send': { 'Requests and errors': ['Largest body'] },
	'needs a phone number or an agent that is in use, which this program does not touch': {
		Agents: [
			'What does the answer to publishing have?',
			'`phone_number_ids` left out of the calling settings',
			'A published agent with active calls is to be deleted',
		],
		Calls: [
			'Do calls come in?',
			'Which of several inbound agents with the same number takes a call?',
			'A call to the number of an agent in draft',
			'A published agent that is inbound or has no active number',
		],
		'SIP trunks': [
			'When does a DID exist already?',
			'Status of a DID among the phone numbers',
			'When is a DID in use?',
			'Deleting a trunk with calls under way',
		],
		'Webhooks, events and deliveries': ["Do an agent's webhooks make it a draft?"],
	},
	'needs calls that cost credits, or an account without credits': {
		Calls: ['Price'],
		Campaigns: [
			'Agent in draft, or no credits, when a campaign call is due',
			'How many campaigns does the plan allow?',
		],
	},
	'needs many calls, or hours': {
		Calls: ["A campaign's call that is ended by `end-call`"],
		Campaigns: [
			'The hour that a clock change skips or repeats',
			'What else do cooldowns hold?',
			'Post-completion cooldown',
			'A number on the list',
			'The schedule leaves no time any more',
			'How fast does a campaign call?',
			'Completing by itself',
		],
		'Webhooks, events and deliveries': ['Which settings does a retry use?', 'Order of arrival'],
	},
	'needs an SFTP server with files': {
		'SFTP and files': [
			'Does a change forget the test?',
			'A test that fails later',
			'A folder that is missing',
			'No path',
			'When does a schedule run?',
			'Which files are taken?',
			'Form of a contact file',
			'Rows without a number in E.164',
			'Rows with a number that is active or queued in the campaign',
			'A file that cannot be read',
			'A campaign in draft or paused',
			'A campaign that is completed or cancelled',
			'`processed_filename`',
			'What does an export write?',
			'`file_data_ids`',
			'`job_id`',
			'Logs',
		],
	},
	'needs a trunk that can be verified': {
		'SIP trunks': [
			'What are credentials?',
			'What happens to an active trunk that loses its verification?',
			'What does a health check change?',
		],
	},
	'needs somebody to look at the account': {
		'Voice templates': ["The demo's address"],
		Calendars: [
			'Time zone of the environment',
			'Asking for a meeting link again',
			'Deleting a confirmed event',
			'Openings across midnight',
			'The hour that a clock change skips or repeats',
			'Whose day is the date of an exception?',
		],
		'Webhooks, events and deliveries': ['`campaign.created`'],
	},
};

/** Why there is no check for a row; undefined if there is one, or should be. */
export function whyUnchecked({ section, question }: { section: string; question: string }): string | undefined {
	return Object.keys(UNCHECKED).find((why) => UNCHECKED[why]?.[section]?.includes(question));
}
