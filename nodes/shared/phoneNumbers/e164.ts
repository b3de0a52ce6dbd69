import { adviceOn, MAX_TEXT, mistakeInText, SINGLE } from './adviceOnText';
import type * as InternationalNumber from './internationalNumber';
import type * as NationalNumber from './nationalNumber';
import { phoneOf } from './phoneOf';
import type * as Plans from './plans';

/**
 * Whitespace, Unicode direction marks and punctuation that people and spreadsheets put into a number. A line break or a
 * tab is none of them: it separates two numbers, or two cells of a table.
 */
const DECORATION = /[^\S\t-\r\u2028\u2029]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff().\-\u2010-\u2015/]/g;

/** The sign with which a spreadsheet marks a number as text. */
const TEXT_MARK = /^['\u2018\u2019]/;

/** A zero in brackets, and what is before and after it: in most countries it is dialed only within the country. */
const ZERO_IN_BRACKETS = /^(.*?)\(0\)(.*)$/s;

/** E.164: a country code that does not start with 0, and at most 15 digits. No real number has fewer than 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

const NOT_E164 = 'With its country code, which does not start with 0, a number has 7 to 15 digits: check its digits';

/** With fewer digits, what is before a slash is an area code, and not a number. */
const MIN_DIGITS_BEFORE_ENDINGS = 9;

type Countries = typeof InternationalNumber & typeof NationalNumber & Pick<typeof Plans, 'callingCodeOf'>;

let loaded: Countries | undefined;

/**
 * Loads the numbering plans of all countries. Call it before any other function of this file. They are not imported at
 * load time because n8n does not need them to describe the node.
 */
export async function loadCountries(): Promise<void> {
	const modules = [import('./internationalNumber.js'), import('./nationalNumber.js'), import('./plans.js')] as const;
	const [international, national, { callingCodeOf }] = await Promise.all(modules);
	loaded = { ...international, ...national, callingCodeOf };
}

function countries(): Countries {
	if (loaded === undefined) {
		throw new Error('The countries are not loaded yet');
	}
	return loaded;
}

/** A phone number as it was entered, and what it was parsed to. */
export interface ParsedNumber {
	given: unknown;
	/** In E.164; undefined if it is not a valid phone number. */
	number: string | undefined;
	/** How to correct it, without a period; empty if it is valid. */
	advice: string;
	/** Whether it can be read with a country only. */
	lacksCountry: boolean;
	/** All numbers in E.164 that it can be, also if none of them may be called. */
	readings: string[];
}

/**
 * Converts a phone number to E.164, for example `+49 (0)30 1234-567` to `+49301234567`. A leading `00` means `+`.
 * It is checked whether its country can have such a number, not whether the number is in service.
 *
 * @param given a string, or the number that a spreadsheet made of it
 * @param country the country of numbers without + and country code, as {@link countryOf} returns it
 */
export function parsePhoneNumber(given: unknown, country?: string): ParsedNumber {
	const { number, advice, lacksCountry = false, readings = [] } = read(given, country);
	return { given, number, advice: number === undefined ? (advice ?? adviceOn(given)) : '', lacksCountry, readings };
}

/** The phone number in E.164; undefined if it is not valid. See {@link parsePhoneNumber}. */
export function toE164(value: unknown, country?: string): string | undefined {
	return read(value, country).number;
}

/**
 * Whether the service names the phone of somebody else than who was to be called.
 *
 * @param named by the service; what is no number with +, or one with hidden digits, says nothing
 */
export function isAnotherPhone(named: unknown, asked: string): boolean {
	if (named === asked || !/^\+(?!.*[.-]{2})/.test(String(named))) {
		return false;
	}
	const [other, own] = [toE164(named), toE164(asked)];
	return other !== undefined && own !== undefined && phoneOf(other) !== phoneOf(own);
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

/** A number in E.164, or advice on how to correct what was entered. */
interface Reading {
	number?: string;
	/** Undefined if the text is no number in any country. */
	advice?: string;
	lacksCountry?: boolean;
	readings?: string[];
}

function read(value: unknown, country: string | undefined): Reading {
	const text = textOf(value);
	if (text === undefined) {
		return {};
	}
	// Most numbers of a long list: nothing is to be removed.
	if (E164.test(text)) {
		return validated(text);
	}
	const mistake = mistakeInText(text);
	if (mistake !== undefined) {
		return { advice: mistake };
	}
	const parts = text.split('/');
	const isOneNumber = parts.every((part, index) => {
		const { readings: before = [] } = index === 0 ? {} : readText(parts.slice(0, index).join(''), country);
		return before.every((number) => number.length <= MIN_DIGITS_BEFORE_ENDINGS) || !/\d/.test(part);
	});
	return isOneNumber ? readText(text, country) : { advice: SINGLE };
}

function textOf(value: unknown): string | undefined {
	// Spreadsheets store a phone number as a number. One with a sign or a fraction is not what was entered.
	if (typeof value === 'number') {
		return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
	}
	return typeof value === 'string' && value.length <= MAX_TEXT ? value.trim().replace(TEXT_MARK, '') : undefined;
}

function readText(text: string, country: string | undefined): Reading {
	const digits = withoutZeroInBrackets(text, country);
	if (digits === undefined || !/^\+?\d+$/.test(digits)) {
		return {};
	}
	if (digits.startsWith('+') || (country === undefined && digits.startsWith('00'))) {
		return validated(digits.replace(/^00/, '+'));
	}
	if (country === undefined) {
		return { lacksCountry: true };
	}
	const { number, numbers: readings, advice } = countries().readingsOf(digits, country);
	const result = number === undefined ? { advice } : validated(number);
	return result.number === number ? { ...result, readings } : result;
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

function validated(number: string): Reading {
	if (!E164.test(number)) {
		return { advice: NOT_E164 };
	}
	const advice = countries().mistakeInNumber(number);
	return advice === undefined ? { number, readings: [number] } : { advice, readings: [] };
}
