import { sleep } from 'n8n-workflow';

import { onlyByPerson } from '../../shared/errors/nodeError';
import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, kindOf, local, withRules } from '../../shared/fields/field';
import { toggle } from '../../shared/fields/kinds';
import { fromJson, isBlank, isRecord, REPEATED_NAME, repeatedNameIn } from '../../shared/lib/json';
import { countryOf, type ParsedNumber, parsePhoneNumber, plainSigns } from '../../shared/phoneNumbers/e164';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';

const NAME = "'Blocked Numbers'";

/** Returns the numbers alone. Without rows, n8n outputs an empty one, which stays empty. */
const EXPRESSION = "{{ $('Get Rows').all().map(row => row.json.phone ?? row.json) }}";

/** Seven digits or more, with the signs that people write between the digits of a phone number. */
const NUMBER = /\d(?:[\s()./-]*\d){6}/;

/** A number as a spreadsheet shortens it, such as 4.91512E+11. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+?\d\d$/i;

/** Dates, years and times within a text. */
const DATES =
	/(?<!\d)(?:(?:19|20)\d\d[./-](?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-](?:19|20)?\d\d|(?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|[12]\d|3[01])[./-](?:19|20)?\d\d|(?:19|20)\d\d\s?[/-]\s?(?:19|20)\d\d)(?!\d)|T?\d{1,2}:\d\d[\d:.]*Z?|GMT[+-]\d{4}/gi;

/** Whole texts whose digits are not a phone number: an email address, a UUID, a hash, a link that opens no chat. */
const NO_NUMBER = [
	/^(?!sip:|\+?\d{7,15}@)\S+@\S+$/i,
	/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
	/^(?=.*[a-f])[\da-f]{16,}$/i,
	/^https?:\/\/(?!\S*(?:wa\.me|whatsapp|signal|t\.me|viber|tel))\S+$/i,
];

/** The names of fields whose digits are not a phone number, unless {@link OF_PHONE} names one. */
const OTHER_FIELD =
	/date|time|creat|updat|modif|added|(?<!\p{L})(?:address|amount|geo|iban|ids?|ip|lat|latitude|lng|lon|longitude|plz|postal|postcode|price|score|street|total|uuid|vat|zip|at)(?!\p{L})/iu;

/** A part of the name of a field about a phone. */
const OF_PHONE = /phone|mobil|movil|handy|cell|tel|fax|call|gsm|whatsapp|contact|number|nummer|numero/i;

/** Digits alone, which may be an ID. */
const DIGITS = /^\d+$/;

/** The properties of n8n's items, with the row in `json`. */
const OF_ITEM = ['json', 'binary', 'pairedItem', 'error', 'index', 'metadata'];

/** How many field names an error shows. */
const MAX_NAMES = 10;

/** How many entries an error lists. */
const MAX_ENTRIES = 20;

/** How many entries are read before other work of the event loop runs. */
const CHUNK = 2000;

/** Numbers that must not be called: an option of all operations that place, queue or check a call. */
export const blockedNumbers = local(
	defineField({
		key: 'blockedNumbers',
		ai: 'fixed',
		empty: {
			error: 'Enter numbers, or an expression that returns a list ([] for none). To block nobody, remove the option.',
		},
		once: true,
		properties: [
			{
				displayName: 'Blocked Numbers',
				name: 'blockedNumbers',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. +12025550111, +12025550122',
				description:
					'Numbers that must not be called: their items get the result blocked. Separate them by commas or line breaks, or use an expression that returns a list of numbers or rows. Of a row, each field with a phone number counts. If an entry is not a phone number, no call is sent.',
			},
		],
		read: readBlocked,
		check: (zod) => zod.custom<BlockedNumbers>((value) => value instanceof BlockedNumbers),
	}),
);

/** Whether to ignore entries of {@link blockedNumbers} that cannot be read. */
export const [leaveOutUnreadable] = withRules(
	{ ai: 'fixed' },
	local(
		toggle('leaveOutUnreadable', {
			displayName: 'Leave Out Unreadable Blocked Numbers',
			name: 'leaveOutUnreadable',
			description:
				'Whether to call although entries of Blocked Numbers cannot be read: these entries then protect nobody',
		}),
	),
);

/** The mistakes in entries, as texts for one entry and for several. */
const MISTAKES = {
	empty: ['is empty', 'are empty'],
	header: ['has a phone number as the name of a field', 'have a phone number as the name of a field'],
	noCountry: ['has no country code', 'have no country code'],
	noNumber: ['is not a phone number', 'are not phone numbers'],
	noField: ['has no field with a phone number', 'have no field with a phone number'],
} as const;

/** What a field has by its name. If the name is a number, a row of data was read as a header. */
type KindOfField = 'phone' | 'number' | 'other' | 'unknown';

