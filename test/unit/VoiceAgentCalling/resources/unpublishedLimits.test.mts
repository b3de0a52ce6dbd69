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

const texts = { title: long, eventType: long };
const attendee = { attendeeName: long, attendeeEmail: 'a@b.de' };
const slot = { from: '2031-01-01', to: '2031-02-01', duration: 2880 };
const filters = { language: 'other', languageCode: 'en_GB' };
const several = { eventsOf: 'several', calendars: ['cal-1', 7], limit: 1 };
const callTimeRanges = { values: [{ start: '20:00', end: '24:00:00' }] };
const ranges = { call_time_ranges: [{ start: '20:00', end: '24:00' }] };
const listsAsText = { addToDoNotCall: true, addAfterStatuses: 'completed, voicemail', addAfterErrors: 'disconnected' };
const lists = { auto_dnc_trigger_statuses: ['completed', 'voicemail'], auto_dnc_trigger_errors: ['disconnected'] };

test.each<[resource: string, operation: string, what: string, input: Record<string, unknown>, sent: object]>([
	['calendarEvent', 'update', 'long texts', { updateFields: texts }, { title: long, type: long }],
	['calendarEvent', 'addAttendee', 'a long name', attendee, { name: long }],
	['availability', 'getSlots', 'a long slot', slot, { duration_minutes: 2880 }],
	['voiceTemplate', 'getAll', 'another form of a language code', { limit: 1, filters }, { language: 'en_GB' }],
	['calendarEvent', 'getAll', 'another form of IDs', several, { calendar_ids: ['cal-1', '7'] }],
	['campaign', 'update', 'an end at midnight as 24:00', { updateFields: { callTimeRanges } }, ranges],
	['campaign', 'update', 'a list from an expression that gives text', { updateFields: listsAsText }, lists],
])('%s, %s: the node sends %s, whose limits are not documented', async (resource, operation, _what, input, sent) => {
	expect(await sentFor(resource, operation, input)).toMatchObject(sent);
});

test('a day of availability ends at 24:00, and does not start then', async () => {
	const times = (updateFields: object) =>
		sentFor('availability', 'updateRule', { ruleType: 'recurring', updateFields });
	expect(await times({ endTime: '24:00' })).toMatchObject({ end_time: '24:00' });
	expect(await times({ startTime: '24:00' })).toBeUndefined();
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
