/** A text without anything to see or to say: spaces of all kinds, line breaks, zero-width and control characters. */
const ONLY_BLANKS = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Tells whether a value is what an empty field has, what an expression without a result gives, or only blanks. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && ONLY_BLANKS.test(value));
}
