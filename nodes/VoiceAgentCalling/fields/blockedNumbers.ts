import { sleep } from 'n8n-workflow';

import { onlyByPerson } from '../../shared/errors/nodeError';
import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, local } from '../../shared/fields/field';
import { isBlank, isRecord } from '../../shared/lib/json';
import { countryOf, type ParsedNumber, parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import { entriesOf, expressionFor } from './numberList';

const NAME = "'Blocked Numbers'";

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
					'Numbers that must not be called: their items get the result blocked. Separate them by commas or line breaks, or use an expression that returns a list of numbers. An entry may be a list, too: the numbers of one person. If an entry is not a phone number, no call is sent.',
			},
		],
		read: readBlocked,
		check: (zod) => zod.custom<BlockedNumbers>((value) => value instanceof BlockedNumbers),
	}),
);

/** The mistakes in entries, as texts for one entry and for several. */
const MISTAKES = {
	empty: ['is empty', 'are empty'],
	noCountry: ['has no country code', 'have no country code'],
	noNumber: ['is not a phone number', 'are not phone numbers'],
	row: ['is a row, not a phone number', 'are rows, not phone numbers'],
	header: ['is a row with a phone number as a name', 'are rows with a phone number as a name'],
	noField: ['of every person is missing', 'of every person are missing'],
} as const;

const NO_FIELD =
	"Check the names of the fields in the expression. If a name is right, but no row has this number, add ?? '' to it.";

const CHECK_NAME = 'No entry is a phone number: is the name of the field in the expression right?';

const CORRECT = 'Correct these entries, or remove them, for example with a Filter node.';

/** How a list is read. */
interface ListSettings {
	country: string | undefined;
	/** Whether each item has its own country, which does not apply to the list. */
	isCountryOfItem: boolean;
}

/** A list of numbers that must not be called. It must be read before {@link phones} is used. */
export class BlockedNumbers {
	/** The phones, see {@link phoneOf}. */
	readonly phones = new Set<string>();
	private readonly entries: readonly unknown[];
	private readonly settings: ListSettings;
	/** The places of the first entries that cannot be read, by mistake. */
	private readonly places = new Map<keyof typeof MISTAKES, string[]>();
	/** The names of the fields of rows in place of numbers, with whether one of them had a phone number there. */
	private readonly fields = new Map<string, boolean>();
	/** Whether lists of a person's numbers had a value at each position, which is missing with a wrong name of a field. */
	private readonly positions: boolean[] = [];
	private unreadable = 0;
	private next = 0;

	constructor(entries: readonly unknown[], settings: ListSettings) {
		this.entries = entries;
		this.settings = settings;
	}

	/** The hint that a list protects nobody; undefined if it has entries. */
	get note(): string | undefined {
		return this.entries.length === 0 ? `${NAME} is an empty list: it blocks nobody.` : undefined;
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
		for (const [position] of [...this.positions.entries()].filter(([, isThere]) => !isThere)) {
			this.fail('noField', `${position + 1}`);
		}
		if (this.unreadable > 0) {
			throw invalid(`${NAME}, ${this.mistakes()}`, this.advice());
		}
	}

	private readUntil(end: number): void {
		for (; this.next < end && this.next < this.entries.length; this.next++) {
			this.readEntry(this.entries[this.next], `${this.next + 1}`);
		}
	}

	/** Reads an entry: a number, or the numbers of one person, of which some may be missing. @param place from 1 */
	private readEntry(entry: unknown, place: string): void {
		for (const number of Array.isArray(entry) ? this.numbersOf(entry) : [entry]) {
			if (isRecord(number)) {
				this.failRow(number, place);
			} else {
				this.block(this.parse(number), place);
			}
		}
	}

	/** Returns the numbers of one person, or what stands in their place. With `?? row`, the row replaces a missing number. */
	private numbersOf(entry: readonly unknown[]): readonly unknown[] {
		for (const [position, number] of entry.entries()) {
			this.positions[position] ||= number !== undefined && !isItem(number);
		}
		const given = entry.filter((number) => !isBlank(number));
		const numbers = given.filter((number) => !isItem(number));
		const rows = given.length > 0 ? given : [''];
		return numbers.length > 0 ? numbers : rows;
	}

	/** Refuses a row: only the user knows which of its fields are phone numbers, and each one that was missed would ring. */
	private failRow(entry: Record<string, unknown>, place: string): void {
		// An item of n8n has the row in `json`.
		const row = Object.entries(isRecord(entry.json) ? entry.json : entry);
		for (const [name, value] of row) {
			this.fields.set(name, this.fields.get(name) || this.isNumber(value));
		}
		this.fail(row.some(([name]) => this.isNumber(name)) ? 'header' : 'row', place);
	}

