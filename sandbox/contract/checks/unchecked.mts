/** Rows of docs/contributing/assumptions.md that are about the sandbox alone: a service cannot differ in them. */
export const SANDBOX_ONLY: readonly string[] = [
	'A `Host` or `Origin` of another machine',
	'Moments after the year 9999',
	'Prices and renewals',
	'Course of a call that is neither manual nor scripted, in sandbox seconds',
	'How does a call meet `/_sandbox/advance`?',
	'What is on the lists at the start?',
	'Which servers are logged in to?',
	'Course of an import',
	'The sandbox is stopped during an import',
	'How much is remembered?',
	'`/_sandbox/load`',
	'`/_sandbox/deliver`',
	'`/_sandbox/delays`',
	'`/_sandbox/advance` and a receiver that does not answer',
];

/** What a test of the rows without a check would need, by section. */
const NEEDED: Record<string, string> = {
	'What the nodes assume': 'needs a conversation that somebody listens to, or a number with a voicemail',
	'Requests and errors': 'needs a token that may not write, a failure of the service, or a body of more than 10 MB',
	Agents: 'needs an agent that can be published, with a phone number that this program does not touch',
	'Actions during a call': 'needs a conversation in which the agent uses an action',
	'Voice templates': 'needs somebody who listens to the demo',
	Calls: 'needs numbers that do not answer or call in, or calls that cost credits',
	Campaigns: 'needs many calls, hours, or an account without credits',
	'SFTP and files': 'needs an SFTP server with files',
	'SIP trunks': 'needs a trunk that can be verified, or a phone number that is in use',
	Calendars: 'needs somebody who looks at the calendar',
	'Webhooks, events and deliveries': 'needs many calls, or somebody who listens',
};

/** What a test of a row without a check would need. */
export function neededFor(section: string): string {
	return NEEDED[section] ?? 'there is no check for it yet';
}
