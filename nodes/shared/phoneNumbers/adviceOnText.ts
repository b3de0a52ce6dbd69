const ENTER_IN_FULL = 'Enter it with + and the country code, for example +4915112345678';

/** An extension at the end: ext. 5, ;ext=5, x5, #5. */
const EXTENSION = /\d[\s,;]*(?:ext(?:ension|n)?\b|x|#)[\s.:=]*\d+\s*$/i;

/** What people write between two numbers; another number may also start with +. */
const SEVERAL = /\d.*(?:[,;|&\t-\r]|\bor\b|\band\b|\+).*\d/is;

/** The advice for a text that is more than one number. */
export const SINGLE = 'It looks like more than one phone number: enter only one';

const COMPUTED = 'Store the number as text: a calculated number or one with decimals is not a phone number';

const SHORTENED =
	'A spreadsheet has shortened the number, and digits are lost: format the column as text and export it again';

/**
 * Texts whose digits, put together, would be another number than the one that is meant: a decimal number, which
 * programs make of a number in a table (15112345678.0), one with an exponent (4.91512E+12), a negative one, a date, the
 * number of a list before it, and an addition in brackets.
 */
const ALTERED: ReadonlyArray<readonly [RegExp, string]> = [
	[/^[+-]?\d{5,}\.\d{1,2}$|^-\d+$/, COMPUTED],
	[/^\+?\d(?:[.,]\d+)?e\+?\d+$/i, SHORTENED],
	[/^(\d{1,2}([./-])\d{1,2}\2(19|20)\d\d|(19|20)\d\d([./-])\d\d\5\d\d)$/, 'It looks like a date, not a phone number'],
	[/^[1-9]\d?[.)]\s|^\([1-9]\d?\)\s*0/, 'Remove the text before the number'],
	[/\(\s*\d*\s*\)$/, 'Remove the part in parentheses at the end'],
];

/** A longer text is no phone number. Forms on the internet can bring texts of any length. */
export const MAX_TEXT = 100;

/** Says how to correct a value that is no phone number in any country. Without a period. */
export function adviceOn(given: unknown): string {
	const value = typeof given === 'string' ? given.slice(0, MAX_TEXT) : given;
	if (typeof value === 'number') {
		return Number.isSafeInteger(value) && value > 0 ? ENTER_IN_FULL : COMPUTED;
	}
	if (typeof value !== 'string' || value.trim() === '') {
		return ENTER_IN_FULL;
	}
	if (/\{\{|\$json\b/.test(value)) {
		return 'It is an expression as text: switch the field from Fixed to Expression';
	}
	if (!/\d/.test(value)) {
		return 'It contains no phone number: enter one, or remove the item';
	}
	if (EXTENSION.test(value)) {
		return 'Remove the extension: only the number itself can be called';
	}
	if (SEVERAL.test(value)) {
		return SINGLE;
	}
	return /\p{L}/u.test(value) ? `It contains letters. ${ENTER_IN_FULL}` : ENTER_IN_FULL;
}

/**
 * Finds a text that must not be read by its digits alone.
 *
 * @param text without whitespace at its ends
 * @returns how to correct it, without a period; undefined if nothing is wrong with its form
 */
export function mistakeInText(text: string): string | undefined {
	return ALTERED.find(([pattern]) => pattern.test(text))?.[1];
}
