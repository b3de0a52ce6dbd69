import { DateTime } from 'luxon';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import type { Field } from '../../../../nodes/shared/fields/field.ts';
import { decimal, idList, json, text } from '../../../../nodes/shared/fields/kinds.ts';
import { timeOfDay } from '../../../../nodes/shared/fields/timeKinds.ts';
import { extraHeaders, payloadTemplates } from '../../../../nodes/shared/fields/webhooks.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { calendarOwner } from '../../../../nodes/VoiceAgentCalling/fields/calendars.ts';
import { callMetadata } from '../../../../nodes/VoiceAgentCalling/fields/common.ts';
import { phoneNumber } from '../../../../nodes/VoiceAgentCalling/fields/phoneNumbers.ts';
import { inputs } from '../../../../nodes/VoiceAgentCalling/resources/agentAction/fields.ts';
import { flow } from '../../../../nodes/VoiceAgentCalling/resources/agentFlow/fields.ts';
import { attendees, startAt } from '../../../../nodes/VoiceAgentCalling/resources/calendarEvent/fields.ts';
import { doNotCallRules } from '../../../../nodes/VoiceAgentCalling/resources/campaign/doNotCall.ts';
import {
	callTimeRanges,
	daysOfWeek,
	startDate,
} from '../../../../nodes/VoiceAgentCalling/resources/campaign/fields.ts';
import { readField } from '../../../readField.mts';

const ID = '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c';

beforeAll(loadCountries);

/** Reads one field. @returns its value, or the message and the advice of its error */
function read(field: Field, parameters: Record<string, unknown>, timezone = 'UTC'): unknown {
	try {
		return readField(field, parameters, { timezone });
	} catch (error) {
		const { message, advice } = error as ServiceError;
		expect(error).toBeInstanceOf(ServiceError);
		return [message, advice];
	}
}

describe('The message of a field names the place and the value there', () => {
	const ranges = (...values: object[]) => ({ callTimeRanges: { values } });
	const ids = idList('ids', { displayName: 'Numbers', name: 'numbers' });
	const time = timeOfDay('at', { displayName: 'Start Time', name: 'start' });
	const good = { start: '09:00', end: '12:00' };
	const people = { values: ['ada@example.com', 'bea'].map((email) => ({ name: 'Ada', email })) };
	const secret = { values: [{ name: 'X-One', value: 'one\ntwo' }] };
	const days = 'Days of the Week';
	const owner = { __rl: true, mode: 'id', value: 'ada' };

	test.each<[string, Field, Record<string, unknown>, string]>([
		['the row and its field', callTimeRanges, ranges({ ...good, start: '9' }), ', Range 1, Start: "9" must look like'],
		['a row with an empty field', callTimeRanges, ranges(good, { ...good, end: '' }), ', Range 2, End: "" must look'],
		['a row that contradicts itself', callTimeRanges, ranges(good, { ...good, end: '08:00' }), ', Range 2 must end'],
		['a person', attendees(), { attendees: people }, '\'Attendees\', Attendee 2, Email cannot be "bea"'],
		['the ID in a list', ids, { numbers: [ID, 'Main line'] }, '\'Numbers\' cannot be "Main line"'],
		['a time without its form', time, { start: '9 am' }, '\'Start Time\': "9 am" must look like 09:00'],
		['a time that is none', time, { start: '25:00' }, '\'Start Time\': "25:00" is not a time of day'],
		['a number without a country', phoneNumber, { phoneNumber: '555-0103' }, ': "555-0103" has no country code'],
		['a day in a list', daysOfWeek, { daysOfWeek: 'Mon, Mi' }, `'${days}' cannot be "Mi"`],
		['the ID of a picker', calendarOwner, { owner }, '\'Owner\' cannot be "ada"'],
		['an empty list of days', daysOfWeek, { daysOfWeek: [] }, `Choose at least one day in '${days}'`],
		['an empty list of ranges', callTimeRanges, ranges(), "Add at least one range in 'Call Time Ranges'"],
		['never a secret', extraHeaders, { extraHeaders: secret }, 'has a value that cannot be used'],
	])('in a list: %s', (_what, field, parameters, message) => {
		const [said = '', advice] = read(field, parameters) as string[];
		expect([said, advice]).toEqual([expect.stringContaining(message), expect.stringMatching(/\w{3}.*\.$/)]);
		expect(said).not.toContain('two');
	});

	test('days are accepted as numbers and names', () => {
		const given = ['monday, 2;7', 'Tue, Wed, Su', 3];
		const found = given.map((days) => read(daysOfWeek, { daysOfWeek: days }));
		expect(found).toEqual([[1, 2, 7], [2, 3, 7], [3]]);
	});
});

