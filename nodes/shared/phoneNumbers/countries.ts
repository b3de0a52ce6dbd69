import metadata from 'libphonenumber-js/metadata.max.json';

/** A row of the library's metadata: its columns by index, see {@link COLUMN}. */
type Row = Readonly<Record<number, unknown>>;

const COLUMN = {
	callingCode: 0,
	abroad: 1,
	form: 2,
	lengths: 3,
	trunkPrefix: 5,
	trunkExpression: 7,
	replacement: 8,
	areaCodes: 10,
	kinds: 11,
} as const;

/** The index of each kind of number in the column of kinds. */
const KIND = { landline: 0, mobile: 1, uan: 6, voip: 8 } as const;

/** The kinds of numbers that people dial without +. The others cost extra, cost nothing, or do not reach a person. */
const DIALED: readonly number[] = Object.values(KIND);

/** The maximum length in E.164, though some countries have longer numbers. */
const MAX_DIGITS = 15;

/**
 * The most digits of landlines in use in DE (without extensions), ID and XK, by calling code. The library accepts more,
 * and among them the calling code followed by a mobile.
 */
const LONGEST_LANDLINE: Readonly<Record<string, number>> = { 49: 11, 62: 10, 383: 8 };

/** The prefix that means + in most countries. */
const USUAL_ABROAD = '00';

/** The dialing rules of a country. */
export interface Country {
	callingCode: string;
	/** International prefix: dialed before the calling code of another country, mostly 00. */
	abroad: RegExp;
	/** The same as digits; empty if it selects one of several carriers. */
	abroadPrefix: string;
	/** Trunk prefix: dialed only within the country, mostly 0. Empty for countries without a trunk prefix. */
	trunkPrefix: string;
	/** Matches the prefix to remove or replace in a number as dialed within the country, now or until recently. */
	trunk: RegExp | undefined;
	/** Replaces the trunk prefix in a few countries; refers to the groups of its expression. */
	replacement: string;
	/** The possible numbers of digits after the calling code, for landlines and mobiles. */
	lengths: readonly number[];
	/** Matches the digits after the calling code, for numbers of any kind, including new ranges. */
	form: RegExp;
	/** Matches the digits after the calling code only in ranges that are in use. */
	valid: RegExp;
	/** As {@link valid}, for landlines and mobiles. */
	usual: RegExp;
	/** As {@link valid}, for mobiles. */
	mobile: RegExp;
	/** The most digits that landlines in use have after the calling code. */
	longestLandline: number;
}

/** The numbers of a calling code, which several countries may share. */
interface Code {
	/** As {@link Country.form}, of any of its countries. */
	form: RegExp;
	/** As {@link Country.valid}, of any of its countries. */
	valid: RegExp;
	/** As {@link valid}, for the kinds that people dial without +. */
	dialed: RegExp;
	/** As {@link valid}, for all other kinds. */
	special: RegExp;
	countries: readonly Country[];
}

const rows = metadata.countries as unknown as Readonly<Record<string, Row>>;
const rowsOfNoCountry = metadata.nonGeographic as unknown as Readonly<Record<string, Row>>;
const countriesByCode = metadata.country_calling_codes as Readonly<Record<string, string[]>>;

/** Creates a function that computes its result once for each key. */
function once<Result>(compute: (key: string) => Result): (key: string) => Result {
	const known = new Map<string, Result>();
	return (key) => {
		if (!known.has(key)) {
			known.set(key, compute(key));
		}
		return known.get(key) as Result;
	};
}

/** The two-letter codes of all countries with phone numbers. */
export const countryCodes: readonly string[] = Object.keys(rows);

/**
 * Returns the row of a country.
 *
 * @param code two letters, or + and a calling code that several countries share. The library lists the largest country
 *   first. It reads complete numbers of the others in the same way, but does not complete their local numbers.
 */
function rowOf(code: string): Row | undefined {
	return rows[code.startsWith('+') ? countriesOf(code.slice(1))[0] : code];
}

/** Returns the calling code of a country, without +; undefined without a country. */
export function callingCodeOf(country: string | undefined): string | undefined {
	return country === undefined ? undefined : String(rowOf(country)?.[COLUMN.callingCode]);
}

/** Returns the codes of the countries that share a calling code; empty for a code that does not belong to a country. */
export function countriesOf(callingCode: string): readonly string[] {
	return countriesByCode[callingCode] ?? [];
}

/** Returns the countries that own an area code of a calling code that several countries share. */
export function countriesOfArea(callingCode: string, areaCode: string): string[] {
	return countriesOf(callingCode).filter((code) => {
		const areaCodes = rows[code]?.[COLUMN.areaCodes] || '';
		return areaCodes !== '' && whole([String(areaCodes)]).test(areaCode);
	});
}

/** @param code the code of a country that exists, see {@link rowOf} */
export const countryBy = once((code): Country => countryOfRow(rowOf(code) as Row));

