import { DateTime } from 'luxon';
import { z } from 'zod/v3';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import type { Field } from '../../../../nodes/shared/fields/field.ts';
import { decimal, idList, json, text } from '../../../../nodes/shared/fields/kinds.ts';
import { readFields } from '../../../../nodes/shared/fields/readFields.ts';
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

beforeAll(loadCountries);

/** Reads one field. @returns its value, or the message and the advice of its error */
function read(field: Field, parameters: Record<string, unknown>, timezone = 'UTC'): unknown {
	const source = {
		get: (name: string) => parameters[name],
		rootMode: 'trigger',
		asTool: false,
		isConstant: () => false,
		timezone,
	};
	try {
		return readFields(z, [field], {}, source).input[field.key];
	} catch (error) {
		const { message, advice } = error as ServiceError;
		expect(error).toBeInstanceOf(ServiceError);
		return [message, advice];
	}
}

const ranges = (...values: Array<{ start: unknown; end: unknown }>) =>
	read(callTimeRanges, { callTimeRanges: { values } });

describe('The message of a field names the place and the value there', () => {
	test('in a list: the row and its field', () => {
		expect(ranges({ start: '9am', end: '17:00' })).toEqual([
			'\'Call Time Ranges\', Range 1, Start: "9am" must look like 09:00',
			'Enter a time of day from 00:00 to 23:59.',
		]);
		expect(ranges({ start: '09:00', end: '12:00' }, { start: '13:00', end: '' })).toEqual([
			'\'Call Time Ranges\', Range 2, End: "" must look like 09:00',
			'Enter a time of day from 00:00 to 23:59.',
		]);
	});

	test('in a list: the row whose fields contradict each other', () => {
		expect(ranges({ start: '09:00', end: '12:00' }, { start: '17:00', end: '09:00' })).toEqual([
			"'Call Time Ranges', Range 2 must end after it starts",
			expect.stringContaining('second range'),
		]);
	});

	test('in a list of people', () => {
		const given = {
			values: [
				{ name: 'Ada', email: 'ada@example.com' },
				{ name: 'Bea', email: 'bea' },
			],
		};
		expect(read(attendees(), { attendees: given })).toEqual([
			'\'Attendees\', Attendee 2, Email cannot be "bea"',
			'Enter an email address, like name@email.com.',
		]);
	});

	test('in a list of IDs: the ID and not the whole list', () => {
		const ids = idList('ids', { displayName: 'Numbers', name: 'numbers' });
		const good = '3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c';
		expect(read(ids, { numbers: [good, 'Main line'] })).toEqual([
			'\'Numbers\' cannot be "Main line"',
			expect.stringContaining('Use IDs'),
		]);
	});

	test('of a time and a phone number: what is missing', () => {
		const time = timeOfDay('at', { displayName: 'Start Time', name: 'start' });
		expect(read(time, { start: '9 am' })).toEqual([
			'\'Start Time\': "9 am" must look like 09:00',
			'Enter a time of day from 00:00 to 23:59.',
		]);
		expect(read(time, { start: '25:00' })).toEqual([
			'\'Start Time\': "25:00" is not a time of day',
			expect.any(String),
		]);
		expect(read(phoneNumber, { phoneNumber: '555-0103' })).toEqual([
			'\'Phone Number\': "555-0103" has no country code',
			expect.stringContaining('country code'),
		]);
	});

	test('in a list of days: the day, and days are accepted as numbers and names', () => {
		expect(read(daysOfWeek, { daysOfWeek: 'Mon, Tue' })).toEqual([
			'\'Days of the Week\' cannot be "Mon"',
			'Use Monday to Sunday, or 1 to 7.',
		]);
		expect(read(daysOfWeek, { daysOfWeek: 'monday, 2;7' })).toEqual([1, 2, 7]);
		expect(read(daysOfWeek, { daysOfWeek: 3 })).toEqual([3]);
	});

	test('of a picker: its ID', () => {
		expect(read(calendarOwner, { owner: { __rl: true, mode: 'id', value: 'ada@example.com' } })).toEqual([
			'\'Owner\' cannot be "ada@example.com"',
			expect.stringContaining('Enter an ID'),
		]);
	});

	test('of an empty list: what to choose', () => {
		expect(read(daysOfWeek, { daysOfWeek: [] })).toEqual([
			"Choose at least one day in 'Days of the Week'",
			expect.any(String),
		]);
		expect(read(callTimeRanges, { callTimeRanges: { values: [] } })).toEqual([
			"Add at least one range in 'Call Time Ranges'",
			expect.any(String),
		]);
	});

	test('never the value of a field that may hold a secret', () => {
		const values = [{ name: 'X-One', value: 'one\ntwo' }];
		expect(read(extraHeaders, { extraHeaders: { values } })).toEqual([
			expect.stringMatching(/^'Extra Headers', Header 1.* has a value that cannot be used$/),
			expect.any(String),
		]);
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

	test.each(
		[
			'T22:00:00.000Z',
			'T22:00:00Z',
			'T22:00Z',
			'T22:00:00+00:00',
			'T22:00:00.000+0000',
			' 22:00:00+00',
			' 22:00:00.000000+00',
			' 22:00:00 UTC',
			' 22:00:00 GMT',
			' 22:00:00 Etc/UTC',
			'T22:00:00Z[UTC]',
			'T22:00:00+00:00[Etc/UTC]',
		].map((time) => [time]),
	)('at %s is the day of the workflow, for which a database has a midnight', (time) => {
		const given = `2031-03-31${time}`;
		expect([
			read(startDate, { startDate: given }, 'Europe/Berlin'),
			read(startDate, { startDate: given }, 'America/New_York'),
			read(startDate, { startDate: given.replace('22', '00') }, 'America/New_York'),
		]).toEqual(['2031-04-01', '2031-03-31', '2031-03-31']);
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
		'2031-07-08 (a Tuesday)',
		'2031-07-08 00:30 PM',
		'2031-07-08T99:99',
		1_941_321_600_000,
		['2031-07-08', '2031-07-10'],
		{ year: 2031 },
	])('is not read from %j', (given) => {
		expect(read(startDate, { startDate: given })).toEqual([
			expect.stringContaining("'Start Date' cannot be"),
			'Enter a date, like 2026-03-31.',
		]);
		expect(read(startAt, { start: given })).toEqual([expect.stringContaining("'Start' cannot be"), expect.any(String)]);
	});
});

describe('An ID that a spreadsheet made a number', () => {
	const id = text('id', { displayName: 'Contact', name: 'id' });

	test('is read with all its digits', () => {
		expect(read(id, { id: 900_719_925_474_099 })).toBe('900719925474099');
		expect(read(id, { id: 1.5 })).toBe('1.5');
	});

	test.each([2 ** 53, 1e21, Number.POSITIVE_INFINITY])('is refused where digits are lost: %d', (given) => {
		expect(read(id, { id: given })).toEqual([expect.stringContaining("'Contact' cannot be"), 'Enter text.']);
	});
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
	const metadata = (rows: unknown) => read(callMetadata, { metadataFields: { values: rows } });

	test('ignores empty rows only', () => {
		expect(metadata([{ name: '', value: '' }, { name: 'contact', value: 7 }, {}])).toEqual({ contact: 7 });
	});

	test('refuses a value without a name, and two with the same name', () => {
		expect(metadata([{ name: '', value: 'Ada' }])).toEqual([
			"'Metadata' has a value without a name",
			expect.any(String),
		]);
		const twice = [
			{ name: 'contact', value: 1 },
			{ name: 'contact', value: 2 },
		];
		expect(metadata(twice)).toEqual(['\'Metadata\' has two values named "contact"', 'Remove one of them.']);
	});

	test('refuses a value whose expression gives nothing, and sends one that is empty', () => {
		expect(metadata([{ name: 'contact', value: undefined }])).toEqual([
			'"contact" in \'Metadata\' is empty: its expression has no value',
			expect.stringContaining('Correct the expression'),
		]);
		const empty = [
			{ name: 'contact', value: '' },
			{ name: 'group', value: null },
		];
		expect(metadata(empty)).toEqual({ contact: '', group: null });
	});

	test('counts while its JSON is empty', () => {
		const values = [{ name: 'contact', value: 7 }];
		expect(read(callMetadata, { metadataJson: '', metadataFields: { values } })).toEqual({ contact: 7 });
	});
});

test('a do-not-call list without a number is a mistake, and not an empty list', () => {
	const [numbers] = doNotCallRules.filter(({ key }) => key === 'do_not_call_custom_list');
	for (const given of [',', ' ', '\n']) {
		expect(read(numbers, { doNotCallNumbers: given })).toEqual([expect.any(String), 'Enter a list.']);
	}
	expect(read(numbers, { doNotCallNumbers: [] })).toEqual([]);
});

test('a fixed value of an action is sent in the type of its input', () => {
	const fixedValue = (type: string, value: unknown) => {
		const values = [{ name: 'room', type, required: false, description: '', value }];
		return (read(inputs, { inputs: { values } }) as Array<{ value?: unknown }>)[0].value;
	};
	expect(fixedValue('number', '7.5')).toBe(7.5);
	expect(fixedValue('integer', '7')).toBe(7);
	expect(fixedValue('boolean', 'false')).toBe(false);
	expect(fixedValue('string', '7')).toBe('7');
	expect(fixedValue('constructor', '7')).toBe('7');
	expect(fixedValue('number', '')).toBeUndefined();
	const values = [{ name: 'room', type: 'integer', required: false, description: '', value: '7.5' }];
	expect(read(inputs, { inputs: { values } })).toEqual([
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

	test.each([
		['{"id": 1234567890123456789}', 'line 1, column 8'],
		['{\n"a": {"b": [-9007199254740992]}}', 'line 2, column 13'],
		['{"id": 1e999}', 'line 1, column 8'],
		['{"text \\" 1": "\\\\", "id": 9007199254740993 }', 'line 1, column 27'],
	])('says where %s has a number that would become another one', (given, place) => {
		expect(read(context, { context: given })).toEqual([
			`'Metadata' has a number that is too large to be kept as it is: ${place}`,
			'Write it in quotation marks there.',
		]);
	});

	test('says where a name is there twice, and quotes none of the values', () => {
		expect(read(context, { context: '{"to": "Ada",\n"to": "Bob"}' })).toEqual([
			"'Metadata' has a name that its object has before: line 2, column 1",
			'Remove one of the two there.',
		]);
	});

	test.each<[unknown, string]>([
		[{ contact: undefined }, 'is empty at "contact": its expression has no value there'],
		[{ lists: [{ ids: [1, undefined] }] }, 'is empty at "lists.0.ids.1": its expression has no value there'],
		// A gap.
		[{ ids: new Array(1) }, 'is empty at "ids.0": its expression has no value there'],
		[{ age: Number.NaN }, 'has NaN at "age", which JSON cannot hold'],
		[{ age: Number.POSITIVE_INFINITY }, 'has Infinity at "age", which JSON cannot hold'],
		[{ id: 7n }, 'has a BigInt at "id", which JSON cannot hold'],
		[{ contacts: new Set(['Ada']) }, 'has a Set at "contacts", which JSON cannot hold'],
		[{ name: () => 'Ada' }, 'has a Function at "name", which JSON cannot hold'],
		[{ born: new Date(Number.NaN) }, 'has an invalid date at "born", which JSON cannot hold'],
	])('names what JSON would lack of a value from an expression: %p', (given, ofField) => {
		for (const field of [context, callMetadata]) {
			const parameter = field.properties.at(-1)!.name;
			expect(read(field, { [parameter]: given })).toEqual([
				expect.stringMatching(/^'Metadata( \(JSON\))?' /),
				"Correct the expression, or give it another value for such items, such as {{ $json.id ?? '' }}.",
			]);
			expect((read(field, { [parameter]: given }) as string[])[0]).toContain(ofField);
		}
	});

	test('leaves null, empty values and dates, which JSON has', () => {
		const kept = { contact: null, name: '', ids: [], more: {}, at: new Date(0) };
		expect(read(context, { context: { ...kept, again: kept.more } })).toEqual({ ...kept, again: {} });
	});

	test('leaves numbers that are kept, and digits in texts', () => {
		const given =
			'{"a": 9007199254740991, "b": -1.5e-3, "c": 0.1234567890123456789, "d": "1234567890123456789 \\" 1e999", "e": 1e21}';
		expect(read(context, { context: given })).toEqual(JSON.parse(given));
	});

	test.each([
		['[1, 2]', 'a list'],
		[['a'], 'a list'],
		['"{}"', 'a text'],
		['7', 'a number'],
		[7, 'a number'],
		['true', 'true'],
		['null', 'null'],
	])('says what %j is', (given, kind) => {
		expect(read(context, { context: given })).toEqual([
			`'Metadata' is ${kind}, not an object`,
			'Enter one JSON object: names and values in braces.',
		]);
	});

	test('is about the value inside, where that is of the wrong kind', () => {
		expect(read(payloadTemplates, { payloadTemplates: '{"campaign.started": 7}' })).toEqual([
			expect.stringContaining("'Payload Templates' cannot be"),
			expect.stringContaining('Enter a JSON object for each event type'),
		]);
	});

	test.each([{}, { name: 'Ada' }])('accepts the object %j, as it is and as text', (value) => {
		expect(read(context, { context: value })).toEqual(value);
		expect(read(context, { context: ` ${JSON.stringify(value)}\n` })).toEqual(value);
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

	test('with a node that is called flow_config stays as it is', () => {
		const odd = { ...plain, flow_config: 1 };
		expect(read(flow, { flow: odd })).toEqual(odd);
	});

	test('is missing where the language model leads', () => {
		expect(read(flow, { flow: { conversation_mode: 'llm_driven', flow_config: null } })).toEqual([
			"'Flow' has no flow: the language model leads the conversations of this agent",
			'Use the flow of an agent whose conversation mode is flow_driven.',
		]);
	});

	test.each([
		['[]', 'is a list, not an object'],
		[[item, item], 'is a list, not an object'],
		['null', 'is null, not an object'],
		['{"flow_config": 7}', 'is a number, not an object'],
		['{"nodes": [}', "is not valid JSON: line 1, column 12: Unexpected token '}'"],
	])('is not %j', (given, wrong) => {
		expect(read(flow, { flow: given })).toEqual([`'Flow' ${wrong}`, expect.any(String)]);
	});
});
