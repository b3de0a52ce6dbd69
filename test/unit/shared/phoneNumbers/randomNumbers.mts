import {
	type CountryCode,
	getCountryCallingCode,
	type PhoneNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };

import fc from '../../../fastCheck.mts';

/** The column of the library's metadata with the types of numbers. */
const TYPES = 11;

/** A number and its country. */
export interface Known {
	country: CountryCode;
	number: PhoneNumber;
}

/** The patterns of the types of numbers in a country; empty for a type that it does not have. */
export function patternsOf(country: CountryCode): string[] {
	const types = (metadata.countries[country] as unknown as Record<number, Array<0 | [pattern: string]>>)[TYPES] ?? [];
	return types.map((type) => (type === 0 ? '' : type[0]));
}

/** Random numbers of a pattern that the library calls valid. */
export function validNumbers(country: CountryCode, pattern: string, count: number, seed = 1): Known[] {
	return fc
		.sample(fc.noBias(fc.stringMatching(new RegExp(`^(?:${pattern})$`))), { numRuns: 2 * count, seed })
		.map((digits) => parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${digits}`))
		.filter((number) => number?.isValid() === true)
		.filter((number) => number !== undefined)
		.slice(0, count)
		.map((number) => ({ country, number }));
}