function countryOfRow(row: Row): Country {
	const callingCode = String(row[COLUMN.callingCode]);
	const trunkPrefix = String(row[COLUMN.trunkPrefix] || '');
	const trunk = String(row[COLUMN.trunkExpression] || trunkPrefix);
	const abroad = String(row[COLUMN.abroad] || USUAL_ABROAD);
	return {
		callingCode,
		abroad: startsWith(abroad),
		abroadPrefix: /^\d+$/.test(abroad) ? abroad : '',
		trunkPrefix,
		trunk: trunk === '' ? undefined : startsWith(trunk),
		replacement: String(row[COLUMN.replacement] || ''),
		lengths: lengthsOf(row),
		form: whole([String(row[COLUMN.form])]),
		valid: whole(patternsOf(row)),
		usual: whole(patternsOf(row, (kind) => kind === KIND.landline || kind === KIND.mobile)),
		mobile: whole(patternsOf(row, (kind) => kind === KIND.mobile)),
		longestLandline: LONGEST_LANDLINE[callingCode] ?? MAX_DIGITS,
	};
}

/** Returns the numbers of a calling code; undefined for an unassigned code. @param callingCode without + */
export const codeBy = once((callingCode): Code | undefined => {
	const ofCountries = countriesOf(callingCode);
	const all = ofCountries.length > 0 ? ofCountries.map((code) => rows[code] as Row) : [rowsOfNoCountry[callingCode]];
	const found = all.filter((row) => row !== undefined);
	if (found.length === 0) {
		return undefined;
	}
	return {
		form: whole(found.map((row) => String(row[COLUMN.form]))),
		valid: whole(found.flatMap((row) => patternsOf(row))),
		dialed: whole(found.flatMap((row) => patternsOf(row, (kind) => DIALED.includes(kind)))),
		special: whole(found.flatMap((row) => patternsOf(row, (kind) => !DIALED.includes(kind)))),
		countries: ofCountries.length > 0 ? ofCountries.map(countryBy) : found.map(countryOfRow),
	};
});

/** Returns the exact patterns of some kinds of numbers. */
function patternsOf(row: Row, isIncluded: (kind: number) => boolean = () => true): string[] {
	const kinds = (row[COLUMN.kinds] ?? []) as Array<0 | [pattern: string, lengths?: number[]]>;
	return kinds
		.map((kind, index) => (kind === 0 || !isIncluded(index) ? '' : kind[0]))
		.filter((pattern) => pattern !== '');
}

function lengthsOf(row: Row): number[] {
	const kinds = (row[COLUMN.kinds] ?? []) as Array<0 | [pattern: string, lengths?: number[]]>;
	return [KIND.landline, KIND.mobile].flatMap((kind) => {
		const [, lengths = row[COLUMN.lengths] as number[]] = kinds[kind] || [undefined, []];
		return lengths;
	});
}

const startsWith = (pattern: string) => new RegExp(`^(?:${pattern})`);

/** Combines patterns into a single pattern for a whole text; without patterns, it matches nothing. */
const whole = (patterns: readonly string[]) =>
	new RegExp(patterns.length > 0 ? `^(?:${[...new Set(patterns)].join('|')})$` : '(?!)');

/**
 * Splits a number into calling code and the rest. No calling code is the beginning of another.
 *
 * @param number without +
 * @returns undefined if it does not start with a calling code
 */
export function splitCallingCode(number: string): { callingCode: string; national: string; code: Code } | undefined {
	for (const length of [1, 2, 3]) {
		const callingCode = number.slice(0, length);
		const code = codeBy(callingCode);
		if (code !== undefined) {
			return { callingCode, national: number.slice(length), code };
		}
	}
	return undefined;
}

/** Whether a number with calling code and without + is in a range that is in use. */
export function isValid(number: string): boolean {
	const { code, national = '' } = splitCallingCode(number) ?? {};
	return number.length <= MAX_DIGITS && code?.valid.test(national) === true;
}

/** Whether people dial a number, given with calling code and without +, without +. */
export function isDialed(number: string): boolean {
	const { code, national = '' } = splitCallingCode(number) ?? {};
	return code?.dialed.test(national) === true && !code.special.test(national);
}

/** Returns a number without its trunk prefix, or unchanged if it lacks one. */
export function withoutTrunk(digits: string, { trunk, replacement }: Country): string {
	const match = trunk?.exec(digits);
	if (!trunk || !match) {
		return digits;
	}
	// Only a match of the last group requires a replacement.
	const replaced = replacement !== '' && match.at(-1) !== undefined;
	return replaced ? digits.replace(trunk, replacement) : digits.slice(match[0].length);
}

/** Territories that share the calling code and time with a larger country, which is listed first. */
const TERRITORIES = ['AX', 'EH'];

/**
 * Returns the countries that a number can belong to: the countries with its calling code in which the number is in use,
 * or else the countries whose numbers have its form.
 *
 * @param number valid, in E.164
 * @returns two-letter codes; empty for a calling code that does not belong to a country
 */
export function possibleCountries(number: string): string[] {
	const { callingCode = '', national = '' } = splitCallingCode(number.slice(1)) ?? {};
	const countries = countriesOf(callingCode);
	const inUse = countries.filter((country) => countryBy(country).valid.test(national));
	const possible = inUse.length > 0 ? inUse : countries.filter((country) => countryBy(country).form.test(national));
	return possible.sort((one, other) => Number(TERRITORIES.includes(one)) - Number(TERRITORIES.includes(other)));
}
