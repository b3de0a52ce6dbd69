import { callingCodeOf, isCountry } from './countries';
import { isUsual } from './groups';
import { ENTER_IN_FULL, MARK_BEFORE, type Notation, notationOf, readNotation, SINGLE } from './notation';
import { isNumberOf, type Readings, readInternational, readNational, readTrunkZero } from './readings';

/** A number without anything to be removed. */
const PLAIN = /^\+\d+$/;

/** A zero in brackets, and what is before and after it: in most countries it is dialed only within the country. */
const ZERO_IN_BRACKETS = /^(.*?)\(0\)(.*)$/s;

/** One digit or two that stand apart, and what follows. */
const LIST_MARK = /^\(?[1-9]\d?(\)|[.-]|\s(?=\(?0))(.*)$/;

/** With fewer signs, what is before a slash is an area code, and not a number. */
const MIN_SIGNS_BEFORE_ENDINGS = 9;

/** Codes that people often use by mistake, and the right ones. */
const COMMON_MISTAKES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** @returns advice on a code that is not the code of a country with phone numbers, otherwise undefined */
export function mistakeInCountry(code: string): string | undefined {
	if (isCountry(code)) {
		return undefined;
	}
	const meant = COMMON_MISTAKES[code];
	return meant === undefined
		? 'Enter the two-letter code of a country (ISO 3166), such as DE for Germany or GB for the United Kingdom'
		: `Enter ${meant}, the code of that country`;
}

/** What a text can stand for. */
interface Reading extends Readings {
	/** Whether it can be read with a country only. */
	lacksCountry?: boolean;
}

const refused = (advice: string): Reading => ({ numbers: [], advice });

/**
 * Finds the numbers that a text can stand for, and the one that may be called.
 *
 * @param given a text, or the number that a spreadsheet made of it
 * @param country the country of numbers without +, see {@link mistakeInCountry}
 */
export function read(given: unknown, country: string | undefined): Reading {
	// Most numbers of a long list: nothing is to be removed.
	if (typeof given === 'string' && PLAIN.test(given)) {
		return readInternational(given);
	}
	const notation = readNotation(given);
	if (typeof notation === 'string') {
		return refused(notation);
	}
	if (hasSeveralEndings(notation, country)) {
		return refused(SINGLE);
	}
	const reading = readDigits(notation, country);
	return hasListMark(notation, country, reading) ? refused(MARK_BEFORE) : reading;
}

/** Reads the beginning of numbers. A zero that is dialed only within the country would fit no number. */
export function readPrefix(text: string): string | undefined {
	const notation = readNotation(text);
	return typeof notation === 'string' || !notation.hasPlus || ZERO_IN_BRACKETS.test(notation.plain)
		? undefined
		: `+${notation.groups.join('')}`;
}

/**
 * Whether the first digits may be the place in a list: what follows begins with 0, or is another number. Not so where the
 * whole number is usually written that way, as (2) 2123 4567 in Chile.
 */
function hasListMark(written: Notation, country: string | undefined, { number, numbers }: Reading): boolean {
	const [, sign, rest] = LIST_MARK.exec(written.plain) ?? [];
	if (rest === undefined || (number !== undefined && isUsual(written, number.slice(1)))) {
		return false;
	}
	const after = notationOf(rest);
	const other = readDigits(after, country).number;
	if (other !== undefined && numbers.includes(other)) {
		return false;
	}
	if (sign !== ' ' && /^\s?\(?0/.test(rest)) {
		return true;
	}
	if (other !== undefined) {
		return numbers.length > 0;
	}
	return sign === ')' && numbers.length > 0 && country !== undefined && isNumberOf(country, after.groups.join(''));
}

/** Whether a slash comes after a whole number, as in +49 30 1234567/68. */
function hasSeveralEndings({ plain }: Notation, country: string | undefined): boolean {
	const parts = plain.split('/');
	return parts.some((part, index) => {
		const before = notationOf(parts.slice(0, index).join(' '));
		return (
			index > 0 &&
			/\d/.test(part) &&
			readDigits(before, country).numbers.some((number) => number.length > MIN_SIGNS_BEFORE_ENDINGS)
		);
	});
}

function readDigits(written: Notation, country: string | undefined): Reading {
	const { hasPlus, groups, plain } = written;
	const digits = groups.join('');
	const [, before = '', after] = ZERO_IN_BRACKETS.exec(plain) ?? [];
	if (after !== undefined && /\d/.test(before)) {
		return readZeroInBrackets(before, after, country);
	}
	if (hasPlus || (country === undefined && digits.startsWith('00'))) {
		return readInternational(`+${hasPlus ? digits : digits.slice(2)}`);
	}
	return country === undefined
		? { numbers: [], lacksCountry: true, advice: ENTER_IN_FULL }
		: readNational(written, country);
}

/** Reads +49 (0)30 1234567, which is +49301234567, and +39 (0)6 1234 5678, which is +390612345678. */
function readZeroInBrackets(before: string, after: string, country: string | undefined): Reading {
	const [, prefix, callingCode = ''] = /^\(?(\+|00|)(\d+)$/.exec(before.replace(/(?!^)\D/g, '')) ?? [];
	const isWhole = prefix !== '' || callingCode === callingCodeOf(country);
	const national =
		ZERO_IN_BRACKETS.test(after) || !isWhole ? undefined : readTrunkZero(callingCode, after.replace(/\D/g, ''));
	return national === undefined ? refused(ENTER_IN_FULL) : readInternational(`+${callingCode}${national}`);
}