/** How a list is read. */
interface ListSettings {
	country: string | undefined;
	/** Whether each item has its own country, which does not apply to the list. */
	isCountryOfItem: boolean;
	/** Whether entries that cannot be read are ignored. */
	leavesOut: boolean;
}

/** A list of numbers that must not be called. It must be read before {@link phones} is used. */
export class BlockedNumbers {
	/** The phones, see {@link phoneOf}. */
	readonly phones = new Set<string>();
	private readonly entries: readonly unknown[];
	private readonly settings: ListSettings;
	/** The places of the first entries that cannot be read, by mistake. */
	private readonly places = new Map<keyof typeof MISTAKES, string[]>();
	/** What the fields are, by name. */
	private readonly kinds = new Map<string, KindOfField>();
	private unreadable = 0;
	private next = 0;

	constructor(entries: readonly unknown[], settings: ListSettings) {
		this.entries = entries;
		this.settings = settings;
	}

	/** The hint about ignored entries; undefined without such entries. */
	get note(): string | undefined {
		return this.unreadable > 0
			? `${NAME} was read without its unreadable entries, which protect nobody: ${this.mistakes()}.`
			: undefined;
	}

	/** Reads the list without blocking the event loop. @throws ServiceError as {@link read} */
	async prepare(): Promise<void> {
		for (this.readUntil(CHUNK); this.next < this.entries.length; this.readUntil(this.next + CHUNK)) {
			await sleep(0);
		}
		this.read();
	}

	/** Reads the list at once. @throws ServiceError `INVALID_INPUT` with the entries that cannot be read */
	read(): void {
		this.readUntil(this.entries.length);
		if (this.unreadable > 0 && !this.settings.leavesOut) {
			throw invalid(`${NAME}, ${this.mistakes()}`, this.advice());
		}
	}

	private readUntil(end: number): void {
		for (; this.next < end && this.next < this.entries.length; this.next++) {
			this.readEntry(this.entries[this.next], `${this.next + 1}`);
		}
	}

	/** @param place of the entry in the list, from 1 */
	private readEntry(entry: unknown, place: string): void {
		if (!isRecord(entry)) {
			this.block(this.parse(entry), place);
			return;
		}
		const isItem = isRecord(entry.json) && Object.keys(entry).every((name) => OF_ITEM.includes(name));
		const row = isItem ? (entry.json as Record<string, unknown>) : entry;
		const names = Object.keys(row);
		const read = names.map((name) => this.readField(name, row[name], `${place} (${shownName(name)})`));
		if (!read.includes(true)) {
			this.fail('noField', `${place} (${names.slice(0, MAX_NAMES).map(shownName).join(', ') || 'no fields'})`);
		}
	}

	/**
	 * Blocks the number in a field. A field without digits, or whose digits are something else, is left out.
	 *
	 * @returns whether there is a number, also one that cannot be read
	 */
	private readField(name: string, value: unknown, place: string): boolean {
		const kind = this.kindByName(name);
		if (kind === 'number') {
			this.fail('header', place);
			return true;
		}
		const isDecimal = typeof value === 'number' && !Number.isInteger(value) && kind !== 'phone';
		if (isBlank(value) || typeof value === 'boolean' || isDecimal) {
			return false;
		}
		const number = this.parse(value);
		const text = textOf(value);
		if (kind === 'other' && DIGITS.test(text)) {
			// An ID may be a number without +, such as WhatsApp's wa_id, and may be none.
			this.add([...number.readings, ...parsePhoneNumber(`+${text}`).readings]);
			return false;
		}
		const isNumber = number.readings.length > 0 || mayBeNumber(kind, text);
		if (isNumber) {
			this.block(number, place);
		}
		return isNumber;
	}

	/** What a field has by its name, which is the same in each row. */
	private kindByName(name: string): KindOfField {
		const known = this.kinds.get(name);
		if (known !== undefined) {
			return known;
		}
		const words = name
			.normalize('NFD')
			.replace(/\p{M}/gu, '')
			.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');
		const isHeader = !/\p{L}/u.test(name) && holdsNumber(name);
		const isPhone = OF_PHONE.test(words);
		const kind = isHeader ? 'number' : isPhone ? 'phone' : OTHER_FIELD.test(words) ? 'other' : 'unknown';
		this.kinds.set(name, kind);
		return kind;
	}

	private parse(value: unknown): ParsedNumber {
		return parsePhoneNumber(value, this.settings.country);
	}

	/** Blocks all readings of a number: one number too many is safer than a call to somebody who must not be called. */
	private block({ given, readings, lacksCountry }: ParsedNumber, place: string): void {
		if (readings.length === 0) {
			this.fail(isBlank(given) ? 'empty' : lacksCountry ? 'noCountry' : 'noNumber', place);
		}
		this.add(readings);
	}

