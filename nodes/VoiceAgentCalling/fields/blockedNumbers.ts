import { onlyByPerson } from '../../shared/errors/aiTool';
import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, kindOf, local, setByPerson } from '../../shared/fields/field';
import { fromJson, REPEATED_NAME, repeatedNameIn } from '../../shared/lib/fromJson';
import { isBlank } from '../../shared/lib/isBlank';
import { isRecord } from '../../shared/lib/isRecord';
import { countryOf, parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';

const NAME = "'Blocked Numbers'";

/** The fields of a row that may have the number; a row has exactly one of them. */
const NUMBER_FIELDS = ['phone', 'number', 'to'];

/** How many names of fields an error shows. */
const MAX_NAMES = 10;

/**
 * Numbers that must not be called: an option of all operations that place, queue or check a call. The value is a set of
 * phones, see {@link phoneOf}.
 */
export const [blockedNumbers] = setByPerson(
	local(
		defineField({
			key: 'blockedNumbers',
			refusesEmpty: true,
			oncePerRun: true,
			properties: [
				{
					displayName: 'Blocked Numbers',
					name: 'blockedNumbers',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					placeholder: 'e.g. +12025550111, +12025550122',
					description:
						"Numbers that must not be called: their items get the result blocked. Separate them by commas or line breaks, or use an expression that returns a list, such as {{ $('Get Rows').all() }}: rows need one field named phone, number or to. If an entry is not a phone number, no call is sent.",
				},
			],
			read: readBlocked,
			check: (zod) => zod.custom<ReadonlySet<string>>((value) => value instanceof Set),
		}),
	),
);

/**
 * Normalizes the list.
 *
 * @throws ServiceError `INVALID_INPUT` with the position of an entry that is no phone number, `NOT_FOR_TOOLS`
 */
function readBlocked({ get, asTool, isConstant, dependsOnItem }: FieldSource): ReadonlySet<string> | undefined {
	const entries = entriesOf(get('blockedNumbers'));
	if (entries === undefined) {
		return undefined;
	}
	// With another country, an entry would be another number.
	if (asTool && !isConstant('defaultCountry')) {
		throw onlyByPerson("'Default Country' with 'Blocked Numbers'");
	}
	// The country of one item says nothing about the list: an entry without a country code has none.
	const isCountryOfItem = dependsOnItem?.('defaultCountry') === true;
	const country = isCountryOfItem ? undefined : get('defaultCountry');
	const { code, mistake } = !isBlank(country) ? countryOf(country) : {};
	if (mistake !== undefined) {
		throw invalid(`'Default Country' cannot be ${JSON.stringify(country)}`, `${mistake}.`);
	}
	const phones = new Set<string>();
	for (const [index, entry] of entries.entries()) {
		const given = isRecord(entry) ? cellOf(entry, index + 1) : entry;
		const { readings, lacksCountry } = parsePhoneNumber(given, code);
		if (readings.length === 0) {
			throw notANumber(index + 1, { isEmpty: isBlank(given), lacksCountry, isCountryOfItem });
		}
		// To block one number too many is safer than to call a person who must not be called.
		for (const number of readings) {
			phones.add(phoneOf(number));
		}
	}
	return phones;
}

/** The entries of a list, or of a text; undefined for an empty text. @throws ServiceError for anything else */
function entriesOf(given: unknown): unknown[] | undefined {
	const value = typeof given === 'string' && given.trim().startsWith('[') ? fromJson(given) : given;
	const repeated = value === given ? undefined : repeatedNameIn(String(given));
	if (repeated !== undefined) {
		throw invalid(`${NAME} ${REPEATED_NAME.what}: ${repeated}`, `${REPEATED_NAME.advice}.`);
	}
	if (Array.isArray(value)) {
		return isNoRow(value) ? [] : value;
	}
	if (typeof value === 'number') {
		return [value];
	}
	if (typeof value === 'string') {
		const entries = value.split(/[,;\r\n]+/).filter((entry) => entry.trim() !== '');
		return entries.length > 0 ? entries : undefined;
	}
	if (isBlank(value)) {
		return undefined;
	}
	const what = isRecord(value) ? 'an object' : kindOf(value);
	throw invalid(
		`${NAME} is ${what}, not a list`,
		"Use an expression that returns a list, such as {{ $('Get Rows').all() }}.",
	);
}

/** Whether a list is what n8n makes of no rows where a node always has output data: one item without fields. */
function isNoRow(entries: readonly unknown[]): boolean {
	const [only] = entries;
	const row = isRecord(only) && isRecord(only.json) ? only.json : only;
	return entries.length === 1 && isRecord(row) && Object.keys(row).length === 0;
}

/**
 * The number in a row, or in an item of n8n, whose row is its `json`.
 *
 * @param position from 1
 * @throws ServiceError `INVALID_INPUT` with the names of its fields, unless exactly one of {@link NUMBER_FIELDS} is there
 */
function cellOf(row: Record<string, unknown>, position: number): unknown {
	const fields = isRecord(row.json) ? row.json : row;
	const found = NUMBER_FIELDS.filter((name) => Object.hasOwn(fields, name));
	if (found.length === 1) {
		return fields[found[0]];
	}
	const names = Object.keys(fields).map((name) => JSON.stringify(name.slice(0, 40)));
	const seen = names.length > 0 ? names.slice(0, MAX_NAMES).join(', ') : 'no fields';
	throw invalid(
		`${NAME}, entry ${position} must have exactly one field named phone, number or to, and has ${seen}`,
		"Return the numbers alone, such as {{ $('Get Rows').all().map(row => row.json.mobile) }}.",
	);
}

/** The error for an entry; it does not repeat the entry, which is personal data. @param position from 1 */
function notANumber(
	position: number,
	{ isEmpty, lacksCountry, isCountryOfItem }: { isEmpty: boolean; lacksCountry: boolean; isCountryOfItem: boolean },
) {
	const place = `${NAME}, entry ${position}`;
	if (lacksCountry) {
		const advice = isCountryOfItem
			? "Enter the numbers of the list with + and the country code: 'Default Country' is an expression for each item, and does not apply to the list."
			: "Add 'Default Country' to Options, or correct the list.";
		return invalid(`${place} has no country code`, advice);
	}
	return invalid(`${place} is ${isEmpty ? 'empty' : 'not a phone number'}`, 'Correct the list.');
}
