/** The digits of a number, in groups as they were written. */
export type Groups = readonly string[];

export const ENTER_IN_FULL = 'Enter it with + and the country code, for example +4915112345678';

/** The advice for a text with more than one number. */
export const SINGLE = 'It looks like more than one phone number: enter only one';

const COMPUTED = 'Store the number as text: a calculated number or one with decimals is not a phone number';

const SHORTENED =
	'A spreadsheet has shortened the number, and digits are lost: format the column as text and export it again';

const DATE = 'It looks like a date, not a phone number';

const EXTENSION = 'Remove the extension: only the number itself can be called';

/** The advice for a text that begins with a list mark. */
export const MARK_BEFORE = 'Remove the list mark before the number';

/** The advice for a text that continues after its number. */
export const NOTE_AFTER = 'Remove what follows the number, such as a footnote or a range';

/** Longer texts are refused, because public forms can submit texts of any length. */
const MAX_TEXT = 100;

/** Matches the quotes, commas and semicolons around a text, such as the ' with which a spreadsheet marks a text. */
const AROUND = /^[\s'"\u2018-\u201f,;]+|[\s'"\u2018-\u201f,;]+$/g;

/** The formula with which a spreadsheet keeps a number as text. */
const TEXT_FORMULA = /^=\s*"([^"]*)"$/;

/** Matches the beginning of a phone link. */
const SCHEME = /^(?:tel|callto):\s*/i;

/** Matches whitespace other than line breaks and tabs, which separate two numbers or two cells of a table. */
const BLANK = /[^\S\t-\r\u2028\u2029]+/g;

/** Matches invisible marks, such as soft hyphens and direction marks. */
const UNSEEN = /[\u00ad\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0]|[\ufe00-\ufe0f]/g;

/** Matches hyphens, dashes, minus signs, and the similar Japanese sign. */
const DASH = /[\u2010-\u2015\u2212\u30fc\ufe58\ufe63\uff0d\uff70]/g;

/** Matches full-width signs, which Asian keyboards write. Superscript footnotes do not match. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_SHIFT = 0xfee0;

const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;

/**
 * Patterns of texts whose joined digits would be another number than the intended one, with advice. The first match
 * counts.
 */
