/** Tells whether a value is what an empty field has, or what an expression without a result gives. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}