describe('A date', () => {
	const first = new Date('2031-07-07T22:30:00Z');

	test.each([
		['2031-07-08', '2031-07-08'],
		[' 2031-07-08\n', '2031-07-08'],
		['2031-07-08T00:30', '2031-07-08'],
		['2031-07-08T00:30:00.000+02:00', '2031-07-08'],
		['2031-07-08 00:30:00.123', '2031-07-08'],
		['2031-07-08 00:30:00 Europe/Berlin', '2031-07-08'],
		['2031-07-08 00:30:00 UTC', '2031-07-08'],
		['2031-07-08T00:30:00+02:00[Europe/Berlin]', '2031-07-08'],
		[first, '2031-07-07'],
		[DateTime.fromJSDate(first, { zone: 'Europe/Berlin' }), '2031-07-08'],
	])('is read from %j, in all forms in which n8n and databases give it', (given, date) => {
		expect(read(startDate, { startDate: given })).toBe(date);
		const moment = read(startAt, { start: given });
		expect(String(moment)).toMatch(/^2031-07-0[78](T[\d:.]+)([+-]\d\d:\d\d|Z)$/);
	});

	const zones = ['Z', '+00:00', '.000Z', '.000+0000', 'Z[UTC]', '+00:00[Etc/UTC]'].map((zone) => `T22:00:00${zone}`);
	const spaced = ['+00', '.000000+00', ' UTC', ' GMT', ' Etc/UTC'].map((zone) => ` 22:00:00${zone}`);
	test.each([...zones, ...spaced, 'T22:00Z'])('at %s is the day of the workflow: a midnight of a database', (time) => {
		const given = `2031-03-31${time}`;
		const inNewYork = 'America/New_York';
		expect(read(startDate, { startDate: given }, 'Europe/Berlin')).toBe('2031-04-01');
		expect(read(startDate, { startDate: given }, inNewYork)).toBe('2031-03-31');
		expect(read(startDate, { startDate: given.replace('22', '00') }, inNewYork)).toBe('2031-03-31');
	});

	test.each([
		[new Date('2031-03-31T22:00:00Z'), 'Europe/Berlin', '2031-04-01'],
		[new Date('2031-04-01'), 'America/New_York', '2031-04-01'],
		[new Date('2031-04-01T04:00:00Z'), 'America/New_York', '2031-04-01'],
		['2031-04-01T00:00:00.000+02:00', 'America/New_York', '2031-04-01'],
		['2031-04-01T22:00:00+00:00[Europe/London]', 'Asia/Tokyo', '2031-04-01'],
		[DateTime.fromISO('2031-04-01', { zone: 'Asia/Tokyo' }), 'America/New_York', '2031-04-01'],
	])('is read from %j in %s', (given, timezone, date) => {
		expect(read(startDate, { startDate: given }, timezone)).toBe(date);
	});

	test.each([
		'2031-07-08garbage',
		'2031-07-08/2031-07-10',
		'2031-07-08 2031-07-10',
		'2031-07-08T00:30/P1D',
		'tomorrow',
		true,
		'2031-07-08 (a Tuesday)',
		'2031-07-08 00:30 PM',
		'2031-07-08T99:99',
		['2031-07-08', '2031-07-10'],
		'2031-02-29',
		1_941_321_600_000,
		46_112,
		'46112',
		'2031',
		'12',
		'03/04/2031',
		'31.03.2031',
		'2031-13-01',
		{ year: 2031 },
	])('is not read from %j', (given) => {
		expect(read(startDate, { startDate: given })).toEqual([
			expect.stringContaining("'Start Date' cannot be"),
			'Enter a date, like 2026-03-31.',
		]);
		expect(read(startAt, { start: given })).toEqual([expect.stringContaining("'Start' cannot be"), expect.any(String)]);
	});
});

