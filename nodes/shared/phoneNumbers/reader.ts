import { callingCodeOf } from './countries';
import { hasUsualSigns, isUsual } from './groups';
import { ENTER_IN_FULL, MARK_BEFORE, type Notation, notationOf, readNotation, SINGLE } from './notation';
import { numbersOf, type Readings, readInternational, readNational, readTrunkZero, readWithPlus } from './readings';

export { readCountry } from './countryNames';
export { signsOf } from './notation';

/** Matches a number in plain digits with +. */
const PLAIN = /^\+\d+$/;

/** Matches a zero in brackets, with the text around it: in most countries it is dialed only within the country. */
const ZERO_IN_BRACKETS = /^(.*?)\(0\)(.*)$/s;

/** Matches one or two separate digits, and the text after them. */
const LIST_MARK = /^\(?[1-9]\d?(?:\)|\s?[.-])(.*)$/;

/** Matches the end of the text before a group that begins with 0. */
const BEFORE_ZERO = /\d\D+(?=0)/g;

/** With fewer signs, the part before a slash is an area code, and not a number. */
const MIN_SIGNS_BEFORE_ENDINGS = 9;

/** The numbers that a text can represent. */
interface Reading extends Readings {
	/** Whether it can be read with a country only. */
	lacksCountry?: boolean;
}

const refused = (advice: string): Reading => ({ numbers: [], advice });

/**
 * Finds the numbers that a text can represent, and the number that may be called.
 *
 * @param given a text, or the number that a spreadsheet made of it
 * @param country the country of numbers without +, see {@link readCountry}
 */
export function read(given: unknown, country: string | undefined): Reading {
	// Most numbers of a long list need no further reading.
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
	const mistake = mistakeBefore(notation, country, reading);
	return mistake === undefined ? reading : refused(mistake);
}

/** Reads the beginning of numbers. A zero in brackets is refused, because no international number contains it. */
export function readPrefix(text: string): string | undefined {
	const notation = readNotation(text);
	return typeof notation === 'string' || !notation.hasPlus || ZERO_IN_BRACKETS.test(notation.plain)
		? undefined
		: `+${notation.groups.join('')}`;
}

/**
 * Returns the advice if the first digits may be a list mark, a postal code or another number, because the rest is a
 * different valid number. This does not apply if the whole number is usually written that way, such as (2) 2123 4567 in
 * Chile.
 */
function mistakeBefore(
	written: Notation,
	country: string | undefined,
	{ number, numbers }: Reading,
): string | undefined {
	const { hasPlus, plain } = written;
	if (hasPlus || plain.startsWith('00')) {
		return undefined;
	}
	const isAnother = (rest: string) => {
		const other = readDigits(notationOf(rest), country).number;
		return other !== undefined && !numbers.includes(other);
	};
	const hasUsualGroups = () => number !== undefined && isUsual(written, number.slice(1));
	// A part that begins with 0 is a complete number, in the form dialed within a country.
	const start = [...plain.matchAll(BEFORE_ZERO)]
		.map(({ index, 0: { length } }) => index + length)
		.find((index) => isAnother(plain.slice(index)));
	if (start !== undefined && !hasUsualGroups()) {
		const before = readDigits(notationOf(plain.slice(0, start)), country);
		return before.numbers.length === 0 ? MARK_BEFORE : SINGLE;
	}
	const [, rest] = LIST_MARK.exec(plain) ?? [];
	if (rest === undefined || numbers.length === 0) {
		return undefined;
	}
	const others = numbersOf(country, notationOf(rest).groups.join(''));
	const isUsualNumber = number !== undefined && hasUsualGroups() && hasUsualSigns(written, number.slice(1));
	return isUsualNumber || others.every((other) => numbers.includes(other)) ? undefined : MARK_BEFORE;
}

/** Whether a slash follows a complete number, as in +49 30 1234567/68. */
function hasSeveralEndings({ plain }: Notation, country: string | undefined): boolean {
	const parts = plain.split('/');
	return parts.some((part, index) => {
		if (index === 0 || !/\d/.test(part)) {
			return false;
		}
		const { numbers, isLocal } = readDigits(notationOf(parts.slice(0, index).join(' ')), country);
		return isLocal || numbers.some((number) => number.length > MIN_SIGNS_BEFORE_ENDINGS);
	});
}

function readDigits(written: Notation, country: string | undefined): Reading {
	const { hasPlus, groups, plain } = written;
	const [, before = '', after] = ZERO_IN_BRACKETS.exec(plain) ?? [];
	if (after !== undefined && /\d/.test(before)) {
		return readZeroInBrackets(before, after, country);
	}
	if (hasPlus || (country === undefined && groups.join('').startsWith('00'))) {
		return readWithPlus(written, country);
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
