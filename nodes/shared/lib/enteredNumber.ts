/** A number as people and spreadsheets write it: no other base, no digits grouped. */
const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Whether a number is the one that was entered: JavaScript rounds whole numbers with more than about 15 digits. */
export function isAsEntered(number: number): boolean {
	return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

/**
 * The number in a text of an expression or a spreadsheet. Everything else is returned unchanged, for a check to refuse:
 * `Number` would make 0 of a blank text, which is no limit in some fields.
 */
export function enteredNumber(value: unknown): unknown {
	return typeof value === 'string' && DECIMAL.test(value) && isAsEntered(Number(value)) ? Number(value) : value;
}
