import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { requestsFor } from './requests.mts';

const id = '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c';
const long = 'x'.repeat(300);
const chosen = { calendar: id, calendarEvent: id, campaign: id, sipTrunk: id, availabilityRule: id };

/** What the node sends for an operation: the query or the body of its only request. */
async function sentFor(resource: string, name: string, given: Record<string, unknown>): Promise<unknown> {
	const operation = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === name);
	if (!operation) {
		throw new Error(`There is no ${resource}.${name}`);
	}
	const [request] = await requestsFor(operation, { ...chosen, ...given });
	return request?.method === 'GET' ? request.query : request?.body;
}

test.each([
	[
		'the title and type of an event',
		'calendarEvent',
		'update',
		{ updateFields: { title: long, eventType: long } },
		{ title: long, type: long },
	],
	[
		'the name of an attendee',
		'calendarEvent',
		'addAttendee',
		{ attendeeName: long, attendeeEmail: 'ada@example.com' },
		{ name: long },
	],
	[
		'how long a free slot is',
		'availability',
		'getSlots',
		{ from: '2031-01-01', to: '2031-02-01', duration: 2880 },
		{ duration_minutes: 2880 },
	],
	[
		'how a language is written',
		'voiceTemplate',
		'getAll',
		{ oneItemFor: 'voice', limit: 1, filters: { language: 'other', languageCode: 'en_GB' } },
		{ language: 'en_GB' },
	],
	[
		'what the ID of a calendar looks like',
		'calendarEvent',
		'getAll',
		{ eventsOf: 'several', calendars: ['cal-1', 7], limit: 1 },
		{ calendar_ids: ['cal-1', '7'] },
	],
])('Of %s nothing is published: the service judges it', async (_what, resource, operation, given, sent) => {
	expect(await sentFor(resource, operation, given)).toMatchObject(sent);
});

test.each([
	['availability', 'updateRule', { ruleType: 'recurring', updateFields: { endTime: '24:00' } }, { end_time: '24:00' }],
	[
		'campaign',
		'update',
		{ updateFields: { callTimeRanges: { values: [{ start: '20:00', end: '24:00:00' }] } } },
		{ call_time_ranges: [{ start: '20:00', end: '24:00' }] },
	],
])('%s, %s: what ends at midnight ends at 24:00', async (resource, operation, given, sent) => {
	expect(await sentFor(resource, operation, given)).toMatchObject(sent);
});

test('nothing begins at 24:00', async () => {
	expect(
		await sentFor('availability', 'updateRule', { ruleType: 'recurring', updateFields: { startTime: '24:00' } }),
	).toBeUndefined();
});

test.each([
	['calendarEvent', { description: '', eventType: '' }, { description: null, type: null }],
	['campaign', { description: '', endDate: '' }, { description: null, end_date: null }],
	[
		'campaignSftp',
		{ importPath: '', exportPath: '', authType: 'private_key', privateKeyPassphrase: '' },
		{ import_path: null, export_path: null, private_key_passphrase: null },
	],
	['sipTrunk', { authRealm: '', outboundProxy: '' }, { auth_realm: null, outbound_proxy: null }],
])(
	'%s, update: what an object can do without is cleared where it is added and left empty',
	async (resource, updateFields, sent) => {
		expect(await sentFor(resource, 'update', { updateFields })).toMatchObject(sent);
	},
);

test('a list may come as the text that an expression gives', async () => {
	const updateFields = { addAfterStatuses: 'completed, voicemail', addAfterErrors: 'disconnected' };
	const sent = { auto_dnc_trigger_statuses: ['completed', 'voicemail'], auto_dnc_trigger_errors: ['disconnected'] };
	expect(await sentFor('campaign', 'update', { updateFields })).toMatchObject(sent);
});
