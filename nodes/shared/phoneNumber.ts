/** Blanks, marks of direction and punctuation that people and spreadsheets put into a number. */
const DECORATION = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff().\-\u2010-\u2015/]/g;

/** The trunk zero that is dialled only inside the country: "+44 (0)20 ..." is +4420... */
const TRUNK_ZERO = /\(0\)/g;

/** E.164: a country code that does not begin with 0, 15 digits at most. Fewer than 7 reach nobody. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Writes a phone number as E.164, for example `+49 (0)30 1234-567` as `+49301234567`.
 * Length and form are checked, not whether a carrier has the number. A leading `00` is read as `+`.
 *
 * @returns the number, or undefined when it cannot be one
 */
export function toE164(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const number = value.replace(TRUNK_ZERO, '').replace(DECORATION, '').replace(/^00/, '+');
	return E164.test(number) ? number : undefined;
}
