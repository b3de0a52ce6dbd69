const IN_FULL = 'Write the number with + and the country code, for example +4915112345678';

/** An extension at the end: ext. 5, ;ext=5, x5, #5. */
const EXTENSION = /\d[\s,;]*(?:ext(?:ension|n)?\b|x|#)[\s.:=]*\d+\s*$/i;

/** What people write between two numbers; another number may also start with +. */
const SEVERAL = /\d.*(?:[,;|&\n\r]|\bor\b|\band\b|\+).*\d/is;

/** The advice for a text that is more than one number. */
export const SINGLE = 'It looks like more than one phone number: enter a single one';

/** A longer text is no phone number. Forms on the internet can bring texts of any length. */
export const MAX_TEXT = 100;

/** Says how to correct a value that is no phone number in any country. Without a period. */
export function adviceOn(given: unknown): string {
	const value = typeof given === 'string' ? given.slice(0, MAX_TEXT) : given;
	if (typeof value === 'number') {
		return 'Store the number as text: a number that was computed or has a fraction is no phone number';
	}
	if (typeof value !== 'string' || value.trim() === '') {
		return IN_FULL;
	}
	if (!/\d/.test(value)) {
		return 'There is no phone number in it: enter one, or leave the item out';
	}
	if (EXTENSION.test(value)) {
		return 'Leave out the extension: only the number itself can be called';
	}
	if (SEVERAL.test(value)) {
		return SINGLE;
	}
	return /\p{L}/u.test(value) ? `It has letters. ${IN_FULL}` : IN_FULL;
}