const MISTAKES: ReadonlyArray<readonly [RegExp, string]> = [
	[/^\{\{|\{\{.*\}\}|\$json\b/, 'It is an expression as text: switch the field from Fixed to Expression'],
	[/^\D*$/, 'It contains no phone number: enter one'],
	[/^=/, 'Remove the = before the number: it makes a formula of it'],
	[/^[+-]?(?:\d{5,}[.,]\d{1,2}|\d{7,}\.\d{3,})$|^-\d+(?:\.\d+)?$/, COMPUTED],
	// Decimals such as coordinates, and thousands.
	[/^(?:0\.\d+|[1-9]\d{0,2}\.\d{8,}|\d{1,3}(?:,\d{3})+(?:\.\d+)?)$/, COMPUTED],
	[/^\+?\d(?:[.,]\d+)?e\+?\d+$/i, SHORTENED],
	[/^(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d\d\2\d\d)(?:\s|$)/, DATE],
	[/^\d{1,2}\.\d{1,2}\.(?:\s|$)|\s\d{1,2}\.\d{1,2}\.$/, DATE],
	// ext. 5, ;ext=5, x5, #5, *5
	[/\d[\s,;-]*(?:ext(?:ension|n)?\b|x|#|\*)[\s.:=]*\d+\s*$/i, EXTENSION],
	// Another number may also start with +.
	[/\d.*(?:[,;|&\t-\r\u2028\u2029]|:::?|\bor\b|\band\b|\+).*\d/is, SINGLE],
	// Words between two numbers
	[/(?:\d[\s()./-]*){6}\p{L}[^\d]*\+?(?:\d[\s()./-]*){6}/u, SINGLE],
	// Words for an extension, such as int. 12 or Apparat 12
	[/\d\s+\p{L}{2,}\.?\s*\d{1,5}$/u, EXTENSION],
	[/^[\p{L}\s.]+:?\s*\+?[\d(][^\p{L}]*$/u, 'Remove the words before the number'],
	[/\p{L}/u, 'It contains letters: remove them, or write them as the digits of their keys'],
	[/^(?:\[?\d{1,2}\]|[*#]|[1-9]\d?\s?\)|(?:\d{1,2}|00\d)\.\s|00\d\.[^.]*$)/, MARK_BEFORE],
	[/\(\s?\d*\s?\)$|\(\d{0,2}\)\s?\d$/, 'Remove the part in parentheses at the end'],
	[/(?:\[?\d{1,2}\s?\]|[*#†‡\u00b9\u00b2\u00b3\u2070-\u2079]|[^\d(][1-9]\d?\s?\)|\s[1-9]\d?\.)$/, NOTE_AFTER],
	[/(?:\s-\s?|-\s)[1-9]\d?$|\s[1-9]\d?\s?-$|^[^.]*[^\d.][^.]*\.\d{1,2}$/, NOTE_AFTER],
	// Opening hours
	[/\s\d{1,2}\.\d\d\s?-\s?\d{1,2}\.\d\d$/, NOTE_AFTER],
	[/^\+?(\d[\d ]{3,})[\s/-]+\1$/, SINGLE],
	[/--|-\s-|\.\./, ENTER_IN_FULL],
	// In Korea, area codes are written like 02)312-3456.
	[/^(?!0\d{1,3}\)[^()]*$)[^()]*\)|\([^)]*(?:\(|$)|\)[^(]*\)/, 'Check the parentheses: each ( needs its )'],
];

/** Matches a range at the end of a text: the text before it, and both ends. */
const RANGE = /^(.*\D)(\d{1,3})\s?-\s?(\d{1,3})$/;

/** Matches a number with the signs that it may contain besides digits. */
const ALLOWED = /^\(?\+?[\d\s()./-]*$/;

/** Matches a sign that {@link ALLOWED} does not contain. */
const OTHER_SIGN = /[^\d\s()./+-]/u;

/** A text or number that may be a phone number. */
export interface Notation {
	/** Whether it has a + before its first digit. */
	hasPlus: boolean;
	/** Its digits, in groups as they were written. */
	groups: Groups;
	/** The text in plain signs: digits, +, blanks, hyphens, dots, slashes and brackets. */
	plain: string;
}

/**
 * Reads the signs of an entered value, without deciding which number it is.
 *
 * @param given a text, or the number to which a spreadsheet converted it
 * @returns a notation, or advice on how to correct it, without a period
 */
export function readNotation(given: unknown): Notation | string {
	if (typeof given === 'number') {
		// A number with a sign or a fraction was not entered this way.
		return Number.isSafeInteger(given) && given > 0 ? notationOf(String(given)) : COMPUTED;
	}
	if (typeof given !== 'string' || given.trim() === '' || given.length > MAX_TEXT) {
		return ENTER_IN_FULL;
	}
	const plain = plainOf(given);
	const mistake = MISTAKES.find(([pattern]) => pattern.test(plain))?.[1];
	if (mistake !== undefined) {
		return mistake;
	}
	if (isRange(plain)) {
		return NOTE_AFTER;
	}
	if (ALLOWED.test(plain)) {
		return notationOf(plain);
	}
	const [sign] = OTHER_SIGN.exec(plain) ?? [];
	return sign === undefined ? 'Write one +, before the country code' : `Remove ${JSON.stringify(sign)} from the number`;
}

/** Returns a text in plain signs, without the marks of a text cell or a link. */
function plainOf(text: string): string {
	const signs = signsOf(text);
	const [, quoted] = TEXT_FORMULA.exec(signs) ?? [];
	return (quoted ?? signs).replace(AROUND, '').replace(SCHEME, '');
}

/** Converts the signs and digits of all scripts to ASCII. */
export function signsOf(text: string): string {
	return text
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_SHIFT))
		.replace(UNSEEN, '')
		.replace(DASH, '-')
		.replace(BLANK, ' ')
		.trim()
		.replace(OTHER_DIGIT, valueOfDigit);
}

/** Returns the value of a digit of any script: the digits of a script are consecutive, from 0 to 9. */
function valueOfDigit(digit: string): string {
	let before = 0;
	for (let code = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code--) {
		before++;
	}
	return String(before % 10);
}

/** Whether a text ends with a range of extensions, or with opening hours: two short numbers, the second one larger. */
function isRange(plain: string): boolean {
	const [, before = '', from = '', to = ''] = RANGE.exec(plain) ?? [];
	// 06-12-34-56-78 and 234-56-78 are groups of one number.
	const isGroup = /(?<!\d)\d{1,3}-$/.test(before);
	if (isGroup || Number(to) <= Number(from)) {
		return false;
	}
	// 03 123-456 is a number without a range; 030 12345 100-199 is a number with a range.
	const [, ...groups] = before.match(/\d+/g) ?? [];
	return Math.max(from.length, to.length) < 3 || (from.length === to.length && groups.some(({ length }) => length > 3));
}

/** @param plain see {@link Notation.plain} */
export function notationOf(plain: string): Notation {
	return { hasPlus: /^\(?\+/.test(plain), groups: plain.match(/\d+/g) ?? [], plain };
}
