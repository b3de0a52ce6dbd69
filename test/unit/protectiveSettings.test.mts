import type { INodeProperties } from 'n8n-workflow';

import { VoiceAgentCallingApi } from '../../credentials/VoiceAgentCallingApi.credentials.ts';
import { assertLimits, connectionOf } from '../../nodes/shared/client/transport.ts';
import type { Field } from '../../nodes/shared/fields/field.ts';
import { loadCountries } from '../../nodes/shared/phoneNumbers/e164.ts';
import { toolFields } from '../../nodes/VoiceAgentCalling/fields/toolLimits.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import {
	fields as triggerFields,
	options as triggerOptions,
} from '../../nodes/VoiceAgentCallingTrigger/parameters/settings.ts';
import { readField } from '../readField.mts';

/** What an expression, a spreadsheet or a workflow that somebody wrote can have in the place of a setting. */
const ODD: readonly unknown[] = [
	...[undefined, null, '', ' ', '\u00a0', '\n', ','],
	...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 1.5, 5],
	...['NaN', 'Infinity', '-1', '0', '1.5', '5', '1e3', '0x10', '5 calls', '1,000'],
	...[true, false, 'true', 'false', 'yes', 'no', 'off', 'none', 'unknown'],
	...[[], [5], [true], [false], ['false'], ['never'], [undefined], [null], ['']],
	...[{}, { values: null }, { values: [] }, '{"values":{}}', '[object Object]', new Date(Number.NaN)],
	...['BST', 'IST', 'AST', 'ART', 'NST', 'CST', 'ECT', 'EST', 'GMT', 'utc', '+02:00', 'Mars/Base', 'UTC'],
];

/** Text, also of what JSON does not have. */
const textOf = (value: unknown): string =>
	JSON.stringify(value, (_key, inner) =>
		inner === undefined || (typeof inner === 'number' && !Number.isFinite(inner)) ? `<${inner}>` : inner,
	);

/** The odd values that a setting accepts, with what each means; it refuses all others. */
type Accepted = ReadonlyArray<readonly [value: unknown, meaning: unknown]>;

const NUMBERS: Accepted = [
	[-1, -1],
	[0, 0],
	[1.5, 1.5],
	[5, 5],
	['-1', -1],
	['0', 0],
	['1.5', 1.5],
	['5', 5],
	['1e3', 1000],
];
const fractions = (min: number, max: number) => NUMBERS.filter(([, it]) => Number(it) >= min && Number(it) <= max);
const whole = (min: number, max: number) => fractions(min, max).filter(([, it]) => Number.isInteger(it));
const FLAG: Accepted = [true, false, 'true', 'false'].map((value) => [value, String(value) === 'true']);
const DAYS: Accepted = [5, '5', [5]].map((value) => [value, [5]]);
const HOURS = whole(1, 168);
const NONE: Accepted = [];
const ZONE: Accepted = [['UTC', 'UTC']];
/** An empty list is one. */
const LIST: Accepted = [[[], []]];

/** Where any word is one: the name of a header, and words of the service that are not published. */
const WORDS = new Set(['Add Numbers After Call Statuses', 'Add Numbers After Call Errors', 'Signature Header']);

/** Whether texts were read as themselves, word by word. */
const isWord = (value: unknown, meaning: unknown) =>
	/[a-z\d]/i.test(textOf(value)) &&
	[value].flat().every((text) => typeof text === 'string') &&
	[value].flat().join().replace(' ', ',') === [meaning].flat().join();

