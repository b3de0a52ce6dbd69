import type * as NationalNumber from './nationalNumber';

/** Whitespace, Unicode direction marks and punctuation that people and spreadsheets put into a number. */
const DECORATION = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff().\-\u2010-\u2015/]/g;

/** A zero in brackets, and what is before and after it: in most countries it is dialed only within the country. */
const ZERO_IN_BRACKETS = /^(.*?)\(0\)(.*)$/s;

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
	const digits = withoutZeroInBrackets(text, country);
	if (digits === undefined || (country !== undefined && !/^\+?\d+$/.test(digits))) {
		return {};
	}
	if (country === undefined || digits.startsWith('+')) {
		return validated(digits.replace(/^00/, '+'));
	}
	const reading = countries().readNational(digits, country);
	return reading.number === undefined ? reading : validated(reading.number);
}

/**
 * The digits of a number, with + if it has one. A zero in brackets after the calling code is part of the number in some
 * countries: `+44 (0)20 7946 0958` is +442079460958, but `+39 (0)6 1234 5678` is +390612345678.
 *
 * @returns undefined if it is not clear what the zero in brackets means
 */
function withoutZeroInBrackets(text: string, country: string | undefined): string | undefined {
	const parts = ZERO_IN_BRACKETS.exec(text);
	if (parts === null) {
		return clean(text);
	}
	const [before, after] = [parts[1], parts[2]].map(clean);
	if (ZERO_IN_BRACKETS.test(parts[2])) {
		return undefined;
	}
	if (before === '') {
		return `0${after}`;
	}
	const [, prefix, callingCode] = /^(\+|00|)(\d+)$/.exec(before) ?? [];
	const isWhole = prefix === '+' || prefix === '00' || callingCode === countries().callingCodeOf(country);
	const national = isWhole && callingCode ? countries().readTrunkZero(callingCode, after) : undefined;
	return national === undefined ? undefined : `+${callingCode}${national}`;
}

function clean(text: string): string {
	return text.replace(DECORATION, '');
}

function validated(number: string): { number?: string } {
	return E164.test(number) ? { number } : {};
}
