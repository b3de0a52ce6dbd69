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

/** Names of fields that must contain a number, without accents: a value that cannot be read is a mistake. */
const NAMES_NUMBER =
	/phone|mobil|movil|whatsapp|telefon|handy|rufnummer|celular|cellulare|msisdn|contact[_\s-]?n(?:umber|o$)|(?<![a-z])(?:cell|tel|tlf|fax|gsm|to[_\s-]?number)|^(?:to|number|numero|nummer|portable|landline)$|телефон|τηλεφων|電話|电话|手机|전화/i;

/** Names of fields about a number, as in Google contacts. */
const NAMES_OTHER = /type|label|verified|status|_at$|extension/i;

/** A text that contains a number, which begins with +, 0 or a bracket. */
const HAS_NUMBER = /(?:\+|(?<![\p{L}\d])0|\()[\s(]*\d(?:[\s()./-]*\d){6}/u;

/** A date, optionally with a time, which is not a number. */
const DATE = /^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)/;

/** Digits alone, which may also be an ID or a time. */
const DIGITS = /^\d+$/;

/** As many digits as a number with its area code or country code has. */
const DIGITS_OF_NUMBER = /^\d{8,15}$/;

/** Words in the names of fields whose digits are not a phone number. */
const NAMES_NO_NUMBER = new Set(
	'account age amount at balance birthday code count created customer date id ids index invoice key on order price ref row salary time timestamp total updated uuid year zip'.split(
		' ',
	),
);

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
				description: `Numbers that must not be called: their items get the result blocked. Separate them by commas or line breaks, or use an expression that returns a list, such as ${EXPRESSION}. Of whole rows, each field with a phone number counts. If an entry is not a phone number, no call is sent.`,
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
	noCountry: ['has no country code', 'have no country code'],
	noNumber: ['is not a phone number', 'are not phone numbers'],
	noField: ['has no field with a phone number', 'have no field with a phone number'],
} as const;

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
		const found = Object.entries(row)
			.filter(([, value]) => !isBlank(value) && typeof value !== 'boolean')
			.map(([name, value]) => ({ name, number: this.parse(value) }))
			.filter(({ name, number }) => hasNumberByName(name) || looksLikeNumber(number) || mayBeNumber(name, number));
		for (const { name, number } of found) {
			this.block(number, `${place} (${shownName(name)})`);
		}
		if (!found.some(({ name, number }) => hasNumberByName(name) || !DIGITS.test(String(number.given)))) {
			const names = Object.keys(row);
			this.fail(
				names.some(hasNumberByName) ? 'empty' : 'noField',
				`${place} (${names.slice(0, MAX_NAMES).map(shownName).join(', ') || 'no fields'})`,
			);
		}
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
			return places.length === 1 ? `entry ${places[0]} ${one}` : `entries ${places.join(', ')} ${several}`;
		});
		const more = this.unreadable - MAX_ENTRIES;
		return [...texts, ...(more > 0 ? [`and ${more} more cannot be read`] : [])].join('; ');
	}

	private advice(): string {
		const country = this.settings.isCountryOfItem
			? "Enter the numbers of the list with + and the country code: 'Default Country' is an expression for each item, and does not apply to the list."
			: "Add 'Default Country' to Options, or correct the list.";
		const fields = `Return the numbers alone, such as ${EXPRESSION}.`;
		return [
			...(this.places.has('noCountry') ? [country] : []),
			...(this.places.has('noField') ? [fields] : []),
			...(this.places.has('noNumber') || this.places.has('empty') ? ['Correct the list.'] : []),
			"To call nevertheless, set 'Leave Out Unreadable Blocked Numbers': these entries then protect nobody.",
		].join(' ');
	}
}

const hasNumberByName = (name: string) => NAMES_NUMBER.test(withoutAccents(name)) && !NAMES_OTHER.test(name);

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

/**
 * Whether digits under a name that says nothing can be a number of an unknown country. To ignore them could leave the
 * person unprotected.
 */
function mayBeNumber(name: string, { given, lacksCountry }: ParsedNumber): boolean {
	const words = name
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.split(/[^\p{L}]+/u);
	return (
		lacksCountry && DIGITS_OF_NUMBER.test(String(given).trim()) && !words.some((word) => NAMES_NO_NUMBER.has(word))
	);
}

const shownName = (name: string) => JSON.stringify(name.slice(0, 40));

/** Whether the value of a field is, or contains, a phone number. */
function looksLikeNumber({ given, readings }: ParsedNumber): boolean {
	const text = typeof given === 'object' ? JSON.stringify(given) : String(given);
	return readings.length > 0 || (HAS_NUMBER.test(plainSigns(text)) && !DATE.test(text));
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