/** The settings that protect. Members of a list have the names of both. */
const PROTECTIVE: Record<string, Accepted> = {
	'Test Call': NONE,
	'Repeated Number': NONE,
	'If Already Queued': NONE,
	'Missing Variables': NONE,
	'If Outside Hours': NONE,
	'Delay (Seconds)': whole(0, 3600),
	'Blocked Numbers': LIST,
	'Calling Hours': NONE,
	// No holidays: an empty text, or an empty list.
	'Calling Hours: Holidays': [
		['', []],
		[[], []],
	],
	'Calling Hours: Hours': NONE,
	'Calling Hours: If Time Zone Is Unclear Name or ID': ZONE,
	'Calling Hours: Time Zone Name or ID': ZONE,
	Consent: NONE,
	'Consent: Given At': NONE,
	'Consent: Valid For (Days)': whole(1, 1000),
	'Frequency Cap': NONE,
	'Frequency Cap: At Most': whole(1, 1000),
	'Frequency Cap: Days': whole(1, 365),
	'Time Limit': NONE,
	'Time Limit: Amount': fractions(0.1, 365),
	'Time Limit: Unit': NONE,
	'Max Concurrent Requests': whole(0, 100),
	'Max Requests per Minute': fractions(0.1, 1000),
	'Max Wait (Seconds)': whole(1, 1000),
	'Request Timeout (Seconds)': fractions(1, 600),
	'Max Calls per Run': whole(1, 1000),
	'Max Calls per Hour': whole(1, 1000),
	// Empty: any number, as its description says.
	'Allowed Number Prefixes': [undefined, null, ''].map((value) => [value, []]),
	'Start Date': NONE,
	'End Date': NONE,
	'Days of the Week': DAYS,
	'Call Time Ranges': NONE,
	'Time Zone Name or ID': ZONE,
	'First Call Delay (Seconds)': whole(0, 1000),
	'Max Retries': whole(0, 10),
	'Complete Automatically': FLAG,
	'Retry If Not Converted': FLAG,
	'Retry Cooldown (Hours)': HOURS,
	'Busy Cooldown (Hours)': HOURS,
	'Failed Cooldown (Hours)': HOURS,
	'No Answer Cooldown (Hours)': HOURS,
	'Success Cooldown (Hours)': HOURS,
	'Voicemail Cooldown (Hours)': HOURS,
	'Cooldown After Completion': FLAG,
	'Cooldown After Completion (Hours)': HOURS,
	'Skip Do-Not-Call Numbers': FLAG,
	'Do Not Call List': NONE,
	'Do Not Call Numbers': LIST,
	'Add Numbers to Do-Not-Call List': FLAG,
	'Add Numbers After Call Statuses': LIST,
	'Add Numbers After Call Errors': LIST,
	'Also Start for Awaited Calls': FLAG,
	'Signature Header': NONE,
	'Verify By': NONE,
	'Test Deliveries': NONE,
};

/** Whom to call, with what and where the events go; texts that only inform. */
const OTHERS =
	/^(Agent|Campaign|Phone Number|Agent Variables|Variables \(JSON\)|Metadata.*|Default Country|Consent: (Purpose|Reference)|Wait (By|For)|Poll Interval.*|Name|Description|Type|Connect to Trigger|Trigger On|Events|Additional .*|Include Call Events|Extra Headers.*|Call Time Ranges: .*)$/;

const OPERATIONS =
	/^(call (place|placeAndWait|checkBeforeCalling)|campaign (queueCall|queueCallAndWait|checkBeforeCalling|create|update|waitUntilCompleted))$/;

interface Setting {
	name: string;
	field: Field;
	/** The parameters, with an odd value. */
	parameters(value: unknown): Record<string, unknown>;
	collection: string;
}

const VALID_MEMBERS: Record<string, object> = {
	callingHours: {
		...{ hours: 'Mon-Fri 9:00-20:00', holidays: '' },
		...{ timeZone: 'fromNumber', unclearTimeZone: 'outside' },
	},
	consent: { givenAt: '2026-01-01T00:00:00Z', validFor: '30', purpose: '', reference: '' },
	frequencyCap: { atMost: 3, days: 7 },
	timeLimit: { amount: 1, unit: 'days' },
};

function settingsOf(field: Field, collection: string): Setting[] {
	return field.properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property) => {
			const { displayName: label, name, options = [] } = property;
			const members = options.flatMap((group) => ('values' in group ? group.values : []));
			const outer: Setting = { name: label, field, collection, parameters: (value) => ({ [name]: value }) };
			const parts = members.map(
				(member: INodeProperties): Setting => ({
					...outer,
					name: `${label}: ${member.displayName}`,
					parameters: (value) => ({ [name]: { values: { ...VALID_MEMBERS[name], [member.name]: value } } }),
				}),
			);
			return [outer, ...parts];
		});
}

const operations = resources.flatMap(({ value, operations: all }) =>
	all.filter((operation) => OPERATIONS.test(`${value} ${operation.value}`)),
);
const settings = [
	...operations.flatMap(({ fields, updates, options, sending }) =>
		Object.entries({ '': fields, updateFields: updates, options, sending }).flatMap(([collection, members]) =>
			members.flatMap((field) => settingsOf(field, collection)),
		),
	),
	...[...toolFields, ...triggerFields].flatMap((field) => settingsOf(field, '')),
	...triggerOptions.flatMap((field) => settingsOf(field, 'options')),
];