test('an ID that a spreadsheet made a number is read with all its digits, and refused where digits are lost', () => {
	const id = text('id', { displayName: 'Contact', name: 'id' });
	expect([900_719_925_474_099, 1.5].map((given) => read(id, { id: given }))).toEqual(['900719925474099', '1.5']);
	for (const given of [2 ** 53, 1e21, Number.POSITIVE_INFINITY]) {
		expect(read(id, { id: given })).toEqual([expect.stringContaining("'Contact' cannot be"), 'Enter text.']);
	}
});

test('a number is read as people write it', () => {
	const count = decimal('count', { displayName: 'Count', name: 'count' });
	expect(['7', ' 7.5 ', '-1', '+2', '1e3', '.5'].map((given) => read(count, { count: given }))).toEqual([
		7, 7.5, -1, 2, 1000, 0.5,
	]);
	for (const given of ['0x10', '0b1', 'Infinity', '1,000', '7 days', '9007199254740993']) {
		expect(read(count, { count: given })).toEqual([expect.stringContaining("'Count' cannot be"), 'Enter a number.']);
	}
});

describe('A list of names and values', () => {
	const metadata = (...values: object[]) => read(callMetadata, { metadataJson: '', metadataFields: { values } });
	const contact = { name: 'contact', value: 7 };

	test('ignores empty rows only, and counts while its JSON is empty', () => {
		expect(metadata({ name: '', value: '' }, contact, {})).toEqual({ contact: 7 });
		expect(metadata({ name: 'contact', value: '' }, { name: 'group', value: null })).toEqual({
			contact: '',
			group: null,
		});
	});

	test.each([
		[[{ name: '', value: 'Ada' }], "'Metadata' has a value without a name"],
		[[contact, contact], '\'Metadata\' has two values named "contact"'],
		[[{ name: ' \u200b', value: 'x' }], "'Metadata' has a value without a name"],
		[[{ name: 'a', value: undefined }], '"a" in \'Metadata\' is empty: its expression has no value'],
	])('refuses %j', (rows, message) => {
		expect(metadata(...rows)).toEqual([message, expect.stringMatching(/./)]);
	});
});

test('a do-not-call list without a number is a mistake, and not an empty list', () => {
	const [numbers] = doNotCallRules.filter(({ key }) => key === 'do_not_call_custom_list');
	expect(read(numbers, { doNotCallNumbers: ',' })).toEqual([
		"'Do Not Call Numbers' is a text, not a list",
		"Use an expression that returns a list of all numbers, such as {{ $('Get Rows').all().map(row => row.json.phone) }}.",
	]);
	for (const given of [' ', '\n']) {
		expect(read(numbers, { doNotCallNumbers: given })).toEqual([
			expect.stringContaining('is empty'),
			'Enter numbers, or the expression {{ [] }} for a list without numbers.',
		]);
	}
	expect(read(numbers, { doNotCallNumbers: [] })).toEqual([]);
});

test('a fixed value of an action is sent in the type of its input', () => {
	const given = (type: string, value: unknown) =>
		read(inputs, { inputs: { values: [{ name: 'room', type, required: false, description: '', value }] } });
	const fixedValue = (type: string, value: unknown) => (given(type, value) as Array<{ value?: unknown }>)[0].value;
	expect([fixedValue('number', '7.5'), fixedValue('integer', '7'), fixedValue('boolean', 'false')]).toEqual([
		7.5,
		7,
		false,
	]);
	expect([fixedValue('string', '7'), fixedValue('constructor', '7'), fixedValue('number', '')]).toEqual([
		'7',
		'7',
		undefined,
	]);
	expect(given('integer', '7.5')).toEqual([
		'\'Inputs\', Input 1, Value cannot be "7.5"',
		'Enter a value of the type integer.',
	]);
});