	private add(numbers: readonly string[]): void {
		for (const number of numbers) {
			this.phones.add(phoneOf(number));
		}
	}

	private fail(mistake: keyof typeof MISTAKES, place: string): void {
		if (this.unreadable < MAX_ENTRIES) {
			this.places.set(mistake, [...(this.places.get(mistake) ?? []), place]);
		}
		this.unreadable++;
	}

	/** Lists the places of the entries that cannot be read, without their values, which are personal data. */
	private mistakes(): string {
		const texts = [...this.places].map(([mistake, places]) => {
			const [one, several] = MISTAKES[mistake];
			return places.length === 1 ? `entry ${places[0]} ${one}` : `entries ${places.join(', ')} ${several}`;
		});
		const more = this.unreadable - MAX_ENTRIES;
		return [...texts, ...(more > 0 ? [`and ${more} more cannot be read`] : [])].join('; ');
	}

	private advice(): string {
		const country = this.settings.isCountryOfItem
			? "Enter the numbers of the list with + and the country code: 'Default Country' is an expression for each item, and does not apply to the list."
			: "Add 'Default Country' to Options, or correct the list.";
		const fields = `Correct the list, or return the numbers alone, such as ${EXPRESSION}.`;
		const isWrong = (['noField', 'noNumber', 'empty'] as const).some((mistake) => this.places.has(mistake));
		return [
			...(this.places.has('header') ? ["Turn off 'Header Row' where the file is read: its first row is data."] : []),
			...(this.places.has('noCountry') ? [country] : []),
			...(isWrong ? [fields] : []),
			"To call nevertheless, set 'Leave Out Unreadable Blocked Numbers': these entries then protect nobody.",
		].join(' ');
	}
}

const shownName = (name: string) => JSON.stringify(name.slice(0, 40));

const textOf = (value: unknown) => plainSigns(typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();

/** Whether a text that cannot be read may be a number, or contain one: in a field about a phone, if it has the digits. */
function mayBeNumber(kind: KindOfField, text: string): boolean {
	return kind === 'phone' ? text.replace(/\D/g, '').length >= 7 : kind === 'unknown' && holdsNumber(text);
}

/** Whether a text contains what may be a phone number. */
function holdsNumber(text: string): boolean {
	const isOther = NO_NUMBER.some((other) => other.test(text));
	return SHORTENED.test(text) || (!isOther && NUMBER.test(text.replace(DATES, ' ')));
}

/**
 * Makes the list. Reads it only if it differs for each item; see {@link BlockedNumbers.prepare}.
 *
 * @throws ServiceError
 */
function readBlocked({ get, asTool, isConstant, dependsOnItem }: FieldSource): BlockedNumbers | undefined {
	const entries = entriesOf(get('blockedNumbers'));
	if (entries === undefined) {
		return undefined;
	}
	// A model must not choose the country, because it changes the numbers that the entries stand for.
	if (asTool && !isConstant('defaultCountry')) {
		throw onlyByPerson("'Default Country' with 'Blocked Numbers'");
	}
	// The country of one item does not apply to the list, so its entries need their own country codes.
	const isCountryOfItem = dependsOnItem?.('defaultCountry') === true;
	const given = isCountryOfItem ? undefined : get('defaultCountry');
	const { code: country, mistake } = isBlank(given) ? {} : countryOf(given);
	if (mistake !== undefined) {
		throw invalid(`'Default Country' cannot be ${JSON.stringify(given)}`, `${mistake}.`);
	}
	const list = new BlockedNumbers(entries, { country, isCountryOfItem, leavesOut: get('leaveOutUnreadable') === true });
	if (dependsOnItem?.('blockedNumbers')) {
		list.read();
	}
	return list;
}

/** Returns the entries of a list or of a text; undefined for an empty text. @throws ServiceError for anything else */
function entriesOf(given: unknown): unknown[] | undefined {
	const value = typeof given === 'string' && given.trim().startsWith('[') ? fromJson(given) : given;
	const repeated = value === given ? undefined : repeatedNameIn(String(given));
	if (repeated !== undefined) {
		throw invalid(`${NAME} ${REPEATED_NAME.what}: ${repeated}`, `${REPEATED_NAME.advice}.`);
	}
	if (Array.isArray(value)) {
		return isEmptyRow(value) ? [] : value;
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
	throw invalid(`${NAME} is ${what}, not a list`, `Use an expression that returns a list, such as ${EXPRESSION}.`);
}

/** Whether a list is one item without fields, which n8n outputs for no rows if a node always has output data. */
function isEmptyRow(entries: readonly unknown[]): boolean {
	const [only] = entries;
	const row = isRecord(only) && isRecord(only.json) ? only.json : only;
	return entries.length === 1 && isRecord(row) && Object.keys(row).length === 0;
}
