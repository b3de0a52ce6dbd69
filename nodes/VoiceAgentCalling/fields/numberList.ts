import { sleep } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { kindOf } from '../../shared/fields/field';
import { fromJson, isBlank, isRecord, REPEATED_NAME, repeatedNameIn } from '../../shared/lib/json';
import { type ParsedNumber, parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { numbersOfPhone, phoneOf } from '../../shared/phoneNumbers/phoneOf';

/**
 * Returns an expression for the numbers of rows, as an example. A row without any is returned as it is: an error, but for
 * the empty row that n8n outputs without rows.
 *
 * @param fields of the rows with phone numbers
 */
export function expressionFor([name = 'phone', ...others]: readonly string[] = []): string {
	const value = (field: string) =>
		/^[a-z_]\w*$/i.test(field) ? `row.json.${field}` : `row.json[${JSON.stringify(field)}]`;
	const first = `${value(name)} ?? row`;
	const numbers = others.length > 0 ? `[${[first, ...others.map(value)].join(', ')}]` : first;
	return `{{ $('Get Rows').all().map(row => ${numbers}) }}`;
}

/**
 * Returns the entries of a list, or of a text that was typed. The text of an expression may be the number of a single
 * row, such as that of a dragged field: the other rows would then protect nobody.
 *
 * @param name of the field, in quotes
 * @param isTyped whether the field is free of expressions
 * @param example of an expression that returns a list
 * @returns undefined if empty
 * @throws ServiceError for anything else
 */
export function entriesOf(
	name: string,
	given: unknown,
	isTyped: boolean,
	example = expressionFor(),
): unknown[] | undefined {
	const value = typeof given === 'string' && given.trim().startsWith('[') ? fromJson(given) : given;
	const repeated = value === given ? undefined : repeatedNameIn(String(given));
	if (repeated !== undefined) {
		throw invalid(`${name} ${REPEATED_NAME.what}: ${repeated}`, `${REPEATED_NAME.advice}.`);
	}
	if (Array.isArray(value)) {
		return value;
	}
	if (typeof value === 'string' && (isTyped || isBlank(value))) {
		const entries = value.split(/[,;\r\n]+/).flatMap((entry) => entry.trim() || []);
		return entries.length > 0 ? entries : undefined;
	}
	if (isBlank(value)) {
		return undefined;
	}
	const what = isRecord(value) ? 'an object' : kindOf(value);
	const advice = `Use an expression that returns a list of all numbers, such as ${example}.`;
	throw invalid(`${name} is ${what}, not a list`, advice);
}

/** How many field names an error shows. */
const MAX_NAMES = 10;

/** How many entries an error lists. */
const MAX_ENTRIES = 20;

/** How many entries are read before other work of the event loop runs. */
const CHUNK = 2000;

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

const CHECK_NAME =
	'No entry is a phone number: is the name of the field in the expression right, and has the list rows?';

const CORRECT = 'Correct these entries, or remove them, for example with a Filter node.';

/** How a list is read. */
interface ListSettings {
	/** The name of the field, in quotes. */
	name: string;
	/** The country of numbers without +. */
	country?: string;
	/** What to do about numbers without a country code. */
	countryAdvice: string;
	/** Whether the list was typed, not returned by an expression. */
	isTyped: boolean;
}

/** A list of phone numbers, in any notation. It must be read before {@link NumberList.phones} is used. */
export class NumberList {
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

	/** All numbers of the phones, in E.164. */
	get numbers(): string[] {
		return [...this.phones].flatMap(numbersOfPhone);
	}

	/** The hint that a list protects nobody; undefined if it has entries. */
	get note(): string | undefined {
		return this.entries.length === 0 ? `${this.settings.name} is an empty list: it blocks nobody.` : undefined;
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
			throw invalid(`${this.settings.name}, ${this.mistakes()}`, this.advice());
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
				this.add(this.parse(number), place);
			}
		}
	}

	/**
	 * Returns the numbers of one person, or what stands in their place. With `?? row`, the row replaces a missing number:
	 * it must not have another one, under a name that other rows lack.
	 */
	private numbersOf(entry: readonly unknown[]): readonly unknown[] {
		for (const [position, number] of entry.entries()) {
			this.positions[position] ||= number !== undefined && !isItem(number);
		}
		const given = entry.filter((number) => !isBlank(number));
		if (given.length === 0) {
			return [''];
		}
		const rows = given.filter(isItem);
		const numbers = given.filter((number) => !isItem(number));
		const isFine = rows.length === 0 || (numbers.length > 0 && !rows.some((row) => this.hasOther(row, numbers)));
		return isFine ? numbers : given;
	}

	/** Whether a row has a phone number besides some of its numbers. */
	private hasOther({ json }: { json: Record<string, unknown> }, numbers: readonly unknown[]): boolean {
		const known = new Set(numbers.flatMap((number) => this.parse(number).readings));
		return Object.values(json).some(
			(value) => this.isNumber(value) && !this.parse(value).readings.some((reading) => known.has(reading)),
		);
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

	/** Adds all readings of a number: one number too many is safer than a call to somebody who must not be called. */
	private add({ given, readings, lacksCountry }: ParsedNumber, place: string): void {
		if (readings.length === 0) {
			this.fail(isBlank(given) ? 'empty' : lacksCountry ? 'noCountry' : 'noNumber', place);
		}
		for (const number of readings) {
			this.phones.add(phoneOf(number));
		}
	}

	private fail(mistake: keyof typeof MISTAKES, place: string): void {
		if (this.unreadable < MAX_ENTRIES || mistake === 'noField') {
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
		const isWrong = (['noNumber', 'empty'] as const).some((mistake) => this.places.has(mistake));
		return [
			...(this.places.has('header') ? ["Turn off 'Header Row' where the file is read: its first row is data."] : []),
			...(this.places.has('row') ? [adviceOnRows(this.fields)] : []),
			...(this.places.has('noField') ? [NO_FIELD] : []),
			...(this.places.has('noCountry') ? [this.settings.countryAdvice] : []),
			...(isWrong && this.phones.size === 0 && !this.settings.isTyped ? [CHECK_NAME] : []),
			...(isWrong ? [CORRECT] : []),
		].join(' ');
	}
}

/** Returns what to do about rows, with an expression for their own fields. @param fields names, and whether of phones */
function adviceOnRows(fields: ReadonlyMap<string, boolean>): string {
	const names = [...fields.keys()].slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, 40)));
	if (names.length === 0) {
		return 'A row has no fields, as n8n outputs it for a list without rows. For an empty list, use the expression {{ [] }}.';
	}
	const phones = [...fields].flatMap(([name, isPhone]) => (isPhone ? [name] : []));
	return `A row has the fields ${names.join(', ')}: return all phone numbers alone, such as ${expressionFor(phones)}, and remove rows without one.`;
}

/** Whether a value is an item of n8n. */
function isItem(value: unknown): value is { json: Record<string, unknown> } {
	return isRecord(value) && isRecord(value.json);
}