describe('The message of a JSON field', () => {
	const context = json('context', { displayName: 'Metadata', name: 'context' });

	test('says where the text has a mistake, and repeats nothing of it', () => {
		const text = '{\n  "name": "Ada",\n  "password": hunter2\n}';
		const [message, advice] = read(context, { context: text }) as [string, string];
		expect(message).toBe("'Metadata' is not valid JSON: line 3, column 15: Unexpected token 'h'");
		expect(advice).toBe(
			'Correct the JSON there. Where an expression fills in a text, write {{ JSON.stringify(…) }} without quotation marks around it.',
		);
		expect(message + advice).not.toMatch(/hunter|password|Ada/);
	});

	const TOO_LARGE = 'a number that is too large to be kept as it is';
	test.each([
		['{"id": 1234567890123456789}', `${TOO_LARGE}: line 1, column 8`],
		['{\n"a": {"b": [-9007199254740992]}}', `${TOO_LARGE}: line 2, column 13`],
		['{"id": 1e999}', `${TOO_LARGE}: line 1, column 8`],
		['{"t \\" 1": "\\\\", "id": 9007199254740993 }', `${TOO_LARGE}: line 1, column 24`],
		['{"to": "Ada",\n"to": "Bob"}', 'a name that its object has before: line 2, column 1'],
	])('says where %s has a number that would become another one, or a name twice', (given, what) => {
		expect(read(context, { context: given })).toEqual([`'Metadata' has ${what}`, expect.stringMatching(/there\.$/)]);
	});

	test.each<[unknown, string]>([
		[{ contact: undefined }, 'is empty at "contact": its expression has no value there'],
		[{ lists: [{ ids: [1, undefined] }] }, 'is empty at "lists.0.ids.1"'],
		// A gap.
		[{ ids: new Array(1) }, 'is empty at "ids.0"'],
		[{ age: Number.NaN }, 'has NaN at "age", which JSON cannot hold'],
		[{ id: 7n }, 'has a BigInt at "id"'],
		[{ contacts: new Set(['Ada']) }, 'has a Set at "contacts"'],
		[{ name: () => 'Ada' }, 'has a Function at "name"'],
		[{ born: new Date(Number.NaN) }, 'has an invalid date at "born"'],
	])('names what JSON would lack of a value from an expression: %p', (given, ofField) => {
		for (const field of [context, callMetadata]) {
			const [message, advice] = read(field, { [field.properties.at(-1)!.name]: given }) as string[];
			expect([message, advice]).toEqual([expect.stringContaining(ofField), expect.stringMatching(/^Correct the exp/)]);
		}
	});

	test('leaves what JSON has: null, empty values, dates, numbers that are kept, and digits in texts', () => {
		const kept = { contact: null, name: '', ids: [], more: {}, at: new Date(0) };
		expect(read(context, { context: { ...kept, again: kept.more } })).toEqual({ ...kept, again: {} });
		const numbers = '"a": 9007199254740991, "b": -1.5e-3, "c": 0.1234567890123456789, "e": 1e21';
		const given = `{${numbers}, "d": "1234567890123456789 \\" 1e999"}`;
		expect(read(context, { context: given })).toEqual(JSON.parse(given));
	});

	test.each([
		['[1, 2]', 'a list'],
		[['a'], 'a list'],
		['7', 'a number'],
		[7, 'a number'],
		['"{}"', 'a text'],
		['true', 'true'],
		['null', 'null'],
	])('says what %j is', (given, kind) => {
		expect(read(context, { context: given })).toEqual([
			`'Metadata' is ${kind}, not an object`,
			'Enter one JSON object: names and values in braces.',
		]);
	});

	test('is about the value inside, where that is of the wrong kind', () => {
		const advice = expect.stringContaining('Enter a JSON object for each event type');
		const message = expect.stringContaining("'Payload Templates' cannot be");
		expect(read(payloadTemplates, { payloadTemplates: '{"campaign.started": 7}' })).toEqual([message, advice]);
	});
});

describe('A flow', () => {
	const plain = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] };
	const item = { conversation_mode: 'flow_driven', flow_config: plain };

	test.each([
		['as it is', plain],
		['as Get returns it', item],
		['as n8n copies the output of Get', [item]],
		['as an item with its JSON inside', { json: item, pairedItem: { item: 0 } }],
	])('is read %s, also as text', (_how, given) => {
		expect(read(flow, { flow: given })).toEqual(plain);
		expect(read(flow, { flow: JSON.stringify(given, undefined, 2) })).toEqual(plain);
	});

	test.each([
		[
			{ conversation_mode: 'llm_driven', flow_config: null },
			'has no flow: the language model leads the conversations of this agent',
		],
		['[]', 'is a list, not an object'],
		[[item, item], 'is a list, not an object'],
		['null', 'is null, not an object'],
		['{"flow_config": 7}', 'is a number, not an object'],
		['{"nodes": [}', "is not valid JSON: line 1, column 12: Unexpected token '}'"],
	])('is not %j', (given, wrong) => {
		expect(read(flow, { flow: given })).toEqual([`'Flow' ${wrong}`, expect.any(String)]);
	});
});
