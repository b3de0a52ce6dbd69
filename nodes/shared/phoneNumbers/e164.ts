import type * as NationalNumber from './nationalNumber';

/** Whitespace, Unicode direction marks and punctuation that people and spreadsheets put into a number. */
const DECORATION = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff().\-\u2010-\u2015/]/g;

/** The trunk zero, which is dialed only within the country: "+44 (0)20 ..." is +4420... */
const TRUNK_ZERO = /\(0\)/g;

/** The trunk zero at the start of a number without a country code: "(0)20 ..." */
const FIRST_TRUNK_ZERO = /^\s*\(0\)/;

/** E.164: a country code that does not start with 0, and at most 15 digits. No real number has fewer than 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

const IN_FULL = 'Write the number with + and the country code, for example +4915112345678';

let national: typeof NationalNumber | undefined;

/**
 * Loads the numbering plans of all countries. Call it before a function that takes a country. They are not imported at
 * load time because n8n does not need them to describe the node.
 */
export async function loadCountries(): Promise<void> {
	national = await import('./nationalNumber.js');
}

function countries(): typeof NationalNumber {
	if (national === undefined) {
		throw new Error('The countries are not loaded yet');
	}
	return national;
}

/** A phone number as it was entered, and what it was parsed to. */
export interface ParsedNumber {
	given: unknown;
	/** In E.164; undefined if it is not a valid phone number. */
	number: string | undefined;
	/** How to correct it, without a period; empty if it is valid. */
	advice: string;
}

/**
 * Converts a phone number to E.164, for example `+49 (0)30 1234-567` to `+49301234567`. A leading `00` means `+`.
 * Only length and format are validated, not whether the number is in service.
 *
 * @param given a string, or the number that a spreadsheet made of it
 * @param country the country of numbers without + and country code, as {@link countryOf} returns it
 */
export function parsePhoneNumber(given: unknown, country?: string): ParsedNumber {
	const { number, advice = IN_FULL } = read(given, country);
	return { given, number, advice: number === undefined ? advice : '' };
}

/** The phone number in E.164; undefined if it is not valid. See {@link parsePhoneNumber}. */
export function toE164(value: unknown, country?: string): string | undefined {
	return read(value, country).number;
}

/**
 * Parses a two-letter country code (ISO 3166).
 *
 * @returns the code in upper case; if there is no such country, `mistake` tells the user what to write instead
 */
export function countryOf(value: unknown): { code: string; mistake?: string } {
	const code = String(value).trim().toUpperCase();
	return { code, mistake: countries().mistakeInCountry(code) };
}

function read(value: unknown, country: string | undefined): { number?: string; advice?: string } {
	// Spreadsheets store a phone number as a number.
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') {
		return {};
	}
	const number = text.replace(TRUNK_ZERO, '').replace(DECORATION, '');
	if (country === undefined || number.startsWith('+')) {
		return validated(number.replace(/^00/, '+'));
	}
	const digits = text.replace(FIRST_TRUNK_ZERO, '0').replace(TRUNK_ZERO, '').replace(DECORATION, '');
	if (!/^\d+$/.test(digits)) {
		return {};
	}
	const reading = countries().readNational(digits, country);
	return reading.number === undefined ? reading : validated(reading.number);
}

function validated(number: string): { number?: string } {
	return E164.test(number) ? { number } : {};
}
