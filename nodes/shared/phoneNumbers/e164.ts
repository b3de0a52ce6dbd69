import type * as NationalNumber from './nationalNumber';

/** Blanks, marks of direction and punctuation that people and spreadsheets put into a number. */
const DECORATION = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff().\-\u2010-\u2015/]/g;

/** The trunk zero that is dialled only inside the country: "+44 (0)20 ..." is +4420... */
const TRUNK_ZERO = /\(0\)/g;

/** The trunk zero of a number that has nothing before it: "(0)20 ..." */
const FIRST_TRUNK_ZERO = /^\s*\(0\)/;

/** E.164: a country code that does not begin with 0, 15 digits at most. Fewer than 7 reach nobody. */
const E164 = /^\+[1-9]\d{6,14}$/;

const IN_FULL = 'Write the number with + and the country code, for example +4915112345678';

let national: typeof NationalNumber | undefined;

/** To be called before there is a country to be looked up. Describing the node needs none. */
export async function loadCountries(): Promise<void> {
	national = await import('./nationalNumber.js');
}

function countries(): typeof NationalNumber {
	if (national === undefined) {
		throw new Error('The countries are not loaded yet');
	}
	return national;
}

/** A phone number as it was given, and how it was read. */
export interface ParsedNumber {
	given: unknown;
	/** In E.164; undefined where it cannot be a phone number. */
	number: string | undefined;
	/** What to do where there is no number, without a period. */
	advice: string;
}

/**
 * Reads a phone number, for example `+49 (0)30 1234-567` as `+49301234567`. Length and form are checked, not whether a
 * carrier has the number. A leading `00` is read as `+`.
 *
 * @param country where a number without + and country code belongs, in the form that {@link countryOf} gives
 */
export function parsePhoneNumber(given: unknown, country?: string): ParsedNumber {
	const { number, advice = IN_FULL } = read(given, country);
	return { given, number, advice: number === undefined ? advice : '' };
}

/** A phone number in E.164; undefined where it cannot be one. See {@link parsePhoneNumber}. */
export function toE164(value: unknown, country?: string): string | undefined {
	return read(value, country).number;
}

/** A country by its two letters, and what is wrong with them if something is. */
export function countryOf(written: unknown): { code: string; mistake?: string } {
	const code = String(written).trim().toUpperCase();
	return { code, mistake: countries().mistakeInCountry(code) };
}

function read(value: unknown, country: string | undefined): { number?: string; advice?: string } {
	// A spreadsheet gives digits as a number.
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') {
		return {};
	}
	const number = text.replace(TRUNK_ZERO, '').replace(DECORATION, '');
	if (country === undefined || number.startsWith('+')) {
		return checked(number.replace(/^00/, '+'));
	}
	const digits = text.replace(FIRST_TRUNK_ZERO, '0').replace(TRUNK_ZERO, '').replace(DECORATION, '');
	if (!/^\d+$/.test(digits)) {
		return {};
	}
	const reading = countries().readNational(digits, country);
	return reading.number === undefined ? reading : checked(reading.number);
}

function checked(number: string): { number?: string } {
	return E164.test(number) ? { number } : {};
}
