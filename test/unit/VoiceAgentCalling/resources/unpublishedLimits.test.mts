import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { requestsFor } from './requests.mts';

const id = '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c';
const long = 'x'.repeat(300);
const chosen = { calendar: id, calendarEvent: id, campaign: id, sipTrunk: id, availabilityRule: id };

/** Returns what the node sends for an operation: the query or the body of its only request. */
async function sentFor(resource: string, name: string, parameters: Record<string, unknown>): Promise<unknown> {
	const operation = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === name);
	if (!operation) {
		throw new Error(`There is no ${resource}.${name}`);
	}
	const [request] = await requestsFor(operation, { ...chosen, ...parameters });
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
		'the length of a free slot',
		'availability',
		'getSlots',
		{ from: '2031-01-01', to: '2031-02-01', duration: 2880 },
		{ duration_minutes: 2880 },
	],
	[
		'the format of a language code',
		'voiceTemplate',
		'getAll',
		{ limit: 1, filters: { language: 'other', languageCode: 'en_GB' } },
		{ language: 'en_GB' },
	],
	[
		'the format of a calendar ID',
		'calendarEvent',
		'getAll',
		{ eventsOf: 'several', calendars: ['cal-1', 7], limit: 1 },
		{ calendar_ids: ['cal-1', '7'] },
	],
])(
	'%s: the limits are not documented, so the node sends any value',
	async (_what, resource, operation, input, sent) => {
		expect(await sentFor(resource, operation, input)).toMatchObject(sent);
	},
);

test.each([
	['availability', 'updateRule', { ruleType: 'recurring', updateFields: { endTime: '24:00' } }, { end_time: '24:00' }],
	[
		'campaign',
		'update',
		{ updateFields: { callTimeRanges: { values: [{ start: '20:00', end: '24:00:00' }] } } },
		{ call_time_ranges: [{ start: '20:00', end: '24:00' }] },
	],
])('%s, %s: an end at midnight is sent as 24:00', async (resource, operation, input, sent) => {
	expect(await sentFor(resource, operation, input)).toMatchObject(sent);
});

test('a start at 24:00 is rejected', async () => {
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
])('%s, update: an optional value that is added but left empty is cleared', async (resource, updateFields, sent) => {
	expect(await sentFor(resource, 'update', { updateFields })).toMatchObject(sent);
});

test('an expression can provide a list as comma-separated text', async () => {
	const updateFields = { addAfterStatuses: 'completed, voicemail', addAfterErrors: 'disconnected' };
	const sent = { auto_dnc_trigger_statuses: ['completed', 'voicemail'], auto_dnc_trigger_errors: ['disconnected'] };
	expect(await sentFor('campaign', 'update', { updateFields })).toMatchObject(sent);
});
