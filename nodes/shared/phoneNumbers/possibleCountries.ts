import { countriesOf, hasForm, planOf, splitCallingCode } from './plans';

/** Territories that share calling code and time with a larger country, which is named first. */
const TERRITORIES = ['AX', 'EH'];

/**
 * The countries that a number can belong to: those with its calling code that can have such a number.
 *
 * @param number valid, in E.164
 * @returns two-letter codes; empty for a calling code that belongs to no country
 */
export function possibleCountries(number: string): string[] {
	const { callingCode = '', national = '' } = splitCallingCode(number.slice(1)) ?? {};
	return countriesOf(callingCode)
		.filter((country) => hasForm(national, planOf(country)))
		.sort((one, other) => Number(TERRITORIES.includes(one)) - Number(TERRITORIES.includes(other)));
}