/** What a setting is read as. @throws Error */
function read({ field, collection, parameters }: Setting, value: unknown, isConstant = false): unknown {
	return readField(field, parameters(value), { collection, isConstant: () => isConstant });
}

/** The part of a result that a member of a list decides. */
function partOf(result: unknown, { name }: Setting): unknown {
	const parts: Record<string, string> = {
		'Calling Hours: Holidays': 'holidays',
		'Calling Hours: If Time Zone Is Unclear Name or ID': 'unclearTimeZone',
		'Calling Hours: Time Zone Name or ID': 'timeZone',
		'Consent: Valid For (Days)': 'validForDays',
		'Frequency Cap: At Most': 'atMost',
		'Frequency Cap: Days': 'days',
	};
	const part = parts[name];
	if (part !== undefined) {
		return (result as Record<string, unknown>)[part];
	}
	return name === 'Time Limit: Amount' ? Number(result) / 86_400_000 : result;
}

beforeAll(loadCountries);

test('each setting of calls, campaigns, tools and the trigger is in the table, or protects nobody', () => {
	const names = new Set(settings.map(({ name }) => name));
	expect([...names].filter((name) => !(name in PROTECTIVE) && !OTHERS.test(name))).toEqual([]);
	expect(Object.keys(PROTECTIVE).filter((name) => !names.has(name))).toEqual([]);
});

test.each(Object.entries(PROTECTIVE))('%s is read as a person expects, or refused by name', (name, accepted) => {
	const all = settings.filter((setting) => setting.name === name);
	for (const setting of all) {
		const label = name.split(':')[0];
		const found = ODD.flatMap((value) => {
			try {
				const result = read(setting, value);
				const isNoConsent = (result as { mistake?: unknown } | undefined)?.mistake !== undefined;
				const meaning = partOf(result, setting);
				return isNoConsent || (WORDS.has(name) && isWord(value, meaning)) ? [] : [textOf([value, meaning])];
			} catch (error) {
				expect((error as Error).message).toContain(`'${label}`);
				return [];
			}
		});
		expect(found.sort()).toEqual(accepted.map(textOf).sort());
	}
});

/** What the nodes do where a person added a setting, and left it empty. All others refuse it. */
const LEFT_EMPTY: Record<string, string> = {
	'Delay (Seconds)': 'no delay',
	'If Already Queued': 'the call that exists is returned',
	'If Outside Hours': 'not called',
	'Missing Variables': 'not called',
	'Repeated Number': 'called once',
	'Also Start for Awaited Calls': 'off',
	'Signature Header': 'a valid signature counts in every header',
	'Test Deliveries': 'they start nothing',
	'Verify By': 'by signature',
};

test('a setting that a person added and left empty is refused, or has the default that protects', () => {
	const isRead = (setting: Setting) => {
		try {
			return read(setting, '', true) === undefined;
		} catch {
			return false;
		}
	};
	const added = settings.filter(({ name, collection }) => name in PROTECTIVE && collection.length > 0);
	const open = added.filter((setting) => setting.collection !== 'updateFields' && isRead(setting));
	expect([...new Set(open.map(({ name }) => name))].sort()).toEqual(Object.keys(LEFT_EMPTY).sort());
});

describe('The credential', () => {
	const connection = (values: object) => connectionOf({ baseUrl: 'https://api.example.com', ...values });

	test('has no setting that this test does not know', () => {
		const names = new VoiceAgentCallingApi().properties.map(({ name }) => name);
		expect(names).toEqual(['baseUrl', 'environmentToken', 'testCallsOnly', 'callsPerRun', 'callsPerDay']);
	});

	test.each([
		['callsPerRun', "'Calls per Run' in the credential"],
		['callsPerDay', "'Calls per Day' in the credential"],
	] as const)('%s is a whole number; only 0 is no limit', (name, label) => {
		const without = name === 'callsPerRun' ? { callsPerDay: 0 } : { callsPerRun: 0 };
		const found = ODD.flatMap((value) => {
			const given = connection({ ...without, [name]: value });
			try {
				assertLimits(given);
				return [[value, given[name]]];
			} catch (error) {
				expect((error as Error).message).toContain(label);
				return [];
			}
		});
		expect(found).toEqual([
			[0, undefined],
			[5, 5],
			['0', undefined],
			['5', 5],
			['1e3', 1000],
		]);
	});

	test('Test Calls Only is off only if it is false', () => {
		const off = ODD.filter((testCallsOnly) => !connection({ testCallsOnly }).testCallsOnly);
		expect(off).toEqual([false, 'false']);
	});
});