	/** Whether a value is a phone number, or lacks only its country code. */
	private isNumber(value: unknown): boolean {
		const { readings, lacksCountry } = this.parse(value);
		return readings.length > 0 || (lacksCountry === true && String(value).replace(/\D/g, '').length >= 7);
	}

	private parse(value: unknown): ParsedNumber {
		return parsePhoneNumber(value, this.settings.country);
	}

	/** Blocks all readings of a number: one number too many is safer than a call to somebody who must not be called. */
	private block({ given, readings, lacksCountry }: ParsedNumber, place: string): void {
		if (readings.length === 0) {
			this.fail(isBlank(given) ? 'empty' : lacksCountry ? 'noCountry' : 'noNumber', place);
		}
		for (const number of readings) {
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
			const [noun, nouns] = mistake === 'noField' ? ['number', 'numbers'] : ['entry', 'entries'];
			return places.length === 1 ? `${noun} ${places[0]} ${one}` : `${nouns} ${places.join(', ')} ${several}`;
		});
		const more = this.unreadable - MAX_ENTRIES;
		return [...texts, ...(more > 0 ? [`and ${more} more cannot be read`] : [])].join('; ');
	}

	private advice(): string {
		const country = this.settings.isCountryOfItem
			? "Enter the numbers of the list with + and the country code: 'Default Country' is an expression for each item, and does not apply to the list."
			: "Add 'Default Country' to Options, or correct the list.";
		const isWrong = (['noNumber', 'empty'] as const).some((mistake) => this.places.has(mistake));
		return [
			...(this.places.has('header') ? ["Turn off 'Header Row' where the file is read: its first row is data."] : []),
			...(this.places.has('row') ? [adviceOnRows(this.fields)] : []),
			...(this.places.has('noField') ? [NO_FIELD] : []),
			...(this.places.has('noCountry') ? [country] : []),
			...(isWrong ? (this.phones.size > 0 ? [CORRECT] : [CHECK_NAME, CORRECT]) : []),
		].join(' ');
	}
}

/** Returns what to do about rows, with an expression for their own fields. @param fields names, and whether of phones */
function adviceOnRows(fields: ReadonlyMap<string, boolean>): string {
	const names = [...fields.keys()].slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, 40)));
	const what = names.length > 0 ? `A row has the fields ${names.join(', ')}: return` : 'A row has no fields: return';
	const phones = [...fields].flatMap(([name, isPhone]) => (isPhone ? [name] : []));
	return `${what} all phone numbers alone, such as ${expressionFor(phones)}, and remove rows without one.`;
}

/** Whether a value is an item of n8n. */
function isItem(value: unknown): boolean {
	return isRecord(value) && isRecord(value.json);
}

/**
 * Makes the list. Reads it only if it differs for each item; see {@link BlockedNumbers.prepare}.
 *
 * @throws ServiceError
 */
function readBlocked({ get, asTool, isConstant, dependsOnItem }: FieldSource): BlockedNumbers | undefined {
	const given = entriesOf(NAME, get('blockedNumbers'), isConstant('blockedNumbers'));
	if (given === undefined) {
		return undefined;
	}
	const entries = isEmptyRow(given) ? [] : given;
	// A model must not choose the country, because it changes the numbers that the entries stand for.
	if (asTool && !isConstant('defaultCountry')) {
		throw onlyByPerson("'Default Country' with 'Blocked Numbers'");
	}
	// The country of one item does not apply to the list, so its entries need their own country codes.
	const isCountryOfItem = dependsOnItem?.('defaultCountry') === true;
	const wanted = isCountryOfItem ? undefined : get('defaultCountry');
	const { code: country, mistake } = isBlank(wanted) ? {} : countryOf(wanted);
	if (mistake !== undefined) {
		throw invalid(`'Default Country' cannot be ${JSON.stringify(wanted)}`, `${mistake}.`);
	}
	const list = new BlockedNumbers(entries, { country, isCountryOfItem });
	if (dependsOnItem?.('blockedNumbers')) {
		list.read();
	}
	return list;
}

/**
 * Whether a list is the item that n8n outputs for no rows if a node always has output data: without fields and files, and
 * paired with all input items. What a node that fails passes on is paired with one. As a person's numbers, it stands
 * alone in a list.
 */
function isEmptyRow(entries: readonly unknown[]): boolean {
	// Most lists are long: they are not looked through.
	const [only, ...others] = entries.length === 1 ? entries.flat().filter((entry) => !isBlank(entry)) : [];
	if (others.length > 0 || !isRecord(only) || !isRecord(only.json)) {
		return false;
	}
	const { json, binary = {}, pairedItem } = only;
	const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;
	return isEmpty(json) && isEmpty(binary) && Array.isArray(pairedItem);
}
